//! A callback that wraps an execution: it may go on with what it wraps, by the op `next`.
//!
//! Enters: what the binding gave, as JSON, and how to go on. Leaves: the reply. Must not know any binding's types.

use std::future::poll_fn;
use std::task::Poll;

use serde::de::DeserializeOwned;

use crate::json::Json;
use crate::relay::callback::{Callback, Raised};
use crate::relay::refusal::Failure;
use crate::relay::scenario::{Edit, Next, Op};
use crate::relay::script::{Halt, apply, edit, of_entry, place};
use crate::signals::Stop;

/// Why a callback that wraps an execution has to end with an error.
#[derive(Debug, PartialEq)]
pub enum Ended<E> {
    /// Its own, as of any callback.
    Raised(Raised),
    /// What it went on with failed, and it lets that pass.
    Passed(E),
}

/// What a callback wraps.
pub struct Execution<F, E> {
    /// What `next` goes on with unless it is edited.
    pub argument: Json,
    /// Makes a reply of an answer, and of nothing where nothing was asked.
    pub form: fn(Option<Json>) -> Json,
    /// Goes on with an argument; a stop says that the binding's types cannot say it.
    pub proceed: F,
    /// What a failure is to a program.
    pub said: fn(&E) -> Failure,
}

/// How going on is done: the answer as JSON, in the future.
pub trait Proceed<E>: Fn(Json) -> Result<Self::Answer, Stop> + Send + Sync {
    /// The answer.
    type Answer: Future<Output = Result<Json, E>> + Send;
}

impl<E, F, A> Proceed<E> for F
where
    F: Fn(Json) -> Result<A, Stop> + Send + Sync,
    A: Future<Output = Result<Json, E>> + Send,
{
    type Answer = A;
}

/// Why a callback that goes on with something broke off.
pub(crate) enum Broken<E> {
    Halt(Halt),
    Passed(E),
}

impl<E> From<Halt> for Broken<E> {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

impl Callback {
    /// Plays the callback as `play` does. Without an op `next` the natural reply is made of the answer to the argument.
    pub async fn wrap<T, E, F>(&self, given: Json, execution: Execution<F, E>) -> Result<T, Ended<E>>
    where
        T: DeserializeOwned,
        E: Send + Sync,
        F: Proceed<E>,
    {
        let k = self.recorder.enter(&self.name, &given);
        let mut asked = Asked { callback: self, k, given, execution, answers: Vec::new() };
        let at_work = self.at_work(k);
        let played = asked.reply().await;
        at_work.over();
        match played {
            Ok(reply) => self.hand_over(k, reply).map_err(Ended::Raised),
            Err(Broken::Halt(halt)) => Err(Ended::Raised(Raised::Scripted(self.halted(k, halt)))),
            Err(Broken::Passed(error)) => {
                self.recorder.raising(&self.name, k, &(asked.execution.said)(&error).message);
                Err(Ended::Passed(error))
            }
        }
    }
}

/// One entry of a callback, and what it asked so far.
struct Asked<'a, F, E> {
    callback: &'a Callback,
    k: u64,
    given: Json,
    execution: Execution<F, E>,
    answers: Vec<Json>,
}

