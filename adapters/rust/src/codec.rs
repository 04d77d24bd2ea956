//! The codecs of a call. That of its request is one of the crate's own, or one whose two methods are scripted callbacks;
//! that of its answer is one of the crate's own.

use std::sync::Arc;

use bindproof_adapter::Stop;
use bindproof_adapter::relay::{Callback, RequestCodec, no_codec, no_response_codec};
use nemo_relay::api::llm::LlmRequest;
use nemo_relay::codec::anthropic::AnthropicMessagesCodec;
use nemo_relay::codec::gemini_generate_content::GeminiGenerateContentCodec;
use nemo_relay::codec::oci_genai::OCIGenAIChatCodec;
use nemo_relay::codec::openai_chat::OpenAIChatCodec;
use nemo_relay::codec::openai_responses::OpenAIResponsesCodec;
use nemo_relay::codec::request::AnnotatedLlmRequest;
use nemo_relay::codec::traits::{LlmCodec, LlmResponseCodec};
use nemo_relay::error::FlowError;

use crate::json::{as_json, raised};

/// Returns what the crate is given for a call's codec.
pub fn request_codec(codec: RequestCodec) -> Result<Arc<dyn LlmCodec>, Stop> {
    Ok(match codec {
        RequestCodec::Scripted(decode, encode) => Arc::new(Scripted { decode, encode }),
        RequestCodec::BuiltIn(name) => match name.as_str() {
            "openai_chat" => Arc::new(OpenAIChatCodec),
            "openai_responses" => Arc::new(OpenAIResponsesCodec),
            "anthropic_messages" => Arc::new(AnthropicMessagesCodec),
            "gemini_generate_content" => Arc::new(GeminiGenerateContentCodec),
            "oci_genai" => Arc::new(OCIGenAIChatCodec),
            other => return Err(no_codec(other)),
        },
    })
}

/// Returns what reads the answer of a call, where its step names one.
pub fn response_codec(name: Option<&str>) -> Result<Option<Arc<dyn LlmResponseCodec>>, Stop> {
    Ok(match name {
        None => None,
        Some("openai_chat") => Some(Arc::new(OpenAIChatCodec)),
        Some("openai_responses") => Some(Arc::new(OpenAIResponsesCodec)),
        Some("anthropic_messages") => Some(Arc::new(AnthropicMessagesCodec)),
        Some("gemini_generate_content") => Some(Arc::new(GeminiGenerateContentCodec)),
        Some("oci_genai") => Some(Arc::new(OCIGenAIChatCodec)),
        Some(other) => return Err(no_response_codec(other)),
    })
}

struct Scripted {
    decode: Callback,
    encode: Callback,
}

impl LlmCodec for Scripted {
    fn decode(&self, request: &LlmRequest) -> Result<AnnotatedLlmRequest, FlowError> {
        self.decode.decode(as_json(request)?).map_err(raised("codec decode"))
    }

    fn encode(&self, annotated: &AnnotatedLlmRequest, original: &LlmRequest) -> Result<LlmRequest, FlowError> {
        self.encode.encode(as_json(annotated)?, as_json(original)?).map_err(raised("codec encode"))
    }
}
