//! The callbacks of each family as the crate calls them.
//!
//! Enters: a scripted callback. Leaves: the function that the crate is given. Must not know steps.

use std::sync::Arc;

use bindproof_adapter::relay::{Callback, Chunks, Opening, Sink, Source, Wrapped, with_codecs};
use bindproof_adapter::{Stop, object};
use nemo_relay::api::event::Event;
use nemo_relay::api::runtime::{
    EventMetadataInjectorFn, EventSanitizeFn, EventSubscriberFn, LlmConditionalFn, LlmExecutionFn, LlmJsonStream,
    LlmRequestInterceptFn, LlmSanitizeRequestFn, LlmSanitizeResponseFn, LlmStreamExecutionFn, ToolConditionalFn,
    ToolExecutionFn, ToolInterceptFn,
};
use nemo_relay::error::FlowError;

use crate::coding::{Asked, handed};
#[cfg(from_0_10)]
use crate::json::codecs_json;
use crate::json::{as_json, codec_json, ended, event_json, failure, raised, result_json, typed};

/// A function of the crate's, which answers in a future that has a callback of its own.
macro_rules! answering {
    ($callback:ident, |$($argument:ident),+| $answer:expr) => {
        Arc::new(move |$($argument),+| {
            let $callback = $callback.clone();
            Box::pin(async move { $answer })
        })
    };
}

/// The codecs that what wraps an LLM's execution is told of, in a release that tells it.
macro_rules! told_codecs {
    ($context:ident) => {{
        #[cfg(from_0_10)]
        let told = Some(codecs_json(&$context)?);
        #[cfg(not(from_0_10))]
        let told = None;
        told
    }};
}

pub fn subscriber(sink: Sink) -> EventSubscriberFn {
    Arc::new(move |event: &Event| sink.put(event.try_to_json_value()))
}

pub fn llm_request(callback: Callback) -> LlmRequestInterceptFn {
    answering!(callback, |name, request, annotated| {
        let playing = callback.llm_request(&name, as_json(&request)?, as_json(&annotated)?);
        playing.await.map_err(raised("intercept outcome"))
    })
}

pub fn llm_conditional(callback: Callback) -> LlmConditionalFn {
    answering!(callback, |request| callback.llm_conditional(as_json(&request)?).await.map_err(FlowError::Internal))
}

pub fn llm_execution(callback: Callback) -> LlmExecutionFn {
    Arc::new(move |name, request, #[cfg(from_0_10)] context, next| {
        let (callback, name) = (callback.clone(), name.to_owned());
        Box::pin(async move {
            let codecs = told_codecs!(context);
            let proceed = move |argument| Ok(next(typed("next", argument)?));
            let playing = callback.llm_execution(&name, as_json(&request)?, codecs, proceed, failure);
            playing.await.map_err(ended("answer"))
        })
    })
}

pub fn llm_stream(source: Source) -> LlmStreamExecutionFn {
    Arc::new(move |_name, request, #[cfg(from_0_10)] context, next| {
        let source = source.clone();
        Box::pin(async move {
            let argument = as_json(&request)?;
            let given = with_codecs(told_codecs!(context), object([("request", argument.clone())]));
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
    answering!(callback, |request, context| {
        let codec = context.resolve_codec();
        let (told, given) = (codec_json(context.codec(), codec.is_some())?, as_json(&request)?);
        let played = handed(Asked::Request(request, codec), || callback.llm_sanitize_request(given, told));
        played.map_err(FlowError::Internal)
    })
}

pub fn llm_sanitize_response(callback: Callback) -> LlmSanitizeResponseFn {
    answering!(callback, |response, context| {
        let codec = context.resolve_codec();
        let (told, given) = (codec_json(context.codec(), codec.is_some())?, response.clone());
        let played = handed(Asked::Response(response, codec), || callback.llm_sanitize_response(given, told));
        played.map_err(raised("sanitized response"))
    })
}

pub fn tool_request(callback: Callback) -> ToolInterceptFn {
    answering!(callback, |name, args| callback.tool_request(&name, args).await.map_err(raised("args")))
}

/// A sanitizer that is given a name and one value, which it answers with.
pub fn tool_sanitize(callback: Callback, argument: &'static str) -> ToolInterceptFn {
    answering!(callback, |name, value| callback.tool(&name, argument, value).map_err(raised(argument)))
}

pub fn tool_conditional(callback: Callback) -> ToolConditionalFn {
    answering!(callback, |name, args| callback.tool_conditional(&name, args).await.map_err(FlowError::Internal))
}

pub fn tool_execution(callback: Callback) -> ToolExecutionFn {
    answering!(callback, |context, next| {
        let (name, id) = (context.tool_name().to_owned(), context.tool_call_id().map(str::to_owned));
        let proceed = move |argument| {
            let answer = next(argument);
            Ok(async move { result_json(&answer.await?) })
        };
        let playing = callback.tool_execution(&name, id.as_deref(), context.into_args(), proceed, failure);
        playing.await.map_err(ended("intercept outcome"))
    })
}

pub fn event_fields(callback: Callback) -> EventSanitizeFn {
    answering!(callback, |event, fields| {
        callback.event_fields(event_json(&event)?, as_json(&fields)?).map_err(FlowError::Internal)
    })
}

pub fn event_metadata(callback: Callback) -> EventMetadataInjectorFn {
    answering!(callback, |event| callback.event_metadata(event_json(&event)?).map_err(FlowError::Internal))
}
