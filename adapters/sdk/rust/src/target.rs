//! What an adapter drives, as the conversation with the harness sees it.
//!
//! Enters: a suite's name and a scenario. Leaves: an observation. Must not know the protocol.

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
