//! Drives the crate `llm-stack` through its public API, in virtual time.

mod layers;
mod logs;
mod recorder;
mod run;
mod scenario;
mod tools;
mod values;

use std::process::ExitCode;

use bindproof_adapter::serve;

use crate::run::Stacks;

fn main() -> ExitCode {
    serve("llm-stack", "1", || Ok(Stacks::new()))
}
