//! The crate's values and errors as JSON, and back.

use std::fmt::{Debug, Display};

use bindproof_adapter::relay::{Ended, Failure, Raised, Refusal};
use bindproof_adapter::{Json, Stop, object};
use nemo_relay::api::event::Event;
#[cfg(from_0_10)]
use nemo_relay::api::runtime::LlmExecutionContext;
use nemo_relay::api::tool::ToolExecutionResult;
use nemo_relay::error::{FlowError, Result};
use nemo_relay::plugin::PluginError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Returns one of the crate's values as JSON.
pub fn as_json(value: &impl Serialize) -> Result<Json> {
    serde_json::to_value(value).map_err(unreadable)
}

/// Returns an event as the crate serialises it.
pub fn event_json(event: &Event) -> Result<Json> {
    event.try_to_json_value().map_err(unreadable)
}

/// Returns a tool's result with both its keys.
pub fn result_json(result: &ToolExecutionResult) -> Result<Json> {
    Ok(object([("result", result.result.clone()), ("annotation", as_json(&result.annotation)?)]))
}

/// Returns which codec a sanitizer is told of; `resolves` is whether it can get the codec itself.
pub fn codec_json(identity: &impl Serialize, resolves: bool) -> Result<Json> {
    let told = as_json(identity)?;
    Ok(object([("kind", told["kind"].clone()), ("id", told["id"].clone()), ("resolves", resolves.into())]))
}

/// Returns of which codecs what wraps an LLM's execution is told.
#[cfg(from_0_10)]
pub fn codecs_json(context: &LlmExecutionContext) -> Result<Json> {
    let request = context.request_codec();
    let request = codec_json(request.codec(), request.resolve_codec().is_some())?;
    let response = context.response_codec().map(|told| codec_json(told.codec(), told.resolve_codec().is_some()));
    Ok(object([("request", request), ("response", response.transpose()?.unwrap_or_default())]))
}

/// Returns a value of one of the crate's types; `path` is the place where JSON says what that type cannot.
pub fn typed<T: DeserializeOwned>(path: &str, value: Json) -> std::result::Result<T, Stop> {
    serde_json::from_value(value).map_err(|error| Stop::inexpressible(path, format!("the crate's type: {error}")))
}

/// Returns the error that a callback ends with; a refused reply is said to be that of `what`.
pub fn raised(what: &str) -> impl Fn(Raised) -> FlowError {
    move |raised| match raised {
        Raised::Scripted(text) => FlowError::Internal(text),
        Raised::Refused(text) => FlowError::Internal(format!("{what}: {text}")),
    }
}

/// Returns the error that a callback ends with which wraps an execution.
pub fn ended(what: &str) -> impl Fn(Ended<FlowError>) -> FlowError {
    move |ended| match ended {
        Ended::Raised(reply) => raised(what)(reply),
        Ended::Passed(error) => error,
    }
}

/// Returns what an error is to a program: the variant's name is what it matches on.
pub fn failure(error: &FlowError) -> Failure {
    variant_of("FlowError", error)
}

/// Returns what an error is to the caller of a step.
pub fn refused(error: FlowError) -> Refusal {
    failure(&error).into()
}

/// Returns what an error of plugins is to the caller of a step.
pub fn uninstalled(error: PluginError) -> Refusal {
    variant_of("PluginError", &error).into()
}

fn variant_of<E: Debug + Display>(kind: &str, error: &E) -> Failure {
    let shown = format!("{error:?}");
    let variant = shown.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    Failure { kind: format!("{kind}::{variant}"), message: error.to_string(), code: None }
}

fn unreadable(error: serde_json::Error) -> FlowError {
    FlowError::Internal(format!("the adapter cannot read it: {error}"))
}
