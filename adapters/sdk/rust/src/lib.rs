//! What a Rust program needs to be a bindproof adapter: the protocol, and what it says of itself and of values.
//!
//! An adapter implements [`Target`] and hands it to [`serve`]. It judges nothing and knows no requirement. What the
//! adapters of one suite alone share is a module of this crate, named as the suite is.

pub mod relay;

mod channel;
mod direct;
mod json;
mod serve;
mod signals;
mod spelling;
mod target;

pub use json::{Json, object};
pub use serve::serve;
pub use signals::Stop;
pub use spelling::Natural;
pub use target::{Target, described};
