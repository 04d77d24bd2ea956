//! A request codec whose two methods are scripted callbacks.

use bindproof_adapter::{Callback, Json, decoded, encoded, object};
use nemo_relay::api::llm::LlmRequest;
use nemo_relay::codec::request::AnnotatedLlmRequest;
use nemo_relay::codec::traits::LlmCodec;
use nemo_relay::error::Result;

use crate::json::{as_json, raised};

/// What `decode` and `encode` of a call's codec do.
pub struct Scripted {
    pub decode: Callback,
    pub encode: Callback,
}

impl LlmCodec for Scripted {
    fn decode(&self, request: &LlmRequest) -> Result<AnnotatedLlmRequest> {
        let request = as_json(request)?;
        let natural = decoded(&request);
        self.decode.play(&object([("request", request)]), natural).map_err(raised("codec decode"))
    }

    fn encode(&self, annotated: &AnnotatedLlmRequest, original: &LlmRequest) -> Result<LlmRequest> {
        let (annotated, original): (Json, Json) = (as_json(annotated)?, as_json(original)?);
        let natural = encoded(&annotated, &original);
        self.encode
            .play(&object([("annotated_request", annotated), ("original", original)]), natural)
            .map_err(raised("codec encode"))
    }
}
