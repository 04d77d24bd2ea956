//! The crate's objects that a program builds and no callback is given, and what they say when they are asked.

use bindproof_adapter::{Json, Stop, object};
use nemo_relay::api::event::MetricMeasurement;
use nemo_relay::api::runtime::PropagationContext;
use nemo_relay::codec::request::AnnotatedLlmRequest;
use nemo_relay::codec::response::AnnotatedLlmResponse;
use nemo_relay::error::Result as Told;
use serde::Serialize;

use crate::json::{as_json, typed};
use crate::members::{Members, PATH};

const REQUEST: [&str; 7] = ["messages", "instructions", "model", "params", "tools", "tool_choice", "api_specific"];
const RESPONSE: [&str; 8] =
    ["id", "model", "message", "tool_calls", "finish_reason", "usage", "api_specific", "optimization_summary"];
const MEASUREMENT: [&str; 8] =
    ["name", "kind", "value_type", "value", "unit", "description", "attributes", "boundaries"];
#[cfg(from_0_10)]
const CONTEXT: [&str; 5] = ["parent_uuid", "root_uuid", "version", "traceparent", "tracestate"];
#[cfg(not(from_0_10))]
const CONTEXT: [&str; 3] = ["parent_uuid", "root_uuid", "version"];

/// Builds the annotation of a request; returns what it says.
pub fn of_request(members: &mut Members) -> Result<Told<Json>, Stop> {
    let made = AnnotatedLlmRequest {
        messages: members.needed("messages")?,
        instructions: members.one("instructions")?,
        model: members.one("model")?,
        params: members.one("params")?,
        tools: members.one("tools")?,
        tool_choice: members.one("tool_choice")?,
        api_specific: members.one("api_specific")?,
        extra: members.rest(),
        ..AnnotatedLlmRequest::default()
    };
    let asked = object([
        ("system_prompt", made.system_prompt().into()),
        ("last_user_message", made.last_user_message().into()),
        ("has_tool_calls", made.has_tool_calls().into()),
    ]);
    Ok(whole(&REQUEST, &made, Some(asked)))
}

/// Builds the annotation of an answer; returns what it says.
pub fn of_response(members: &mut Members) -> Result<Told<Json>, Stop> {
    let made = AnnotatedLlmResponse {
        id: members.one("id")?,
        model: members.one("model")?,
        message: members.one("message")?,
        tool_calls: members.one("tool_calls")?,
        finish_reason: members.one("finish_reason")?,
        usage: members.one("usage")?,
        api_specific: members.one("api_specific")?,
        extra: members.rest(),
        ..AnnotatedLlmResponse::default()
    };
    let asked =
        object([("response_text", made.response_text().into()), ("has_tool_calls", made.has_tool_calls().into())]);
    Ok(whole(&RESPONSE, &made, Some(asked)))
}

/// Builds a measurement of a group; returns what it says.
pub fn measurement(members: &mut Members) -> Result<Told<Json>, Stop> {
    let made = MetricMeasurement {
        name: members.needed("name")?,
        kind: members.needed("kind")?,
        value_type: members.needed("value_type")?,
        value: members.needed("value")?,
        unit: members.one("unit")?,
        description: members.one("description")?,
        attributes: members.one("attributes")?,
        boundaries: members.one("boundaries")?,
    };
    Ok(whole(&MEASUREMENT, &made, None))
}

/// Builds a propagation context; returns what it says. Releases differ in its fields.
pub fn propagation_context(members: &mut Members) -> Result<Told<Json>, Stop> {
    let mut stated = members.rest();
    stated.entry("version").or_insert_with(|| PropagationContext::VERSION.into());
    let made: PropagationContext = typed(PATH, Json::Object(stated))?;
    let asked = object([("to_traceparent", made.to_traceparent().ok().into())]);
    Ok(whole(&CONTEXT, &made, Some(asked)))
}

/// Returns all that an annotation says, null where it says nothing, and what it answered.
fn whole(members: &[&str], made: &impl Serialize, asked: Option<Json>) -> Told<Json> {
    let mut said = as_json(made)?;
    for member in members {
        said[*member] = said[*member].take();
    }
    if let Some(asked) = asked {
        said["asked"] = asked;
    }
    Ok(said)
}
