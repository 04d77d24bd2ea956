//! How a call of a binding's fails, as values.
//!
//! Enters: nothing. Leaves: the types. Must not know any binding.

use crate::signals::Stop;

/// The error that a binding gave its caller, as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The error's type, as one would write it.
    pub kind: String,
    /// Its text.
    pub message: String,
    /// Its code, where the binding has codes.
    pub code: Option<String>,
}

/// Why an API call of a binding gave nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The binding failed.
    Failed(Failure),
    /// The scenario cannot go on.
    Stopped(Stop),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}
