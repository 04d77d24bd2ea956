//! A complete scenario as types: its steps, each with what it states, and what its callbacks do. What is not of a step's
//! kind is null.
//!
//! Enters: what was read. Leaves: the types. Must not know how they are written, nor how they are acted out.

use std::sync::Arc;

use serde::Deserialize;

use crate::json::Json;
use crate::relay::capturing::{Capture, Context};

/// What one callback does, shared by all its calls.
pub type Ops = Arc<[Op]>;

/// A program of steps.
#[derive(Debug, Deserialize)]
pub struct Scenario {
    pub steps: Vec<Step>,
}

/// One step; `Other` is of a kind that this SDK does not know.
#[derive(Debug)]
pub enum Step {
    Register(Register),
    Deregister { id: String, of: String },
    List(List),
    Current { id: String },
    Handle { id: String, of: String },
    Build(Build),
    Decode(Decode),
    Encode(Encode),
    Gate(Gate),
    Ungate { id: String, of: String },
    Context(Context),
    Capture(Capture),
    Back { id: String },
    Call(Box<Call>),
    Read(Read),
    Close(Close),
    Helper(Helper),
    Start(Box<Start>),
    End(End),
    Mark(Mark),
    Install { id: String, plugins: Vec<String>, ops: Ops },
    Uninstall { id: String, of: String },
    Flush { id: String },
    Open { id: String, latch: String },
    Cancel { id: String, of: String },
    Storm { id: String, on: String, programs: Vec<Vec<Step>> },
    Other { kind: String },
}

/// Builds an object of these members.
#[derive(Clone, Debug, Deserialize)]
pub struct Build {
    #[serde(rename = "as")]
    pub(crate) id: String,
    /// `request`, `mark`, `outcome`, `tool_result` or `tool_outcome`.
    pub object: String,
    /// The members, by their names.
    pub value: Json,
}

/// Asks a codec what it reads.
#[derive(Clone, Debug, Deserialize)]
pub struct Decode {
    #[serde(rename = "as")]
    pub(crate) id: String,
    /// A built-in one's name, or `own`: the one that the sanitizer gets whose callback does this.
    pub codec: String,
    /// What it is to read.
    pub side: Side,
    /// The request or the response; of `own` it is what the sanitizer was given, and null here.
    pub payload: Json,
}

/// What a codec reads.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// An LLM's request.
    Request,
    /// An LLM's response.
    Response,
}

/// Asks a codec what it writes of an annotation into a request.
#[derive(Clone, Debug, Deserialize)]
pub struct Encode {
    #[serde(rename = "as")]
    pub(crate) id: String,
    /// As for [`Decode`].
    pub codec: String,
    /// What it is to write.
    pub annotation: Json,
    /// The request; of `own` it is what the sanitizer was given, and null here.
    pub payload: Json,
}

/// The codec of a call: `"none"`, another name, or two scripted callbacks.
#[derive(Clone, Debug)]
pub enum Codec {
    Named(String),
    Scripted { decode: Ops, encode: Ops },
}

impl Default for Codec {
    fn default() -> Self {
        Self::Named("none".into())
    }
}

/// What a callback does to its natural reply.
#[derive(Debug)]
pub enum Op {
    Edit(Edit),
    Raise { text: String },
    Next(Next),
    Yield { chunks: Vec<Json> },
    Hang,
    Wait { latch: String },
    Step(Step),
    Each { ops: Vec<Vec<Op>> },
    Other { kind: String },
}

impl Op {
    /// The latch at which it waits.
    pub fn latch(&self) -> Option<String> {
        if let Self::Wait { latch } = self { Some(latch.clone()) } else { None }
    }
}

/// Changes to a reply, in this order.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Edit {
    pub set: Pairs<Json>,
    pub remove: Vec<String>,
    pub append: Pairs<Vec<Json>>,
}

/// Going on with an execution, once for each edit of its argument; `catch`: a failure is swallowed.
#[derive(Debug, Deserialize)]
pub struct Next {
    pub edits: Vec<Edit>,
    pub catch: bool,
    /// Whether it goes on with all of them before it waits for an answer.
    #[serde(default)]
    pub at_once: bool,
}

/// An object's members in the order in which they were written.
#[derive(Debug)]
pub struct Pairs<T>(pub Vec<(String, T)>);

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Registers a subscriber or a callback; `ops` are what the callback does to its natural reply.
#[derive(Debug, Deserialize)]
pub struct Register {
    /// The step's id, which is its callback's too.
    #[serde(rename = "as")]
    pub id: String,
    /// `subscriber`, `llm.request`, …
    pub family: String,
    /// The name to register under.
    pub name: String,
    /// Where in the chain; lower comes first.
    pub priority: i32,
    /// Whether the chain ends here.
    pub break_chain: bool,
    #[serde(rename = "async", default)]
    pub(crate) asynchronous: bool,
    pub(crate) odd: Option<String>,
    pub(crate) scope: String,
    #[serde(rename = "do")]
    pub(crate) ops: Ops,
}

/// Asks what is registered, of one family or of all.
#[derive(Debug, Deserialize)]
pub struct List {
    #[serde(rename = "as")]
    pub(crate) id: String,
    pub(crate) only: Option<String>,
}

