//! What a binding is handed to call: what it registers, and the codec of a call.
//!
//! Enters: scripted callbacks. Leaves: which of them there are. Must not know any binding's types.

use crate::relay::callback::{Callback, Sink};
use crate::relay::source::Source;
use crate::signals::Stop;

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
    /// One that the binding brings along, by the suite's name; of a binding without it, see `no_codec`.
    BuiltIn(String),
}

/// Why a scenario cannot be acted out that names a built-in codec which the binding has not.
#[must_use]
pub fn no_codec(name: &str) -> Stop {
    Stop::unsupported("codec.builtin", format!("there is no built-in codec '{name}' to be had"))
}

/// The same of a built-in codec for answers.
#[must_use]
pub fn no_response_codec(name: &str) -> Stop {
    Stop::unsupported("codec.response", format!("there is no built-in codec '{name}' for a response"))
}
