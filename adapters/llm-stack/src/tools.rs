//! Registries of scripted tools.
//!
//! Enters: the tools of a scenario. Leaves: a registry. Must not know steps.

use std::sync::Arc;

use bindproof_adapter::Json;
use llm_stack::ToolRegistry;
use llm_stack::intercept::{InterceptorStack, ToolExec};
use llm_stack::provider::{ToolDefinition, ToolRetryConfig};
use llm_stack::tool::{ToolError, ToolHandler, ToolOutput};

use crate::layers::{Running, Scripted};
use crate::recorder::Recorder;
use crate::scenario::{Tool, ToolRetry};
use crate::values::definition;

/// Returns a registry of these tools around a stack. owner: the step, which is the first part of its handlers' names.
pub fn registry(
    owner: &str,
    tools: &[Tool],
    stack: InterceptorStack<ToolExec<()>>,
    recorder: &Recorder,
) -> ToolRegistry {
    let mut made = ToolRegistry::new().with_interceptors(stack);
    for tool in tools {
        let definition =
            ToolDefinition { retry: tool.retry.as_ref().map(retry), ..definition(&tool.name, tool.schema.clone()) };
        let script = Scripted::new(format!("{owner}.{}", tool.name), tool.does.clone(), recorder);
        made.register(Handler { definition, script });
    }
    made
}

fn retry(config: &ToolRetry) -> ToolRetryConfig {
    let mut made = ToolRetryConfig::default();
    if let Some(retries) = config.max_retries {
        made.max_retries = retries;
        made.initial_backoff = config.initial_backoff.expect("all numbers or none").0;
        made.max_backoff = config.max_backoff.expect("all numbers or none").0;
        made.backoff_multiplier = config.backoff_multiplier.expect("all numbers or none");
        made.jitter = config.jitter.expect("all numbers or none");
    }
    if let Some(text) = config.only_if.clone() {
        made.retry_if = Some(Arc::new(move |message: &str| message.contains(&text)));
    }
    made
}

struct Handler {
    definition: ToolDefinition,
    script: Scripted,
}

impl ToolHandler for Handler {
    fn definition(&self) -> ToolDefinition {
        self.definition.clone()
    }

    fn execute<'a>(&'a self, input: Json, _: &'a ()) -> Running<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let given = self.script.act(input).await;
            let content = given["content"].as_str().unwrap_or_default();
            if given["is_error"] == true { Err(ToolError::new(content)) } else { Ok(ToolOutput::new(content)) }
        })
    }
}
