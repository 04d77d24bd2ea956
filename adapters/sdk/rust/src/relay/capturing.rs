//! The steps that say where a program stands, and go on from there.

use serde::Deserialize;

/// Goes on with a scope stack of its own, which is made of what a step captured, or of nothing.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Context {
    #[serde(rename = "as")]
    pub(crate) id: String,
    pub(crate) from: Option<String>,
}

/// Takes down what another process is told.
#[derive(Clone, Debug, Deserialize)]
pub struct Capture {
    #[serde(rename = "as")]
    pub(crate) id: String,
    /// The function that is asked.
    pub what: Captured,
    pub(crate) root: Option<String>,
}

/// What is captured: a place with a root, without one, with that of a scope, or a trace header alone.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Captured {
    /// What the plain function gives.
    Usual,
    /// A place without a root.
    Rootless,
    /// A place with the root that the step names.
    Rooted,
    /// The trace header alone.
    Traceparent,
}