impl<F: Proceed<E>, E: Send + Sync> Asked<'_, F, E> {
    async fn reply(&mut self) -> Result<Json, Broken<E>> {
        let callback = self.callback;
        let ops = of_entry(&callback.ops, self.k);
        let mut reply = (self.execution.form)(None);
        if !ops.iter().any(|op| matches!(op, Op::Next(_))) {
            let as_given = Next { edits: vec![Edit::default()], catch: false, at_once: false };
            self.ask(&as_given, &mut reply, "").await?;
        }
        for (index, op) in ops.into_iter().enumerate() {
            let place = place(&callback.name, index);
            match op {
                Op::Next(next) => self.ask(next, &mut reply, &place).await?,
                Op::Wait { latch } => callback.stand(self.k, latch).await?,
                other => {
                    let act = |op: &Op| callback.act_inside(op);
                    apply(other, &mut reply, &|name| self.known(name), &act, &place)?;
                }
            }
        }
        Ok(reply)
    }

    /// Goes on once for each edit; the last answer makes the reply.
    async fn ask(&mut self, next: &Next, reply: &mut Json, place: &str) -> Result<(), Broken<E>> {
        if next.at_once {
            let edited = next.edits.iter().map(|changes| self.edited(changes, place));
            return self.ask_at_once(edited.collect::<Result<_, _>>()?, reply).await;
        }
        for changes in &next.edits {
            let argument = self.edited(changes, place)?;
            match self.answer(argument).await {
                Ok(answer) => {
                    self.answers.push(answer.clone());
                    *reply = (self.execution.form)(Some(answer));
                }
                Err(Broken::Passed(_)) if next.catch => self.answers.push(Json::Null),
                Err(broken) => return Err(broken),
            }
        }
        Ok(())
    }

    fn edited(&self, changes: &Edit, place: &str) -> Result<Json, Halt> {
        let mut argument = self.execution.argument.clone();
        edit(changes, &mut argument, &|name| self.known(name), place)?;
        Ok(argument)
    }

    /// Goes on with all arguments, and waits then; the answers are told in the order of the arguments.
    async fn ask_at_once(&mut self, arguments: Vec<Json>, reply: &mut Json) -> Result<(), Broken<E>> {
        let (recorder, name) = (&self.callback.recorder, &self.callback.name);
        for argument in &arguments {
            recorder.asking(name, self.k, argument.clone());
        }
        let going = arguments.into_iter().map(&self.execution.proceed).collect::<Result<Vec<_>, _>>();
        let going = going.map_err(|stop| Broken::Halt(Halt::Stop(stop)))?;
        let mut failed = None;
        for found in all(going).await {
            recorder.answered(name, self.k, found.as_ref().map(Json::clone).map_err(self.execution.said));
            match found {
                Ok(answer) => {
                    self.answers.push(answer.clone());
                    *reply = (self.execution.form)(Some(answer));
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(()), |error| Err(Broken::Passed(error)))
    }

    async fn answer(&self, argument: Json) -> Result<Json, Broken<E>> {
        let (recorder, name) = (&self.callback.recorder, &self.callback.name);
        recorder.asking(name, self.k, argument.clone());
        let going = (self.execution.proceed)(argument).map_err(|stop| Broken::Halt(Halt::Stop(stop)))?;
        match going.await {
            Ok(answer) => {
                recorder.answered(name, self.k, Ok(answer.clone()));
                Ok(answer)
            }
            Err(error) => {
                recorder.answered(name, self.k, Err((self.execution.said)(&error)));
                Err(Broken::Passed(error))
            }
        }
    }

    fn known(&self, name: &str) -> Option<Json> {
        match name {
            "next" => Some(Json::Array(self.answers.clone())),
            "given" => Some(self.given.clone()),
            step => self.callback.recorder.value(step),
        }
    }
}

/// Waits for several futures at once; what they came to is in their order.
async fn all<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut going: Vec<_> = futures.into_iter().map(Box::pin).collect();
    let mut over: Vec<_> = going.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (future, found) in going.iter_mut().zip(&mut over).filter(|(_, found)| found.is_none()) {
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                *found = Some(output);
            }
        }
        if over.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    over.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::relay::callback::tests::{at_once, callback};
    use crate::relay::natural::tool_outcome;
    use crate::relay::recorder::Recorder;
    use serde_json::json;

    /// Plays ops around an execution that answers with its argument, or fails when that says so.
    fn play(ops: Json) -> (Result<Json, Ended<String>>, Arc<Recorder>) {
        let (callback, recorder) = callback(ops);
        let proceed = |argument: Json| {
            if argument == json!("unspeakable") {
                return Err(Stop::inexpressible("next", "no"));
            }
            Ok(async move {
                match argument.get("fail") {
                    Some(text) => Err(text.as_str().unwrap().to_owned()),
                    None => Ok(json!({"result": argument, "annotation": null})),
                }
            })
        };
        let said = |error: &String| Failure { kind: "E".into(), message: error.clone(), code: None };
        let execution = Execution { argument: json!({"a": 1}), form: tool_outcome, proceed, said };
        let reply = at_once(callback.wrap(json!({"name": "t"}), execution));
        (reply, recorder)
    }

    fn facts(recorder: &Recorder) -> Vec<Json> {
        recorder.take_log().into_iter().map(|fact| fact["fact"].clone()).collect()
    }

    #[test]
    fn without_the_op_it_goes_on_once_unchanged() {
        let (reply, recorder) = play(json!([]));
        assert_eq!(reply, Ok(json!({"result": {"a": 1}, "annotation": null, "pending_marks": []})));
        assert_eq!(facts(&recorder), ["enter", "next", "answer", "leave"]);
    }

    #[test]
    fn the_last_answer_makes_the_reply_and_each_is_known() {
        let ops = json!([
            {"op": "next", "edits": [{"set": {"/b": 2}}, {"remove": ["/a"]}], "catch": false},
            {"op": "edit", "set": {"/annotation": {"$get": "next/0/result/b"}, "/name": {"$get": "given/name"}}},
        ]);
        let expected = json!({"result": {}, "annotation": 2, "name": "t", "pending_marks": []});
        assert_eq!(play(ops).0, Ok(expected));
    }

    #[test]
    fn a_failure_is_swallowed_or_let_pass() {
        let failing = json!({"set": {"/fail": "boom-1!"}});
        let (reply, recorder) = play(json!([{"op": "next", "edits": [{}, failing], "catch": true}]));
        assert_eq!(reply.unwrap()["result"], json!({"a": 1}));
        let error = json!({"type": "E", "message": "boom-1!", "code": null, "same_as": null});
        assert_eq!(recorder.take_log()[4], json!({"fact": "answer", "callback": "i", "k": 0, "error": error}));
        let (reply, recorder) = play(json!([{"op": "next", "edits": [failing, {}], "catch": false}]));
        assert_eq!(reply, Err(Ended::Passed("boom-1!".into())));
        assert_eq!(
            recorder.take_log().last(),
            Some(&json!({"fact": "leave", "callback": "i", "k": 0, "raised": "boom-1!"}))
        );
    }

    #[test]
    fn what_cannot_be_said_stops() {
        let (_, recorder) = play(json!([{"op": "next", "edits": [{"set": {"": "unspeakable"}}], "catch": true}]));
        assert!(matches!(recorder.stopped(), Some(Stop::Inexpressible { .. })));
    }
}
