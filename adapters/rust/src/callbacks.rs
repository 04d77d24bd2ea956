//! The callbacks of each family as the crate calls them.
//!
//! Enters: a scripted callback. Leaves: the function that the crate is given. Must not know steps.

use std::sync::Arc;

use bindproof_adapter::{Callback, Chunks, Execution, Json, Opening, Source, Stop, Wrapped, object, tool_outcome};
use nemo_relay::api::runtime::{
    EventMetadataInjectorFn, EventSanitizeFn, LlmConditionalFn, LlmExecutionFn, LlmJsonStream, LlmRequestInterceptFn,
    LlmSanitizeRequestFn, LlmSanitizeResponseFn, LlmStreamExecutionFn, ToolConditionalFn, ToolExecutionFn,
    ToolInterceptFn,
};
use nemo_relay::error::FlowError;

use crate::json::{as_json, ended, event_json, failure, raised, result_json, typed};

pub fn llm_request(callback: Callback) -> LlmRequestInterceptFn {
    Arc::new(move |name, request, annotated| {
        let callback = callback.clone();
        Box::pin(async move {
            let (request, annotated) = (as_json(&request)?, as_json(&annotated)?);
            let given = [("name", name.into()), ("request", request.clone()), ("annotated_request", annotated.clone())];
            let marks = ("pending_marks", Json::Array(Vec::new()));
            let natural = object([("request", request), ("annotated_request", annotated), marks]);
            callback.play(&object(given), natural).map_err(raised("intercept outcome"))
        })
    })
}

pub fn llm_conditional(callback: Callback) -> LlmConditionalFn {
    Arc::new(move |request| {
        let callback = callback.clone();
        Box::pin(async move {
            let given = object([("request", as_json(&request)?)]);
            callback.say("conditional", &given, Json::Null).map_err(FlowError::Internal)
        })
    })
}

pub fn llm_execution(callback: Callback) -> LlmExecutionFn {
    Arc::new(move |name, request, #[cfg(execution_context)] _context, next| {
        let (callback, name) = (callback.clone(), name.to_owned());
        Box::pin(async move {
            let argument = as_json(&request)?;
            let given = object([("name", name.into()), ("request", argument.clone())]);
            let proceed = move |argument| Ok(next(typed("next", argument)?));
            let form = |answer: Option<Json>| answer.unwrap_or(Json::Null);
            let execution = Execution { argument, form, proceed, said: failure };
            callback.wrap(given, execution).await.map_err(ended("answer"))
        })
    })
}

pub fn llm_stream(source: Source) -> LlmStreamExecutionFn {
    Arc::new(move |_name, request, #[cfg(execution_context)] _context, next| {
        let source = source.clone();
        Box::pin(async move {
            let argument = as_json(&request)?;
            let given = object([("request", argument.clone())]);
            let proceed = move |argument| -> Result<Opening<FlowError>, Stop> {
                let chunks = next(typed("next", argument)?);
                Ok(Box::pin(async move { Ok(Box::pin(chunks.await?) as Chunks<FlowError>) }))
            };
            let wrapped = Wrapped { argument, proceed: Box::new(proceed), said: failure };
            source.wrap(given, wrapped, FlowError::Internal).await.map(LlmJsonStream::new)
        })
    })
}

pub fn llm_sanitize_request(callback: Callback) -> LlmSanitizeRequestFn {
    Arc::new(move |request, _context| {
        let callback = callback.clone();
        Box::pin(async move {
            let request = as_json(&request)?;
            let given = object([("request", request.clone())]);
            callback.say("llm.sanitize_request", &given, request).map_err(FlowError::Internal)
        })
    })
}

pub fn llm_sanitize_response(callback: Callback) -> LlmSanitizeResponseFn {
    Arc::new(move |response, _context| {
        let callback = callback.clone();
        Box::pin(async move {
            callback.play(&object([("response", response.clone())]), response).map_err(raised("sanitized response"))
        })
    })
}

/// A callback that is given a name and one value, which it answers with.
pub fn tool(callback: Callback, argument: &'static str) -> ToolInterceptFn {
    Arc::new(move |name, value| {
        let callback = callback.clone();
        Box::pin(async move {
            callback.play(&object([("name", name.into()), (argument, value.clone())]), value).map_err(raised(argument))
        })
    })
}

pub fn tool_conditional(callback: Callback) -> ToolConditionalFn {
    Arc::new(move |name, args| {
        let callback = callback.clone();
        Box::pin(async move {
            let given = object([("name", name.into()), ("args", args)]);
            callback.say("conditional", &given, Json::Null).map_err(FlowError::Internal)
        })
    })
}

pub fn tool_execution(callback: Callback) -> ToolExecutionFn {
    Arc::new(move |context, next| {
        let callback = callback.clone();
        Box::pin(async move {
            let (name, id) = (context.tool_name().into(), context.tool_call_id().into());
            let argument = context.into_args();
            let given = object([("name", name), ("args", argument.clone()), ("tool_call_id", id)]);
            let proceed = move |argument| {
                let answer = next(argument);
                Ok(async move { result_json(&answer.await?) })
            };
            let execution = Execution { argument, form: tool_outcome, proceed, said: failure };
            callback.wrap(given, execution).await.map_err(ended("intercept outcome"))
        })
    })
}

pub fn event_fields(callback: Callback) -> EventSanitizeFn {
    Arc::new(move |event, fields| {
        let callback = callback.clone();
        Box::pin(async move {
            let fields = as_json(&fields)?;
            let given = object([("event", event_json(&event)?), ("fields", fields.clone())]);
            callback.say("fields", &given, fields).map_err(FlowError::Internal)
        })
    })
}

pub fn event_metadata(callback: Callback) -> EventMetadataInjectorFn {
    Arc::new(move |event| {
        let callback = callback.clone();
        Box::pin(async move {
            callback.say("metadata", &object([("event", event_json(&event)?)]), object([])).map_err(FlowError::Internal)
        })
    })
}
