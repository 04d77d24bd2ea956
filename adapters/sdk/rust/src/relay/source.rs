//! A callback that hands over chunks: a stream's provider, or an intercept around one.
//!
//! Enters: ops, and what the binding gave, as JSON. Leaves: a stream of chunks for the binding, records of them. Must not
//! know any binding's types.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use serde_json::json;

use crate::json::Json;
use crate::relay::around::Broken;
use crate::relay::callback::Callback;
use crate::relay::recorder::Over;
use crate::relay::refusal::Failure;
use crate::relay::scenario::{Edit, Next, Op};
use crate::relay::script::{Halt, apply, edit, place};
use crate::relay::values::{Unresolved, resolve};
use crate::signals::Stop;

/// Chunks as a binding hands them over.
pub type Chunks<E> = Pin<Box<dyn Stream<Item = Result<Json, E>> + Send>>;

/// Chunks that are asked for.
pub type Opening<E> = Pin<Box<dyn Future<Output = Result<Chunks<E>, E>> + Send>>;

/// How many streams of callbacks have begun and not ended.
pub(crate) type Flows = Arc<AtomicUsize>;

/// What a stream's intercept wraps.
pub struct Wrapped<E> {
    /// What `next` goes on with unless it is edited.
    pub argument: Json,
    /// Goes on with an argument; a stop says that the binding's types cannot say it.
    pub proceed: Box<dyn Fn(Json) -> Result<Opening<E>, Stop> + Send + Sync>,
    /// What a failure is to a program.
    pub said: fn(&E) -> Failure,
}

/// A callback that hands over chunks. The ops before the first `yield` are done when it is called, the others when its
/// stream is read.
#[derive(Clone)]
pub struct Source {
    pub(crate) callback: Callback,
    pub(crate) flows: Flows,
}

impl Source {
    /// Plays a provider: returns its stream, or the error that it ends with, which `raise` makes of a text.
    pub fn open<E>(&self, given: Json, raise: fn(String) -> E) -> Result<Flow<E>, E> {
        let entry = Entry::new(self, given, None, raise);
        let early = self.early();
        for (index, op) in self.callback.ops[..early].iter().enumerate() {
            entry.apply(op, index).map_err(|broken| entry.raised(broken))?;
        }
        entry.leave();
        let mut flow = Flow::new(entry, self, early, None);
        if early == self.callback.ops.len() {
            flow.chunks.extend([json!({"i": 0}), json!({"i": 1})]);
        }
        Ok(flow)
    }

    /// Plays an intercept; returns its stream, or the error that it ends with.
    pub async fn wrap<E>(&self, given: Json, wrapped: Wrapped<E>, raise: fn(String) -> E) -> Result<Flow<E>, E> {
        let entry = Entry::new(self, given, Some(wrapped), raise);
        match self.go_on(&entry).await {
            Ok(inner) => {
                entry.leave();
                Ok(Flow::new(entry, self, self.early(), inner))
            }
            Err(broken) => Err(entry.raised(broken)),
        }
    }

    async fn go_on<E>(&self, entry: &Entry<E>) -> Result<Option<Inner<E>>, Broken<E>> {
        let (ops, mut inner) = (&self.callback.ops, None);
        if !ops.iter().any(|op| matches!(op, Op::Next(_))) {
            let as_given = Next { edits: vec![Edit::default()], catch: false, at_once: false };
            if let Some(asked) = entry.ask(&as_given, "")? {
                inner = entry.answered(asked.opening.await, asked.catch)?;
            }
        }
        for (index, op) in ops[..self.early()].iter().enumerate() {
            match op {
                Op::Edit(_) => {}
                Op::Next(next) => {
                    if let Some(asked) = entry.ask(next, &place(&self.callback.name, index))? {
                        inner = entry.answered(asked.opening.await, asked.catch)?;
                    }
                }
                other => entry.apply(other, index)?,
            }
        }
        Ok(inner)
    }

