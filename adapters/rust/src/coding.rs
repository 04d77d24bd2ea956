//! Codecs that are asked themselves: the crate's own by a program, and by a sanitizer the one that it gets.
//!
//! Enters: steps that ask a codec, what a sanitizer is handed. Leaves: what codecs answered, as JSON. Must not know
//! scenarios.

use std::cell::RefCell;
use std::sync::Arc;

use bindproof_adapter::relay::{Decode, Encode, Refusal, RequestCodec, Side, no_codec};
use bindproof_adapter::{Json, Stop};
use nemo_relay::api::llm::LlmRequest;
use nemo_relay::codec::traits::{LlmCodec, LlmResponseCodec};
use nemo_relay::error::Result as Told;

use crate::codec::{request_codec, response_codec};
use crate::json::{as_json, refused, typed};

/// A payload, and the codec that reads it, where there is one.
#[derive(Clone)]
pub enum Asked {
    Request(LlmRequest, Option<Arc<dyn LlmCodec>>),
    Response(Json, Option<Arc<dyn LlmResponseCodec>>),
}

thread_local! {
    /// What the sanitizer was handed that runs on this thread now.
    static HANDED: RefCell<Option<Asked>> = const { RefCell::new(None) };
}

/// Keeps what a sanitizer was handed while it runs.
pub fn handed<T>(given: Asked, run: impl FnOnce() -> T) -> T {
    let before = HANDED.replace(Some(given));
    let answer = run();
    HANDED.set(before);
    answer
}

/// Returns what a codec reads of a request or of a response; null where a sanitizer gets none.
pub fn decode(step: &Decode) -> Result<Json, Refusal> {
    match asked(&step.codec, step.side, &step.payload)? {
        Asked::Request(request, codec) => answered(codec, |codec| as_json(&codec.decode(&request)?)),
        Asked::Response(response, codec) => answered(codec, |codec| as_json(&codec.decode_response(&response)?)),
    }
}

/// Returns the request into which a codec writes an annotation; null where a sanitizer gets no codec.
pub fn encode(step: &Encode) -> Result<Json, Refusal> {
    let annotated = typed("annotation", step.annotation.clone())?;
    match asked(&step.codec, Side::Request, &step.payload)? {
        Asked::Request(request, codec) => answered(codec, |codec| as_json(&codec.encode(&annotated, &request)?)),
        Asked::Response(..) => Err(Stop::Fault("the codec of a response writes nothing".into()).into()),
    }
}

/// Returns the codec of a step, and what it is to read, as the crate has both.
fn asked(codec: &str, side: Side, payload: &Json) -> Result<Asked, Stop> {
    Ok(match side {
        _ if codec == "own" => {
            let given = HANDED.with_borrow(Clone::clone);
            given.ok_or_else(|| Stop::Fault("no sanitizer runs that gets a codec of its own".into()))?
        }
        Side::Request => {
            let built_in = request_codec(RequestCodec::BuiltIn(codec.into()))?;
            Asked::Request(typed("request", payload.clone())?, Some(built_in))
        }
        Side::Response => Asked::Response(payload.clone(), response_codec(Some(codec)).map_err(|_| no_codec(codec))?),
    })
}

fn answered<C: ?Sized>(codec: Option<Arc<C>>, ask: impl FnOnce(&C) -> Told<Json>) -> Result<Json, Refusal> {
    codec.map_or(Ok(Json::Null), |codec| ask(&codec)).map_err(refused)
}
