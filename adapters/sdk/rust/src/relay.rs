//! What an adapter of the suite `relay` needs besides: the log, scripted callbacks, the clean slate.
//!
//! It implements [`Binding`] with its target's API calls, wraps it in an [`Actor`] and hands that to
//! [`serve`](crate::serve).

mod actor;
mod around;
mod binding;
mod callback;
mod callee;
mod capturing;
mod families;
mod flight;
mod held;
mod natural;
mod numbers;
mod plugin;
mod pointer;
mod reading;
mod recorder;
mod refusal;
mod scenario;
mod script;
mod source;
mod stage;
mod streams;
mod values;

pub use actor::Actor;
pub use around::{Ended, Proceed};
pub use binding::{Beside, Binding, Decide, Listed, Undo};
pub use callback::{Callback, Raised, Sink};
pub use callee::{Callee, RequestCodec, no_codec, no_response_codec};
pub use capturing::{Capture, Captured};
pub use families::{family_of, kind_of, with_codecs};
pub use flight::Flight;
pub use plugin::{Enlist, Plugins};
pub use refusal::{Failure, Refusal};
pub use scenario::{Build, Call, Decode, Encode, End, Gate, Helper, Kind, Mark, Register, Side, Start};
pub use source::{Chunks, Flow, Opening, Source, Wrapped};
pub use streams::{Collector, Finalizer, Parts, Reader};

pub use futures_core::Stream;