    /// How many ops are done when it is called.
    fn early(&self) -> usize {
        let ops = &self.callback.ops;
        ops.iter().position(|op| matches!(op, Op::Yield { .. } | Op::Hang)).unwrap_or(ops.len())
    }
}

/// One entry of a source.
struct Entry<E> {
    callback: Callback,
    k: u64,
    given: Json,
    wrapped: Option<Wrapped<E>>,
    raise: fn(String) -> E,
}

struct Asked<E> {
    opening: Opening<E>,
    catch: bool,
}

struct Inner<E> {
    chunks: Chunks<E>,
    catch: bool,
}

impl<E> Entry<E> {
    fn new(source: &Source, given: Json, wrapped: Option<Wrapped<E>>, raise: fn(String) -> E) -> Self {
        let callback = source.callback.clone();
        let k = callback.recorder.enter(&callback.name, &given);
        Self { callback, k, given, wrapped, raise }
    }

    fn leave(&self) {
        self.callback.recorder.leave(&self.callback.name, self.k, Json::Null);
    }

    fn apply(&self, op: &Op, index: usize) -> Result<(), Halt> {
        let act = |op: &Op| self.callback.act_inside(op);
        apply(op, &mut Json::Null, &|name| self.known(name), &act, &place(&self.callback.name, index))
    }

    /// Records that the callback is about to fail; returns the error to end with.
    fn raised(&self, broken: impl Into<Broken<E>>) -> E {
        match broken.into() {
            Broken::Halt(halt) => (self.raise)(self.callback.halted(self.k, halt)),
            Broken::Passed(error) => {
                self.callback.recorder.raising(&self.callback.name, self.k, &self.message(&error));
                error
            }
        }
    }

    /// Begins to go on with what it wraps, where the op asks for that.
    fn ask(&self, next: &Next, place: &str) -> Result<Option<Asked<E>>, Halt> {
        let nothing = || Halt::Stop(Stop::Fault(format!("{place}: there is nothing to go on with")));
        let wrapped = self.wrapped.as_ref().ok_or_else(nothing)?;
        let Some(changes) = next.edits.first() else { return Ok(None) };
        let mut argument = wrapped.argument.clone();
        edit(changes, &mut argument, &|name| self.known(name), place)?;
        self.callback.recorder.asking(&self.callback.name, self.k, argument.clone());
        let opening = (wrapped.proceed)(argument).map_err(Halt::Stop)?;
        Ok(Some(Asked { opening, catch: next.catch }))
    }

    /// Records what going on gave; returns the chunks, or nothing where a failure is caught.
    fn answered(&self, opened: Result<Chunks<E>, E>, catch: bool) -> Result<Option<Inner<E>>, Broken<E>> {
        let outcome = opened.as_ref().map(|_| Json::Null).map_err(|error| self.said(error));
        self.callback.recorder.answered(&self.callback.name, self.k, outcome);
        match opened {
            Ok(chunks) => Ok(Some(Inner { chunks, catch })),
            Err(_) if catch => Ok(None),
            Err(error) => Err(Broken::Passed(error)),
        }
    }

    /// Returns a chunk of what is wrapped as the ops `edit` leave it.
    fn changed(&self, mut chunk: Json) -> Result<Json, Halt> {
        for (index, op) in self.callback.ops.iter().enumerate() {
            if let Op::Edit(changes) = op {
                edit(changes, &mut chunk, &|name| self.known(name), &place(&self.callback.name, index))?;
            }
        }
        Ok(chunk)
    }

    fn known(&self, name: &str) -> Option<Json> {
        if name == "given" { Some(self.given.clone()) } else { self.callback.recorder.value(name) }
    }

    fn said(&self, error: &E) -> Failure {
        let wrapped = self.wrapped.as_ref().expect("only what is wrapped fails by itself");
        (wrapped.said)(error)
    }

    fn message(&self, error: &E) -> String {
        self.said(error).message
    }
}