/// Registers a gate: it is asked whether what is registered globally as `target` may take part.
#[derive(Clone, Debug, Deserialize)]
pub struct Gate {
    #[serde(rename = "as")]
    pub(crate) id: String,
    /// Its own name.
    pub name: String,
    /// The families that it is about.
    pub families: Vec<String>,
    /// The name that it is about: of what a plugin registered, the binding's own.
    pub target: String,
    /// The plugin that registered what it is about.
    pub(crate) plugin: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) raises: Option<String>,
}

/// A managed call. What is not of its kind is null.
#[derive(Clone, Debug, Deserialize)]
pub struct Call {
    #[serde(rename = "as")]
    pub(crate) id: String,
    pub(crate) kind: String,
    /// The name of the call.
    pub name: String,
    /// An LLM's request.
    #[serde(default)]
    pub request: Json,
    /// A tool's arguments.
    #[serde(default)]
    pub args: Json,
    /// The model's name, where the caller gives one.
    pub model: Option<String>,
    /// A tool call's id, where the caller gives one.
    pub tool_call_id: Option<String>,
    /// What is said of the call.
    #[serde(default)]
    pub attributes: Vec<String>,
    /// The program's own data, where the caller gives some.
    pub data: Option<Json>,
    /// Metadata, where the caller gives some.
    pub metadata: Option<Json>,
    pub(crate) parent: Option<String>,
    #[serde(default)]
    pub(crate) codec: Codec,
    /// The name of the built-in codec that reads the answer, where there is one.
    #[serde(default)]
    pub response_codec: Option<String>,
    pub(crate) provider: Ops,
    #[serde(default)]
    pub(crate) collector: Ops,
    #[serde(default)]
    pub(crate) finalizer: Ops,
    #[serde(default)]
    pub(crate) drain: bool,
    #[serde(default)]
    pub(crate) background: bool,
}

/// Reads chunks of a stream: `n`, or all until it ends.
#[derive(Debug, Deserialize)]
pub struct Read {
    #[serde(rename = "as")]
    pub(crate) id: String,
    pub(crate) of: String,
    pub(crate) n: Option<u64>,
}

/// Closes a stream, or forgets it.
#[derive(Debug, Deserialize)]
pub struct Close {
    #[serde(rename = "as")]
    pub(crate) id: String,
    pub(crate) of: String,
    pub(crate) how: How,
}

/// How a program leaves a stream.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// It closes it.
    Close,
    /// It forgets it.
    Drop,
}

/// A standalone helper. What is not of its kind is null.
#[derive(Clone, Debug, Deserialize)]
pub struct Helper {
    #[serde(rename = "as")]
    pub(crate) id: String,
    /// The family that it runs.
    pub kind: String,
    /// The name that the callbacks are given.
    pub name: String,
    /// An LLM's request.
    #[serde(default)]
    pub request: Json,
    /// A tool's arguments.
    #[serde(default)]
    pub args: Json,
}

/// What a start begins.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A scope.
    Scope,
    /// A manual LLM call.
    Llm,
    /// A manual tool call.
    Tool,
}

/// Starts a scope or a manual call. What is not of its kind is null.
#[derive(Clone, Debug, Deserialize)]
pub struct Start {
    #[serde(rename = "as")]
    pub(crate) id: String,
    /// What begins.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// A scope's type.
    #[serde(default, rename = "type")]
    pub scope_type: Json,
    /// A scope's input, where it has one.
    pub input: Option<Json>,
    /// An LLM's request.
    #[serde(default)]
    pub request: Json,
    /// A tool's arguments.
    #[serde(default)]
    pub args: Json,
    /// The model's name, where the caller gives one.
    pub model: Option<String>,
    /// A tool call's id, where the caller gives one.
    pub tool_call_id: Option<String>,
    /// What is said of it.
    #[serde(default)]
    pub attributes: Vec<String>,
    /// The program's own data, where the caller gives some.
    pub data: Option<Json>,
    /// Metadata, where the caller gives some.
    pub metadata: Option<Json>,
    pub(crate) parent: Option<String>,
    /// When it has started, in microseconds since 1970, where the caller says so.
    pub timestamp: Option<i64>,
}

/// Ends what another step started.
#[derive(Clone, Debug, Deserialize)]
pub struct End {
    #[serde(rename = "as")]
    pub(crate) id: String,
    pub(crate) of: String,
    /// A scope's output, an LLM's response, a tool's result.
    pub output: Json,
    /// What a tool's result has besides, or what an LLM's response says.
    #[serde(default)]
    pub annotation: Json,
    /// The name of the built-in codec that reads an LLM's response, where there is one.
    #[serde(default)]
    pub response_codec: Option<String>,
    /// The program's own data, where the caller gives some.
    pub data: Option<Json>,
    /// Metadata, where the caller gives some.
    pub metadata: Option<Json>,
    /// When it has ended, in microseconds since 1970, where the caller says so.
    pub timestamp: Option<i64>,
}

/// Emits a mark; what is not given is null.
#[derive(Debug, Deserialize)]
pub struct Mark {
    #[serde(rename = "as")]
    pub(crate) id: String,
    /// Its name.
    pub name: String,
    /// Data, where the caller gives some.
    pub data: Option<Json>,
    /// Metadata, where the caller gives some.
    pub metadata: Option<Json>,
    /// The form of the data.
    pub data_schema: Json,
    /// How grave it is.
    pub severity: Json,
    pub(crate) measurements: Option<Json>,
    pub(crate) parent: Option<String>,
    /// When it was, in microseconds since 1970, where the caller says so.
    pub timestamp: Option<i64>,
}
