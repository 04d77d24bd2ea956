//! The intercept that answers through the crate's own types.

use std::sync::Arc;

use nemo_relay_plugin::{AnnotatedLlmRequest, Json, LlmRequest, LlmRequestInterceptOutcome, PluginContext, Result};
use serde_json::{from_value, json};

use crate::story::Story;

/// What is answered here.
const RESULTS: [&str; 3] = ["typed", "error", "panic"];

/// Registers the intercept; an error says what the host answered.
pub fn register(story: Arc<Story>, context: &mut PluginContext<'_>) -> Result<()> {
    context.register_llm_request_intercept("typed", 2, false, move |name, request, annotated| {
        let story = Arc::clone(&story);
        async move {
            let step = story.step(&name, &RESULTS);
            if step.is_some() {
                story.note("asked", &name);
            }
            answer(step, request, annotated)
        }
    })
}

fn answer(
    step: Option<&Json>,
    request: LlmRequest,
    annotated: Option<AnnotatedLlmRequest>,
) -> Result<LlmRequestInterceptOutcome> {
    let outcome = LlmRequestInterceptOutcome::new(request, annotated);
    let Some(step) = step else { return Ok(outcome) };
    let message = step["message"].as_str().unwrap_or_default();
    match step["result"].as_str() {
        Some("error") => Err(message.to_owned()),
        Some("panic") => panic!("{message}"),
        _ => {
            let mark = json!({"name": "typed", "category": "custom", "category_profile": {"subtype": "t"}, "data": 1});
            Ok(outcome.with_pending_mark(from_value(mark).map_err(|error| error.to_string())?))
        }
    }
}
