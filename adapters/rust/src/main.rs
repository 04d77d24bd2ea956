//! Drives the crate `nemo-relay` through its public API.

mod callbacks;
mod codec;
mod coding;
mod families;
mod json;
mod manual;
mod members;
mod objects;
mod open_objects;
mod plugins;
mod relay;
mod stacks;
mod stream;

use std::process::ExitCode;

use bindproof_adapter::relay::Actor;
use bindproof_adapter::serve;

use crate::relay::Relay;

fn main() -> ExitCode {
    serve("rust", "1", || Relay::new().map(Actor::new))
}
