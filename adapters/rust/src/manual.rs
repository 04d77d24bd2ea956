//! Scopes, manual calls and marks.

use std::sync::Arc;

use bindproof_adapter::relay::{End, Kind, Mark, Refusal, Start};
use bindproof_adapter::{Json, Stop, object};
use chrono::{DateTime, Utc};
use nemo_relay::api::llm::{LlmAttributes, LlmCallEndParams, LlmCallParams, LlmHandle, llm_call, llm_call_end};
use nemo_relay::api::scope::{
    EmitMarkEventParams, EmitMetricEventParams, PopScopeParams, PushScopeParams, ScopeAttributes, ScopeHandle, event,
    metric, pop_scope, push_scope,
};
use nemo_relay::api::tool::{
    ToolAttributes, ToolCallEndParams, ToolCallParams, ToolExecutionResult, ToolHandle, tool_call, tool_call_end,
};

use serde_json::json;

use crate::codec::response_codec;
use crate::json::{as_json, refused, typed};

/// What was started.
#[derive(Clone)]
pub enum Handle {
    Scope(ScopeHandle),
    Llm(LlmHandle),
    Tool(ToolHandle),
}

/// Pushes a scope, or starts a manual call.
pub fn start(step: &Start, parent: Option<&ScopeHandle>) -> Result<Handle, Refusal> {
    match step.kind {
        Kind::Scope => {
            let scope_type = typed("type", step.scope_type.clone())?;
            let mut params = PushScopeParams::builder().name(&step.name).scope_type(scope_type).build();
            params.attributes = ScopeAttributes::from_bits_truncate(bits(&step.attributes));
            params.timestamp = moment(step.timestamp)?;
            params.input.clone_from(&step.input);
            params.data.clone_from(&step.data);
            params.metadata.clone_from(&step.metadata);
            params.parent = parent;
            push_scope(params).map(Handle::Scope)
        }
        Kind::Llm => {
            let request = typed("request", step.request.clone())?;
            let mut params = LlmCallParams::builder().name(&step.name).request(&request).build();
            params.attributes = LlmAttributes::from_bits_truncate(bits(&step.attributes));
            params.timestamp = moment(step.timestamp)?;
            params.model_name.clone_from(&step.model);
            params.data.clone_from(&step.data);
            params.metadata.clone_from(&step.metadata);
            params.parent = parent;
            llm_call(params).map(Handle::Llm)
        }
        Kind::Tool => {
            let mut params = ToolCallParams::builder().name(&step.name).args(step.args.clone()).build();
            params.attributes = ToolAttributes::from_bits_truncate(bits(&step.attributes));
            params.timestamp = moment(step.timestamp)?;
            params.tool_call_id.clone_from(&step.tool_call_id);
            params.data.clone_from(&step.data);
            params.metadata.clone_from(&step.metadata);
            params.parent = parent;
            tool_call(params).map(Handle::Tool)
        }
    }
    .map_err(refused)
}

/// Pops a scope, or ends a manual call.
pub fn end(step: &End, of: &Handle) -> Result<(), Refusal> {
    match of {
        Handle::Scope(scope) => {
            let mut params = PopScopeParams::builder().handle_uuid(&scope.uuid).build();
            params.timestamp = moment(step.timestamp)?;
            params.output = given(&step.output);
            params.metadata.clone_from(&step.metadata);
            pop_scope(params)
        }
        Handle::Llm(handle) => {
            let mut params = LlmCallEndParams::builder().handle(handle).response(step.output.clone()).build();
            params.annotated_response = typed::<Option<_>>("end.annotation", step.annotation.clone())?.map(Arc::new);
            params.response_codec = response_codec(step.response_codec.as_deref())?;
            params.timestamp = moment(step.timestamp)?;
            params.data.clone_from(&step.data);
            params.metadata.clone_from(&step.metadata);
            llm_call_end(params)
        }
        Handle::Tool(handle) => {
            let mut result = ToolExecutionResult::new(step.output.clone());
            result.annotation = given(&step.annotation);
            let mut params = ToolCallEndParams::builder().handle(handle).execution_result(result).build();
            params.timestamp = moment(step.timestamp)?;
            params.data.clone_from(&step.data);
            params.metadata.clone_from(&step.metadata);
            tool_call_end(params)
        }
    }
    .map_err(refused)
}

/// Returns what a handle says.
pub fn told(handle: &Handle) -> Result<Json, Refusal> {
    macro_rules! said {
        ($of:ident) => {
            object([
                ("uuid", json!($of.uuid)),
                ("parent_uuid", json!($of.parent_uuid)),
                ("name", json!($of.name)),
                ("attributes", named($of.attributes.iter_names())),
                ("data", json!($of.data)),
                ("metadata", json!($of.metadata)),
            ])
        };
    }
    Ok(match handle {
        Handle::Scope(scope) => {
            let mut found = said!(scope);
            found["type"] = as_json(&scope.scope_type).map_err(refused)?;
            found
        }
        Handle::Llm(call) => said!(call),
        Handle::Tool(call) => said!(call),
    })
}

/// Returns the names of attributes, as the suite has them.
fn named<T>(set: impl Iterator<Item = (&'static str, T)>) -> Json {
    set.map(|(name, _)| name.to_lowercase()).collect()
}

/// Emits a mark.
pub fn mark(step: &Mark, parent: Option<&ScopeHandle>) -> Result<(), Refusal> {
    let mut params = EmitMarkEventParams::builder().name(&step.name).build();
    params.timestamp = moment(step.timestamp)?;
    params.data.clone_from(&step.data);
    params.metadata.clone_from(&step.metadata);
    params.data_schema = typed("data_schema", step.data_schema.clone())?;
    params.severity = typed("severity", step.severity.clone())?;
    params.parent = parent;
    event(params).map_err(refused)
}

/// Emits a group of measurements.
pub fn emit(step: &Mark, measurements: &Json, parent: Option<&ScopeHandle>) -> Result<(), Refusal> {
    let group = typed("measurements", measurements.clone())?;
    let mut params = EmitMetricEventParams::builder().name(&step.name).measurements(group).build();
    params.timestamp = moment(step.timestamp)?;
    params.metadata.clone_from(&step.metadata);
    params.parent = parent;
    metric(params).map_err(refused)
}

/// Returns the scope that a step names.
pub fn scope_of(handle: &Handle) -> Result<&ScopeHandle, Stop> {
    match handle {
        Handle::Scope(scope) => Ok(scope),
        _ => Err(Stop::Fault("a manual call is no scope".into())),
    }
}

/// Returns attributes as the numbers that the crate's types are made of: which of the two that a kind may have.
pub fn bits(attributes: &[String]) -> u32 {
    let bit = |name: &String| if matches!(name.as_str(), "relocatable" | "streaming") { 2 } else { 1 };
    attributes.iter().map(bit).fold(0, |all, one| all | one)
}

fn moment(timestamp: Option<i64>) -> Result<Option<DateTime<Utc>>, Stop> {
    let outside = || Stop::inexpressible("timestamp", "the crate's type has no such time");
    timestamp.map(|micros| DateTime::from_timestamp_micros(micros).ok_or_else(outside)).transpose()
}

fn given(value: &Json) -> Option<Json> {
    (!value.is_null()).then(|| value.clone())
}
