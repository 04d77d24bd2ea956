//! What the SDK asks of one binding of the `relay` suite: its API calls, and nothing else.
//!
//! Enters: steps in the binding's own spelling, callbacks to hand on. Leaves: what the binding gave, as JSON. Must not
//! know scenarios or logs.

use std::sync::Arc;

use serde_json::json;

use crate::json::Json;
use crate::relay::callback::Callback;
use crate::relay::callee::{Callee, RequestCodec};
use crate::relay::capturing::Capture;
use crate::relay::flight::Flight;
use crate::relay::plugin::Plugins;
use crate::relay::refusal::Refusal;
use crate::relay::scenario::{Build, Call, Decode, Encode, End, Gate, Helper, Mark, Register, Start};
use crate::relay::streams::{Parts, Reader};
use crate::signals::Stop;

/// An entry of the binding's own listing.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// `subscriber`, `llm.request`, …
    pub family: String,
    /// What its owner calls it.
    pub name: String,
    /// The name that a gate is about.
    pub effective: String,
    /// The name of the plugin that owns it.
    pub plugin: Option<String>,
    /// Which of the components of that plugin it is of, where the listing says so.
    pub number: Option<u32>,
}

impl Listed {
    /// Returns an entry of what the program itself has registered, which a gate finds by the same name.
    pub fn own(family: &str, name: &str) -> Self {
        let (family, name) = (family.to_owned(), name.to_owned());
        Self { family, effective: name.clone(), name, plugin: None, number: None }
    }

    /// Returns as much of it as the list of what is left behind has.
    pub(crate) fn bare(&self) -> Json {
        json!({"family": self.family, "name": self.name})
    }

    /// Returns it as a listing has it: with the plugin that owns it.
    pub(crate) fn owned(&self) -> Json {
        let mut entry = self.bare();
        if let Some(plugin) = &self.plugin {
            entry["plugin"] = json!(plugin);
        }
        if let Some(number) = self.number {
            entry["number"] = json!(number);
        }
        entry
    }
}

/// Deregisters one thing, or takes a plugin back; may be asked more than once. Returns the binding's answer: whether it was there.
pub type Undo = Arc<dyn Fn() -> Result<bool, Refusal> + Send + Sync>;

/// Says for a gate why what is registered under a name as any of these families is to be kept out; none lets it in, and
/// an error is the text that the gate has to fail with.
pub type Decide = Box<dyn Fn(&[&str], &str) -> Result<Option<String>, String> + Send + Sync>;

/// Brings another thread to the scope stack of a scenario.
pub type Beside = Arc<dyn Fn() + Send + Sync>;

