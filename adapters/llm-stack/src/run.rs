//! Steps as calls of the crate: one scenario at a time, each with a clock of its own.
//!
//! Enters: a scenario. Leaves: its log. Must not know the protocol.

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Arc;

use bindproof_adapter::{Json, Stop, Target, described, object};
use llm_stack::ToolRegistry;
use llm_stack::chat::ToolCall;
use llm_stack::intercept::{InterceptorStack, LlmCall, Operation, ToolExec};
use serde_json::json;
use serde_json::value::RawValue;
use tokio::runtime::Runtime;
use tokio::task::unconstrained;

use crate::layers::{Scripted, Shared, Shares, stack};
use crate::logs::{self, Logs};
use crate::recorder::{Recorder, Turn};
use crate::scenario::{Did, Scenario, Step};
use crate::tools::registry;
use crate::values::{Domain, tool_call, tool_result_json};

const SUITE: &str = "interceptors";

thread_local! {
    /// True while the crate runs: what panics then is seen and recorded, and need not be told on stderr.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// The crate.
pub struct Stacks;

impl Stacks {
    /// Has the process' events and panics taken in.
    pub fn new() -> Self {
        let _ = tracing::subscriber::set_global_default(Logs);
        let told = take_hook();
        set_hook(Box::new(move |panic| {
            if !WATCHED.get() {
                told(panic);
            }
        }));
        Self
    }
}

impl Target for Stacks {
    fn describe(&self) -> Json {
        described(SUITE, "llm-stack", "llm-stack", env!("TARGET_VERSION"), env!("COMPILER"))
    }

    fn run(&self, suite: &str, scenario: &RawValue) -> Result<Json, Stop> {
        if suite != SUITE {
            return Err(Stop::unsupported(format!("suite {suite}"), "this adapter drives llm-stack"));
        }
        let scenario: Scenario =
            serde_json::from_str(scenario.get()).map_err(|error| Stop::Fault(format!("not a scenario: {error}")))?;
        // The clock stands still but for waits, which move it at once to their end.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = runtime.map_err(|error| Stop::Fault(format!("no runtime: {error}")))?;
        let recorder = runtime.block_on(async { Recorder::new() });
        logs::write_to(&recorder);
        let mut program = Program { runtime, recorder, made: HashMap::new(), shares: Vec::new() };
        scenario.steps.iter().try_for_each(|step| program.act(step))?;
        Ok(object([("log", program.finish().into())]))
    }
}

/// What the steps of a scenario have made so far.
struct Program {
    runtime: Runtime,
    recorder: Recorder,
    made: HashMap<String, Made>,
    shares: Vec<(String, Arc<Shared>)>,
}

#[derive(Clone)]
enum Made {
    Llm(InterceptorStack<LlmCall>),
    Tool(InterceptorStack<ToolExec<()>>),
    Registry(ToolRegistry),
}

impl Program {
    /// Does one step and records how it came back.
    fn act(&mut self, step: &Step) -> Result<(), Stop> {
        self.recorder.begin();
        WATCHED.set(true);
        let ended = catch_unwind(AssertUnwindSafe(|| self.value(step)));
        WATCHED.set(false);
        let end = match ended {
            Ok(value) => ("value", value?),
            Err(panic) => ("error", json!({"type": "panic", "message": panic_text(panic.as_ref())})),
        };
        let _inside = self.runtime.enter();
        self.recorder.put("done", None, [("step", step.name().into()), end]);
        Ok(())
    }

    fn value(&mut self, step: &Step) -> Result<Json, Stop> {
        match step {
            Step::Share { name } => {
                self.shares.push((name.clone(), Arc::new(Shared::new(name, &self.recorder))));
            }
            Step::Stack { name, domain, layers } => {
                let made = match domain.as_str() {
                    "llm" => Made::Llm(stack(layers, &self.by_name(), &self.recorder)),
                    _ => Made::Tool(stack(layers, &self.by_name(), &self.recorder)),
                };
                self.made.insert(name.clone(), made);
            }
            Step::Registry { name, layers, tools } => {
                let made = registry(name, tools, stack(layers, &self.by_name(), &self.recorder), &self.recorder);
                self.made.insert(name.clone(), Made::Registry(made));
            }
            Step::Derive { name, of, only, without } => {
                let made = derived(self.find(of)?, only.as_deref(), without.as_deref());
                self.made.insert(name.clone(), made);
            }
            Step::Call { name, on, input, does } => return Ok(self.call(name, self.find(on)?, input, does)),
            Step::All { on, inputs, parallel, .. } => {
                let Made::Registry(registry) = self.find(on)? else {
                    return Err(Stop::Fault(format!("{on} is no registry")));
                };
                return Ok(self.all(registry, inputs, *parallel));
            }
        }
        Ok(Json::Null)
    }

    fn call(&self, name: &str, made: &Made, input: &Json, does: &[Did]) -> Json {
        let operation = Scripted::new(format!("{name}.operation"), does.to_vec(), &self.recorder);
        match made {
            Made::Llm(stack) => self.through(stack, input, &operation),
            Made::Tool(stack) => self.through(stack, input, &operation),
            Made::Registry(registry) => {
                let call = tool_call(input);
                tool_result_json(&self.runtime.block_on(unconstrained(registry.execute(&call, &()))))
            }
        }
    }

    fn through<D: Domain>(&self, stack: &InterceptorStack<D>, input: &Json, operation: &Scripted) -> Json
    where
        Scripted: Operation<D>,
    {
        D::result_json(&self.runtime.block_on(unconstrained(stack.execute(&D::request(input), operation))))
    }

    /// Several calls at once: each record tells whose it is, so there is always someone's turn.
    fn all(&self, registry: &ToolRegistry, inputs: &[Json], parallel: bool) -> Json {
        let calls: Vec<ToolCall> = inputs.iter().map(tool_call).collect();
        let _turn = Turn::of(Some(""));
        let results = self.runtime.block_on(unconstrained(registry.execute_all(&calls, &(), parallel)));
        results.iter().map(tool_result_json).collect()
    }

    fn find(&self, name: &str) -> Result<&Made, Stop> {
        self.made.get(name).ok_or_else(|| Stop::Fault(format!("no step has made {name}")))
    }

    fn by_name(&self) -> Shares {
        self.shares.iter().cloned().collect()
    }

    fn finish(self) -> Vec<Json> {
        for (name, share) in &self.shares {
            let value = object([("entered", share.entered().into())]);
            self.recorder.put_plain([("fact", "measure".into()), ("name", name.as_str().into()), ("value", value)]);
        }
        self.recorder.put_plain([("fact", "settled".into())]);
        self.recorder.take()
    }
}

fn derived(made: &Made, only: Option<&[String]>, without: Option<&[String]>) -> Made {
    match (made, only, without) {
        (Made::Registry(registry), Some(names), _) => Made::Registry(registry.only(names.iter().map(String::as_str))),
        (Made::Registry(registry), _, Some(names)) => {
            Made::Registry(registry.without(names.iter().map(String::as_str)))
        }
        (other, ..) => other.clone(),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a text".to_owned())
}
