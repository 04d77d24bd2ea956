//! Stream calls.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use bindproof_adapter::relay::{Call, Parts, Reader, Refusal, Stream};
use bindproof_adapter::{Json, Stop, object};
use nemo_relay::api::llm::{LlmAttributes, LlmRequest, LlmStreamCallExecuteParams, llm_stream_call_execute};
use nemo_relay::api::runtime::{LlmJsonStream, LlmStreamExecutionNextFn};
use nemo_relay::api::scope::ScopeHandle;
use nemo_relay::error::FlowError;
use tokio::runtime::Runtime;

use crate::codec::{request_codec, response_codec};
use crate::json::{as_json, refused, typed};
use crate::manual::bits;

/// Makes a managed stream call on this runtime.
pub fn open(
    runtime: &Arc<Runtime>,
    step: &Call,
    parent: Option<&ScopeHandle>,
    parts: Parts,
) -> Result<Box<dyn Reader>, Refusal> {
    let Parts { source, collector, finalizer, codec } = parts;
    if finalizer.raises() {
        return Err(Stop::inexpressible("finalizer", "a finalizer gives JSON: it cannot fail").into());
    }
    let answer: LlmStreamExecutionNextFn = Arc::new(move |request| {
        let source = source.clone();
        Box::pin(async move {
            let given = object([("request", as_json(&request)?)]);
            source.open(given, FlowError::Internal).map(LlmJsonStream::new)
        })
    });
    let mut params = LlmStreamCallExecuteParams::builder()
        .name(&step.name)
        .request(typed::<LlmRequest>("request", step.request.clone())?)
        .func(answer)
        .collector(Box::new(move |chunk| collector.take(chunk).map_err(FlowError::Internal)))
        .finalizer(Box::new(move || finalizer.finish().unwrap_or_default()))
        .build();
    params.attributes = LlmAttributes::from_bits_truncate(bits(&step.attributes));
    params.model_name.clone_from(&step.model);
    params.data.clone_from(&step.data);
    params.metadata.clone_from(&step.metadata);
    params.parent = parent.cloned();
    params.codec = codec.map(request_codec).transpose()?;
    params.response_codec = response_codec(step.response_codec.as_deref())?;
    let stream = runtime.block_on(llm_stream_call_execute(params)).map_err(refused)?;
    Ok(Box::new(Open { runtime: Arc::clone(runtime), stream: Some(stream) }))
}

/// A stream of the crate. It tells its end on the runtime that it is forgotten in.
struct Open {
    runtime: Arc<Runtime>,
    stream: Option<LlmJsonStream>,
}

impl Open {
    fn stream(&mut self) -> &mut LlmJsonStream {
        self.stream.as_mut().expect("it is there until it is dropped")
    }
}

impl Reader for Open {
    fn next(&mut self) -> Result<Option<Json>, Refusal> {
        let runtime = Arc::clone(&self.runtime);
        let chunk = runtime.block_on(poll_fn(|context| Pin::new(self.stream()).poll_next(context)));
        chunk.transpose().map_err(refused)
    }

    fn close(&mut self) -> Result<(), Refusal> {
        let runtime = Arc::clone(&self.runtime);
        runtime.block_on(self.stream().close()).map_err(refused)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let _inside = self.runtime.enter();
        self.stream = None;
    }
}
