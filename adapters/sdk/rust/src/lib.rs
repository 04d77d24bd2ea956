//! What a Rust program needs to be a bindproof adapter: the protocol, the log, scripted callbacks, the clean slate.
//!
//! An adapter implements [`Binding`] with its target's API calls, wraps it in an [`Actor`] and hands that to [`serve`].
//! It judges nothing and knows no requirement.

mod actor;
mod around;
mod binding;
mod callback;
mod callee;
mod channel;
mod direct;
mod families;
mod flight;
mod json;
mod natural;
mod numbers;
mod plugin;
mod pointer;
mod reading;
mod recorder;
mod scenario;
mod script;
mod serve;
mod signals;
mod source;
mod spelling;
mod stage;
mod streams;
mod target;
mod values;

pub use actor::Actor;
pub use around::{Ended, Proceed};
pub use binding::{Beside, Binding, Undo, described};
pub use callback::{Callback, Raised, Sink};
pub use callee::{Callee, RequestCodec};
pub use families::{family_of, kind_of};
pub use flight::Flight;
pub use json::{Json, object};
pub use plugin::{Enlist, Plugin};
pub use scenario::{Call, End, Helper, Kind, Mark, Register, Start};
pub use serve::serve;
pub use signals::{Failure, Refusal, Stop};
pub use spelling::Natural;
pub use source::{Chunks, Flow, Opening, Source, Wrapped};
pub use streams::{Collector, Finalizer, Parts, Reader};
pub use target::Target;

pub use futures_core::Stream;