/// The chunks of one entry of a source; dropped before its end, it is closed.
pub struct Flow<E> {
    entry: Entry<E>,
    flows: Flows,
    at: usize,
    chunks: VecDeque<Json>,
    asked: Option<Asked<E>>,
    inner: Option<Inner<E>>,
    is_over: bool,
}

impl<E> Flow<E> {
    fn new(entry: Entry<E>, source: &Source, at: usize, inner: Option<Inner<E>>) -> Self {
        source.flows.fetch_add(1, Ordering::SeqCst);
        let flows = Arc::clone(&source.flows);
        Self { entry, flows, at, chunks: VecDeque::new(), asked: None, inner, is_over: false }
    }

    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Json>, Broken<E>>> {
        loop {
            if let Some(asked) = &mut self.asked {
                let (opened, catch) = (ready!(asked.opening.as_mut().poll(context)), asked.catch);
                self.asked = None;
                self.inner = self.entry.answered(opened, catch)?;
            } else if let Some(inner) = &mut self.inner {
                match ready!(inner.chunks.as_mut().poll_next(context)) {
                    Some(Ok(chunk)) => return Poll::Ready(Ok(Some(self.entry.changed(chunk)?))),
                    Some(Err(error)) if !inner.catch => return Poll::Ready(Err(Broken::Passed(error))),
                    Some(Err(_)) | None => self.inner = None,
                }
            } else if let Some(chunk) = self.chunks.pop_front() {
                return Poll::Ready(Ok(Some(chunk)));
            } else if let Some(op) = self.entry.callback.ops.get(self.at) {
                let place = place(&self.entry.callback.name, self.at);
                match op {
                    Op::Hang => return Poll::Pending,
                    Op::Edit(_) => {}
                    Op::Yield { chunks } => self.chunks = self.resolved(chunks, &place)?,
                    Op::Next(next) => self.asked = self.entry.ask(next, &place)?,
                    other => self.entry.apply(other, self.at)?,
                }
                self.at += 1;
            } else {
                return Poll::Ready(Ok(None));
            }
        }
    }

    fn resolved(&self, chunks: &[Json], place: &str) -> Result<VecDeque<Json>, Halt> {
        let halt = |error| match error {
            Unresolved::Place(missing) => Halt::Stop(Stop::Fault(format!("{place}: {}", missing.0))),
            Unresolved::Stop(stop) => Halt::Stop(stop),
        };
        chunks.iter().map(|chunk| resolve(chunk, &|name: &str| self.entry.known(name)).map_err(halt)).collect()
    }

    fn end(&mut self, how: Over<'_>) {
        let Callback { recorder, name, .. } = &self.entry.callback;
        recorder.over(name, self.entry.k, how);
        self.is_over = true;
        self.flows.fetch_sub(1, Ordering::SeqCst);
    }
}

impl<E> Stream for Flow<E> {
    type Item = Result<Json, E>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Json, E>>> {
        let flow = self.get_mut();
        if flow.is_over {
            return Poll::Ready(None);
        }
        Poll::Ready(match ready!(flow.poll_chunk(context)) {
            Ok(Some(chunk)) => {
                let Callback { recorder, name, .. } = &flow.entry.callback;
                recorder.chunk(name, flow.entry.k, chunk.clone());
                Some(Ok(chunk))
            }
            Ok(None) => {
                flow.end(Over::Ended);
                None
            }
            Err(Broken::Passed(error)) => {
                flow.end(Over::Raised(&flow.entry.message(&error)));
                Some(Err(error))
            }
            Err(Broken::Halt(halt)) => {
                let text = match halt {
                    Halt::Raised(text) => text,
                    Halt::Stop(stop) => {
                        flow.entry.callback.recorder.stop(stop.clone());
                        stop.to_string()
                    }
                };
                flow.end(Over::Raised(&text));
                Some(Err((flow.entry.raise)(text)))
            }
        })
    }
}

impl<E> Drop for Flow<E> {
    fn drop(&mut self) {
        if !self.is_over {
            self.end(Over::Closed);
        }
    }
}

#[cfg(test)]
mod tests;
