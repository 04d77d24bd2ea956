//! What an adapter drives, as the conversation with the harness sees it.
//!
//! Enters: a suite's name and a scenario. Leaves: an observation. Must not know the protocol.

use serde_json::json;
use serde_json::value::RawValue;

use crate::json::Json;
use crate::signals::Stop;

/// What is driven, once it is connected.
pub trait Target {
    /// Returns `target` and `suites` of the answer to `initialize`.
    fn describe(&self) -> Json;

    /// Returns the observation of one scenario, or why there is none.
    fn run(&self, suite: &str, scenario: &RawValue) -> Result<Json, Stop>;
}

/// Returns what an adapter of one suite says of itself, and of the crate that it drives; the runtime is the compiler that
/// it was built with.
#[must_use]
pub fn described(suite: &str, dialect: &str, name: &str, version: &str, runtime: &str) -> Json {
    let target = json!({"name": name, "version": version, "language": "rust", "runtime": runtime});
    json!({"target": target, "suites": {suite: {"dialect": dialect, "capabilities": []}}})
}
