//! The steps that open streams, read them and leave them.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::relay::scenario::{Close, Read};
use crate::relay::streams::{Collector, Finalizer, Parts};

impl<B: Binding> Stage<B> {
    pub(super) fn stream(self: &Arc<Self>, step: &Call, parent: Option<&B::Handle>) -> Acted {
        let finalized = Arc::new(AtomicBool::new(false));
        let finalizer = self.callback(&format!("{}.finalizer", step.id), &step.finalizer);
        let parts = Parts {
            source: self.source(&format!("{}.source", step.id), &step.provider),
            collector: Collector(self.callback(&format!("{}.collector", step.id), &step.collector)),
            finalizer: Finalizer { callback: finalizer, ran: Arc::clone(&finalized) },
            codec: self.codec(step),
        };
        let reader = guarded(|| self.binding.open_stream(step, parent, parts))?;
        let mut stream = OpenStream::new(reader, finalized, Arc::clone(&self.flows));
        if step.drain {
            guarded(|| stream.read(&step.id, None, &self.recorder, || self.binding.flush()))?;
        }
        lock(&self.streams).insert(step.id.clone(), stream);
        Ok(Json::Null)
    }

    pub(super) fn read(&self, step: &Read) -> Acted {
        let mut streams = lock(&self.streams);
        let stream = streams.get_mut(&step.of).ok_or_else(|| self.missing(&step.id, &step.of, "opened no stream"))?;
        guarded(|| stream.read(&step.id, step.n, &self.recorder, || self.binding.flush()))
    }

    pub(super) fn close(&self, step: &Close) -> Acted {
        let mut streams = lock(&self.streams);
        let stream = streams.get_mut(&step.of).ok_or_else(|| self.missing(&step.id, &step.of, "opened no stream"))?;
        guarded(|| stream.close(step.how, || self.binding.flush())).map(|()| Json::Null)
    }
}
