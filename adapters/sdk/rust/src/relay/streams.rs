//! A stream that a program reads, and the callbacks that collect its chunks.
//!
//! Enters: what the binding gives its reader. Leaves: records of it. Must not know any binding's types.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::json::{Json, object};
use crate::relay::callback::{Callback, Raised};
use crate::relay::callee::RequestCodec;
use crate::relay::recorder::Recorder;
use crate::relay::refusal::Refusal;
use crate::relay::scenario::{How, Op};
use crate::relay::source::{Flows, Source};

/// How long a stream that has ended, or was dropped, may take until its callbacks have ended too.
const SETTLING: Duration = Duration::from_secs(1);

/// The callbacks of one stream call.
pub struct Parts {
    /// The provider.
    pub source: Source,
    /// What is given each chunk.
    pub collector: Collector,
    /// What is asked at the end.
    pub finalizer: Finalizer,
    /// The call's codec, where there is one.
    pub codec: Option<RequestCodec>,
}

/// A stream's collector.
pub struct Collector(pub(crate) Callback);

impl Collector {
    /// Plays the collector for one chunk; the error is the text to end with.
    pub fn take(&self, chunk: Json) -> Result<(), String> {
        let Self(callback) = self;
        callback.play::<Json>(&object([("chunk", chunk)]), Json::Null).map(drop).map_err(text_of)
    }

    /// Whether some entry is to fail.
    pub fn raises(&self) -> bool {
        raises(&self.0)
    }
}

/// A stream's finalizer.
pub struct Finalizer {
    pub(crate) callback: Callback,
    /// It has come to its end; a binding may call it on a thread of its own.
    pub(crate) ran: Arc<AtomicBool>,
}

impl Finalizer {
    /// Plays the finalizer; returns what it makes of the stream. The error is the text to end with.
    pub fn finish(self) -> Result<Json, String> {
        let made = self.callback.play(&object([]), object([("done", true.into())]));
        self.ran.store(true, Ordering::SeqCst);
        made.map_err(text_of)
    }

    /// Whether it is to fail.
    pub fn raises(&self) -> bool {
        raises(&self.callback)
    }
}

fn raises(callback: &Callback) -> bool {
    let fails = |op: &Op| matches!(op, Op::Raise { .. });
    callback.ops.iter().any(|op| match op {
        Op::Each { ops } => ops.iter().flatten().any(fails),
        op => fails(op),
    })
}

fn text_of(raised: Raised) -> String {
    match raised {
        Raised::Scripted(text) | Raised::Refused(text) => text,
    }
}

/// A stream of a binding, as a program reads it; dropped, it is forgotten.
pub trait Reader: Send {
    /// Returns the next chunk, or nothing at the end.
    fn next(&mut self) -> Result<Option<Json>, Refusal>;

    /// Closes it.
    fn close(&mut self) -> Result<(), Refusal>;
}

/// A stream that a program has opened.
pub struct OpenStream {
    reader: Option<Box<dyn Reader>>,
    finalized: Arc<AtomicBool>,
    flows: Flows,
    ended: bool,
}

impl OpenStream {
    pub fn new(reader: Box<dyn Reader>, finalized: Arc<AtomicBool>, flows: Flows) -> Self {
        Self { reader: Some(reader), finalized, flows, ended: false }
    }

    /// Reads `n` chunks, or all; records each. The error is what the binding gives its reader.
    pub fn read(
        &mut self,
        step: &str,
        n: Option<u64>,
        recorder: &Recorder,
        flush: impl FnOnce() -> Result<(), Refusal>,
    ) -> Result<Json, Refusal> {
        let got = self.read_on(step, n, recorder);
        self.ended |= got.is_err();
        let flushed = if self.ended { self.settle(flush) } else { Ok(()) };
        got.and(flushed).map(|()| object([("ended", self.ended.into())]))
    }

    fn read_on(&mut self, step: &str, n: Option<u64>, recorder: &Recorder) -> Result<(), Refusal> {
        let mut count = 0;
        while let Some(reader) = self.reader.as_mut().filter(|_| !self.ended && n.is_none_or(|n| count < n)) {
            match reader.next()? {
                Some(chunk) => recorder.read(step, chunk),
                None => self.ended = true,
            }
            count += 1;
        }
        Ok(())
    }

    /// Closes the stream, or forgets it, and waits until its callbacks have ended.
    pub fn close(&mut self, how: How, flush: impl FnOnce() -> Result<(), Refusal>) -> Result<(), Refusal> {
        self.ended = true;
        let closed = match (how, &mut self.reader) {
            (How::Close, Some(reader)) => reader.close(),
            _ => {
                self.reader = None;
                Ok(())
            }
        };
        let flushed = self.settle(flush);
        closed.and(flushed)
    }

    fn settle(&self, flush: impl FnOnce() -> Result<(), Refusal>) -> Result<(), Refusal> {
        let deadline = Instant::now() + SETTLING;
        let is_busy = || self.flows.load(Ordering::SeqCst) > 0 || !self.finalized.load(Ordering::SeqCst);
        while is_busy() && Instant::now() < deadline {
            sleep(Duration::from_millis(1));
        }
        flush()
    }
}
