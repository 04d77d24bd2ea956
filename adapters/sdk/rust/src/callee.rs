//! What a binding is handed to call: what it registers, and the codec of a call.
//!
//! Enters: scripted callbacks. Leaves: which of them there are. Must not know any binding's types.

use crate::callback::{Callback, Sink};
use crate::source::Source;

/// What is registered.
pub enum Callee {
    /// Of the family `subscriber`.
    Sink(Sink),
    /// Of the family `llm.stream`.
    Source(Source),
    /// Of any other family.
    Callback(Callback),
}

/// The codec of a call's request.
pub enum RequestCodec {
    /// Two scripted callbacks, decode and encode.
    Scripted(Callback, Callback),
    /// One that the binding brings along, by the suite's name; a binding without it is `unsupported`: see `no_codec`.
    BuiltIn(String),
}
