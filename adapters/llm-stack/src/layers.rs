//! Stacks of the crate's layers and of the scenario's own.
//!
//! Enters: the layers of a scenario. Leaves: a stack. Must not know steps.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bindproof_adapter::Json;
use llm_stack::intercept::{
    Approval, ApprovalDecision, Interceptor, InterceptorStack, LlmCall, LogLevel, Loggable, Logging, Next, NoOp,
    Operation, Outcome, Retry, Retryable, Timeout, Timeoutable, ToolExec, ToolRequest,
};

use crate::recorder::{Recorder, Turn, turn};
use crate::scenario::{Did, Layer};
use crate::values::Domain;

/// A future of a result.
pub type Running<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What `share` steps have made, by their ids.
pub type Shares = HashMap<String, Arc<Shared>>;

/// Returns a stack of these layers, the outermost first. recorder: what the scenario's own layers write to.
pub fn stack<D>(layers: &[Layer], shares: &Shares, recorder: &Recorder) -> InterceptorStack<D>
where
    D: Domain + Gated<Input: Loggable, Output: Retryable + Timeoutable + Outcome>,
{
    let mut made = InterceptorStack::<D>::new();
    for layer in layers {
        made = match layer {
            Layer::Record { name, times, input, gives } => made.with(Record {
                name: name.clone(),
                times: *times,
                input: input.clone(),
                gives: gives.clone(),
                recorder: recorder.clone(),
            }),
            Layer::Shared { of } => made.with_shared(shares[of].clone()),
            Layer::Retry { max_attempts: Some(attempts), initial_delay, max_delay, multiplier } => made.with(Retry {
                max_attempts: *attempts,
                initial_delay: initial_delay.expect("all numbers or none").0,
                max_delay: max_delay.expect("all numbers or none").0,
                multiplier: multiplier.expect("all numbers or none").0,
            }),
            Layer::Retry { .. } => made.with(Retry::default()),
            Layer::Timeout { duration } => made.with(Timeout::new(duration.0)),
            Layer::Approval { name, decisions } => D::gated(made, name.clone(), decisions.clone(), recorder.clone()),
            Layer::Logging { level } => made.with(logging(level.as_deref())),
            Layer::NoOp => made.with(NoOp),
        };
    }
    made
}

fn logging(level: Option<&str>) -> Logging {
    match level {
        None => Logging::default(),
        Some("debug") => Logging::new(LogLevel::Debug),
        Some("trace") => Logging::new(LogLevel::Trace),
        Some(_) => Logging::new(LogLevel::Info),
    }
}

/// A domain whose calls may have to be approved. The language refuses approvals where there are none.
pub trait Gated: Domain {
    /// Adds an approval.
    fn gated(
        stack: InterceptorStack<Self>,
        name: String,
        decisions: Vec<Json>,
        recorder: Recorder,
    ) -> InterceptorStack<Self>
    where
        Self: Sized;
}

impl Gated for LlmCall {
    fn gated(stack: InterceptorStack<Self>, _: String, _: Vec<Json>, _: Recorder) -> InterceptorStack<Self> {
        stack
    }
}

impl Gated for ToolExec<()> {
    fn gated(
        stack: InterceptorStack<Self>,
        name: String,
        decisions: Vec<Json>,
        recorder: Recorder,
    ) -> InterceptorStack<Self> {
        stack.with(Approval::new(move |request: &ToolRequest| {
            let entry = recorder.enter(&name, Self::request_json(request));
            let decision = &decisions[entry.k.min(decisions.len() - 1)];
            entry.leave(decision.clone());
            match (decision.get("deny").and_then(Json::as_str), decision.get("modify")) {
                (Some(reason), _) => ApprovalDecision::Deny(reason.to_owned()),
                (_, Some(arguments)) => ApprovalDecision::Modify(arguments.clone()),
                _ => ApprovalDecision::Allow,
            }
        }))
    }
}

/// A layer of the scenario: runs the rest so often, with another input if it has one, and answers with what that gave
/// or with a result of its own.
struct Record {
    name: String,
    times: u32,
    input: Option<Json>,
    gives: Option<Json>,
    recorder: Recorder,
}

impl<D: Domain> Interceptor<D> for Record {
    fn intercept<'a>(&'a self, input: &'a D::Input, next: Next<'a, D>) -> Running<'a, D::Output> {
        in_turn::<D, _>(input, async move {
            let entry = self.recorder.enter(&self.name, D::request_json(input));
            let other = self.input.as_ref().map(|members| D::replaced(input, members));
            let handed = other.as_ref().unwrap_or(input);
            let mut result = None;
            for _ in 0..self.times {
                result = Some(next.run(handed).await);
            }
            let result = match (&self.gives, result) {
                (Some(form), _) => D::result(form),
                (None, Some(result)) => result,
                (None, None) => unreachable!("the language refuses a layer without runs and result"),
            };
            entry.leave(D::result_json(&result));
            result
        })
    }
}

/// A layer that several stacks may hold. It counts how often it is entered.
pub struct Shared {
    name: String,
    entered: AtomicU64,
    recorder: Recorder,
}

impl Shared {
    /// Makes one that nothing has entered yet.
    pub fn new(name: &str, recorder: &Recorder) -> Self {
        Self { name: name.to_owned(), entered: AtomicU64::new(0), recorder: recorder.clone() }
    }

    /// How often it was entered.
    pub fn entered(&self) -> u64 {
        self.entered.load(Ordering::Relaxed)
    }
}

impl<D: Domain> Interceptor<D> for Shared {
    fn intercept<'a>(&'a self, input: &'a D::Input, next: Next<'a, D>) -> Running<'a, D::Output> {
        in_turn::<D, _>(input, async move {
            self.entered.fetch_add(1, Ordering::Relaxed);
            let entry = self.recorder.enter(&self.name, D::request_json(input));
            let result = next.run(input).await;
            entry.leave(D::result_json(&result));
            result
        })
    }
}

/// Runs a layer. Where several calls are made at once, all that it does is done in the turn of its own call.
fn in_turn<'a, D: Domain, F>(input: &'a D::Input, layer: F) -> Running<'a, D::Output>
where
    F: Future<Output = D::Output> + Send + 'a,
{
    let call = turn().and(D::call_id(input));
    let Some(call) = call else { return Box::pin(layer) };
    Box::pin(async move {
        let mut layer = pin!(layer);
        poll_fn(|context| {
            let _turn = Turn::of(Some(call));
            layer.as_mut().poll(context)
        })
        .await
    })
}

/// An operation that does what its script says.
pub struct Scripted {
    callback: String,
    does: Vec<Did>,
    recorder: Recorder,
}

impl Scripted {
    /// Makes one. callback: what it is called in the log.
    pub fn new(callback: String, does: Vec<Did>, recorder: &Recorder) -> Self {
        Self { callback, does, recorder: recorder.clone() }
    }

    /// Takes its time and returns the JSON form of its result.
    pub async fn act(&self, given: Json) -> &Json {
        let entry = self.recorder.enter(&self.callback, given);
        let did = &self.does[entry.k.min(self.does.len() - 1)];
        if did.after > 0 {
            tokio::time::sleep(Duration::from_millis(did.after)).await;
        }
        entry.leave(did.gives.clone());
        &did.gives
    }
}

impl<D: Domain> Operation<D> for Scripted {
    fn execute<'a>(&'a self, input: &'a D::Input) -> Running<'a, D::Output> {
        Box::pin(async move { D::result(self.act(D::request_json(input)).await) })
    }
}
