//! The crate's API calls, as the SDK asks for them.

use std::sync::Arc;

use bindproof_adapter::{
    Binding, Call, Callback, Failure, Helper, Json, Raised, Register, Request, Sink, Stop, Undo, object,
};
use nemo_relay::api::event::Event;
use nemo_relay::api::llm::{
    LlmCallExecuteParams, LlmRequest, LlmRequestInterceptOutcome, llm_call_execute, llm_request_intercepts,
};
use nemo_relay::api::registry::{
    deregister_llm_request_intercept, list_runtime_registrations, register_llm_request_intercept,
};
use nemo_relay::api::runtime::{LlmExecutionNextFn, LlmRequestInterceptFn, create_scope_stack, set_thread_scope_stack};
use nemo_relay::api::subscriber::{deregister_subscriber, flush_subscribers, register_subscriber};
use nemo_relay::codec::request::AnnotatedLlmRequest;
use nemo_relay::error::{FlowError, Result};
use serde::Serialize;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::codec::Scripted;

/// The crate, and the runtime on which its futures are run to their end, one at a time, by the thread that asks.
pub struct Relay {
    runtime: Runtime,
}

impl Relay {
    /// Starts the runtime.
    pub fn new() -> std::result::Result<Self, Stop> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).enable_all().build();
        runtime.map(|runtime| Self { runtime }).map_err(|error| Stop::Fault(format!("no runtime: {error}")))
    }
}

impl Binding for Relay {
    fn describe(&self) -> Json {
        let target = json!({
            "name": "nemo-relay (crate)",
            "version": env!("TARGET_VERSION"),
            "language": "rust",
            "runtime": env!("COMPILER"),
        });
        json!({"target": target, "suites": {"relay": {"dialect": "rust", "capabilities": []}}})
    }

    fn fresh_scope(&self) {
        set_thread_scope_stack(create_scope_stack());
    }

    fn registered(&self) -> std::result::Result<Vec<(String, String)>, Failure> {
        let listed = list_runtime_registrations(None).map_err(failure)?;
        Ok(listed.into_iter().map(|one| (family(one.kind.as_str()), one.effective_name)).collect())
    }

    fn flush(&self) -> std::result::Result<(), Failure> {
        flush_subscribers().map_err(failure)
    }

    fn register_subscriber(&self, step: &Register, sink: Sink) -> std::result::Result<Undo, Failure> {
        let subscriber = move |event: &Event| sink.put(event.try_to_json_value());
        register_subscriber(&step.name, Arc::new(subscriber)).map_err(failure)?;
        let name = step.name.clone();
        Ok(Box::new(move || drop(deregister_subscriber(&name))))
    }

    fn register_llm_request(&self, step: &Register, callback: Callback) -> std::result::Result<Undo, Failure> {
        let intercept: LlmRequestInterceptFn = Arc::new(move |name, request, annotated| {
            let callback = callback.clone();
            Box::pin(async move { intercepted(&callback, &name, &request, annotated.as_ref()) })
        });
        register_llm_request_intercept(&step.name, step.priority, step.break_chain, intercept).map_err(failure)?;
        let name = step.name.clone();
        Ok(Box::new(move || drop(deregister_llm_request_intercept(&name))))
    }

    fn call_llm(
        &self,
        step: &Call,
        request: Request,
        provider: Callback,
        codec: Option<(Callback, Callback)>,
    ) -> std::result::Result<Json, Failure> {
        let answer: LlmExecutionNextFn = Arc::new(move |request| {
            let provider = provider.clone();
            Box::pin(async move {
                let given = object([("request", as_json(&request)?)]);
                provider.play(&given, object([("ok", true.into())])).map_err(raised("answer"))
            })
        });
        let mut params = LlmCallExecuteParams::builder().name(&step.name).request(typed(request)).func(answer).build();
        params.model_name.clone_from(&step.model);
        params.codec = codec.map(|(decode, encode)| Arc::new(Scripted { decode, encode }) as _);
        self.runtime.block_on(llm_call_execute(params)).map_err(failure)
    }

    fn helper_llm_request(&self, step: &Helper, request: Request) -> std::result::Result<Json, Failure> {
        let outcome = self.runtime.block_on(llm_request_intercepts(&step.name, typed(request)));
        outcome.and_then(|outcome| as_json(&outcome)).map_err(failure)
    }
}

/// What one intercept does with what it was given. The reply is read with serde into the crate's own type.
fn intercepted(
    callback: &Callback,
    name: &str,
    request: &LlmRequest,
    annotated: Option<&AnnotatedLlmRequest>,
) -> Result<LlmRequestInterceptOutcome> {
    let (request, annotated) = (as_json(request)?, as_json(&annotated)?);
    let given = [("name", name.into()), ("request", request.clone()), ("annotated_request", annotated.clone())];
    let natural = [("request", request), ("annotated_request", annotated), ("pending_marks", Json::Array(Vec::new()))];
    callback.play(&object(given), object(natural)).map_err(raised("intercept outcome"))
}

/// Returns one of the crate's values as JSON.
pub fn as_json(value: &impl Serialize) -> Result<Json> {
    serde_json::to_value(value).map_err(|error| FlowError::Internal(format!("the adapter cannot read it: {error}")))
}

/// Returns the error that a callback ends with; a refused reply is said to be that of `what`.
pub fn raised(what: &str) -> impl Fn(Raised) -> FlowError {
    move |raised| match raised {
        Raised::Scripted(text) => FlowError::Internal(text),
        Raised::Refused(text) => FlowError::Internal(format!("{what}: {text}")),
    }
}

fn typed(request: Request) -> LlmRequest {
    LlmRequest { headers: request.headers, content: request.content }
}

/// The variant's name is what a program matches on.
fn failure(error: FlowError) -> Failure {
    let shown = format!("{error:?}");
    let variant = shown.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    Failure { kind: format!("FlowError::{variant}"), message: error.to_string(), code: None }
}

/// The suite's name of a kind of registration.
fn family(kind: &str) -> String {
    if kind == "llm_request_intercept" { "llm.request".into() } else { kind.into() }
}
