//! The crate's objects that a program builds, by their own constructors, and what their fields say.

use bindproof_adapter::relay::{Build, Failure, Refusal};
use bindproof_adapter::{Json, Stop, object};
use nemo_relay::api::event::PendingMarkSpec;
use nemo_relay::api::llm::{LlmRequest, LlmRequestInterceptOutcome};
use nemo_relay::api::tool::{ToolExecutionInterceptOutcome, ToolExecutionResult};
use nemo_relay::error::Result as Told;

use crate::json::{as_json, refused, result_json, typed};
use crate::members::{Members, PATH};
use crate::open_objects;

/// Builds an object; returns what its fields say.
pub fn built(step: &Build) -> Result<Json, Refusal> {
    let mut members = Members::of(step.value.clone());
    let said = match step.object.as_str() {
        "request" => as_json(&request(&mut members)?),
        "mark" => as_json(&mark(&mut members)?),
        "outcome" => as_json(&outcome(&mut members)?),
        "tool_result" => result_json(&tool_result(&mut members)?),
        "tool_outcome" => tool_outcome_json(&tool_outcome(&mut members)?),
        "annotated_request" => open_objects::of_request(&mut members)?,
        "annotated_response" => open_objects::of_response(&mut members)?,
        "measurement" => open_objects::measurement(&mut members)?,
        "propagation_context" => open_objects::propagation_context(&mut members)?,
        other => return Err(Stop::unsupported("build", format!("there is no object {other:?}")).into()),
    };
    members.are_all_used()?;
    said.map_err(refused)
}

fn request(members: &mut Members) -> Result<LlmRequest, Stop> {
    Ok(LlmRequest { headers: members.needed("headers")?, content: members.needed("content")? })
}

fn mark(members: &mut Members) -> Result<PendingMarkSpec, Stop> {
    Ok(PendingMarkSpec::builder()
        .name(members.needed::<String>("name")?)
        .category_opt(members.one("category")?)
        .category_profile_opt(members.one("category_profile")?)
        .data_opt(members.one("data")?)
        .data_schema_opt(members.one("data_schema")?)
        .metadata_opt(members.one("metadata")?)
        .severity_opt(members.one("severity")?)
        .build())
}

fn marks(members: &mut Members) -> Result<Vec<PendingMarkSpec>, Stop> {
    let stated = members.several("pending_marks")?;
    stated
        .into_iter()
        .map(|value| {
            let mut members = Members::of(value);
            let mark = mark(&mut members)?;
            members.are_all_used()?;
            Ok(mark)
        })
        .collect()
}

fn outcome(members: &mut Members) -> Result<LlmRequestInterceptOutcome, Stop> {
    let mut stated = Members::of(members.needed("request")?);
    let request = request(&mut stated)?;
    stated.are_all_used()?;
    let mut outcome = LlmRequestInterceptOutcome::new(request, members.one("annotated_request")?);
    for mark in marks(members)? {
        outcome = outcome.with_pending_mark(mark);
    }
    for contribution in members.several("optimization_contributions")? {
        outcome = outcome.with_optimization_contribution(typed(PATH, contribution)?);
    }
    Ok(outcome)
}

/// Builds a tool's result in each way that the crate has; they have to come to the same.
fn tool_result(members: &mut Members) -> Result<ToolExecutionResult, Refusal> {
    let result: Json = members.needed("result")?;
    let annotation: Option<Json> = members.one("annotation")?;
    let made = match annotation.clone() {
        None => ToolExecutionResult::new(result.clone()),
        Some(annotation) => ToolExecutionResult::annotated(result.clone(), annotation),
    };
    let other = match annotation {
        None => ToolExecutionResult::annotated(result, Json::Bool(true)).without_annotation(),
        Some(annotation) => ToolExecutionResult::new(result).with_annotation(annotation),
    };
    alike(made, &other)
}

/// Builds a tool's outcome in each way that the crate has; they have to come to the same.
fn tool_outcome(members: &mut Members) -> Result<ToolExecutionInterceptOutcome, Refusal> {
    let marks = marks(members)?;
    let result = tool_result(members)?;
    let plain = ToolExecutionInterceptOutcome::new(result.result.clone());
    let (made, other) = match result.annotation.clone() {
        None => {
            let annotated = ToolExecutionInterceptOutcome::annotated(result.result.clone(), Json::Bool(true));
            (plain, annotated.without_annotation())
        }
        Some(annotation) => {
            let annotated = ToolExecutionInterceptOutcome::annotated(result.result.clone(), annotation.clone());
            (plain.with_annotation(annotation), annotated)
        }
    };
    let made = marks.into_iter().fold(alike(made, &other)?, ToolExecutionInterceptOutcome::with_pending_mark);
    alike(result, &made.clone().into_execution_result())?;
    Ok(made)
}

fn alike<T: PartialEq>(made: T, other: &T) -> Result<T, Refusal> {
    if made == *other {
        return Ok(made);
    }
    let message = "two ways to build it come to objects that differ".into();
    Err(Failure { kind: "bindproof".into(), message, code: None }.into())
}

fn tool_outcome_json(outcome: &ToolExecutionInterceptOutcome) -> Told<Json> {
    Ok(object([
        ("result", outcome.result.clone()),
        ("annotation", as_json(&outcome.annotation)?),
        ("pending_marks", as_json(&outcome.pending_marks)?),
    ]))
}