/// The API calls of one binding. A failure is what the binding gave its caller.
///
/// Where a step names a scope or what was started, the handle that it was given then is handed over beside the step.
pub trait Binding: Send + Sync + 'static {
    /// What a start gives.
    type Handle: Clone + Send + Sync + 'static;

    /// Returns `target` and `suites` of the answer to `initialize`.
    fn describe(&self) -> Json;

    /// Begins on a new scope stack; called before each scenario, on the thread that acts it. Calls in flight are made on
    /// threads of their own, which call what this returns first.
    fn fresh_scope(&self) -> Beside;

    /// Returns everything registered now, or what is of one family, as the binding's own listing has it.
    fn registered(&self, family: Option<&str>) -> Result<Vec<Listed>, Refusal>;

    /// Waits until every event so far is delivered.
    fn flush(&self) -> Result<(), Refusal>;

    /// Registers what the step's family says, globally or on the scope that is to own it; returns what deregisters it.
    fn register(&self, step: &Register, scope: Option<&Self::Handle>, callee: Callee) -> Result<Undo, Refusal>;

    /// Installs plugins in one configuration, each of which plays its callback with the context that the binding hands it;
    /// returns what takes all of them back. A binding that takes none leaves it at this.
    fn install(&self, plugins: Plugins) -> Result<Undo, Refusal> {
        drop(plugins);
        Err(Stop::unsupported("plugin", "plugins are not built yet").into())
    }

    /// Registers a gate, which asks what decides and lets in what that fails for; returns what takes it back. A binding that
    /// has none leaves it at this.
    fn gate(&self, step: &Gate, decide: Decide) -> Result<Undo, Refusal> {
        let _ = (step, decide);
        Err(Stop::unsupported("gate", "a program registers no gates here").into())
    }

    /// Makes a managed LLM call with a provider and, where there is one, a codec; returns what the caller gets. One in the
    /// background has a flight, which wants to know how it is cancelled.
    fn call_llm(
        &self,
        step: &Call,
        parent: Option<&Self::Handle>,
        provider: Callback,
        codec: Option<RequestCodec>,
        flight: Option<&Flight>,
    ) -> Result<Json, Refusal>;

    /// Makes a managed stream call; returns the stream that its caller gets.
    fn open_stream(&self, step: &Call, parent: Option<&Self::Handle>, parts: Parts)
    -> Result<Box<dyn Reader>, Refusal>;

    /// Makes a managed tool call; returns what the caller gets: `result` and `annotation`. Its flight is that of `call_llm`.
    fn call_tool(
        &self,
        step: &Call,
        parent: Option<&Self::Handle>,
        provider: Callback,
        flight: Option<&Flight>,
    ) -> Result<Json, Refusal>;

    /// Runs the standalone helper of a family; returns what it gives as JSON.
    fn helper(&self, step: &Helper) -> Result<Json, Refusal>;

    /// Starts a scope, or a manual call, as the step's kind says.
    fn start(&self, step: &Start, parent: Option<&Self::Handle>) -> Result<Self::Handle, Refusal>;

    /// Ends what was started.
    fn end(&self, step: &End, of: &Self::Handle) -> Result<(), Refusal>;

    /// Returns uuid and name of the scope that is the current one now, as the binding says.
    fn current(&self) -> Result<(String, String), Refusal>;

    /// Emits a mark.
    fn mark(&self, step: &Mark, parent: Option<&Self::Handle>) -> Result<(), Refusal>;

    /// Emits a group of measurements, whose name and members are those of a mark. A binding that emits none leaves it at this.
    fn metric(&self, step: &Mark, measurements: &Json, parent: Option<&Self::Handle>) -> Result<(), Refusal> {
        let _ = (step, measurements, parent);
        Err(Stop::unsupported("measurements", "a program emits no metrics here").into())
    }

    /// Builds the object that the step names of its members; returns what its own members say, each by its name. A binding
    /// that has none leaves it at this.
    fn build(&self, step: &Build) -> Result<Json, Refusal> {
        let _ = step;
        Err(Stop::unsupported("build", "a program builds no objects of the binding here").into())
    }

    /// Returns what the step's codec reads of its payload, or a sanitizer's own codec of what that was given; null
    /// where such a sanitizer gets none. A binding whose codecs cannot be asked leaves it at this.
    fn decode(&self, step: &Decode) -> Result<Json, Refusal> {
        let _ = step;
        Err(not_asked().into())
    }

    /// Returns the request that the step's codec makes of its payload and the annotation; else as `decode`.
    fn encode(&self, step: &Encode) -> Result<Json, Refusal> {
        let _ = step;
        Err(not_asked().into())
    }

    /// Returns what another process is told of where the program stands, with the names that the wire has; a trace header
    /// is a text. `root` is the scope that a step `rooted` names. A binding that tells nothing leaves it at this.
    fn capture(&self, step: &Capture, root: Option<&Self::Handle>) -> Result<Json, Refusal> {
        let _ = (step, root);
        Err(not_captured().into())
    }

    /// Begins on a scope stack that is made of what `capture` returned; else as `fresh_scope`.
    fn received(&self, captured: &Json) -> Result<Beside, Refusal> {
        let _ = captured;
        Err(not_captured().into())
    }

    /// Returns what a handle says: each member that handles of its kind have. A binding whose handles say nothing leaves it
    /// at this.
    fn told(&self, of: &Self::Handle) -> Result<Json, Refusal> {
        let _ = of;
        Err(Stop::unsupported("handle", "a program cannot ask a handle what it says").into())
    }
}

fn not_captured() -> Stop {
    Stop::unsupported("capture", "a program cannot tell another process where it stands")
}

fn not_asked() -> Stop {
    Stop::unsupported("codec.asked", "a program cannot ask a codec what it reads and writes")
}
