//! What ends a scenario or a step early, as values.
//!
//! Enters: nothing. Leaves: the types. Must not know the protocol's messages or any binding.

use std::fmt;

/// Why a scenario cannot be acted out to its end; the variant says whose matter that is.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// This adapter lacks a capability that the scenario needs.
    Unsupported {
        /// What is lacking.
        capability: String,
        /// Why, in plain words.
        reason: String,
    },
    /// The binding's types cannot say what the scenario asks for.
    Inexpressible {
        /// The place, as the dialect lists it.
        path: String,
        /// Why, in plain words.
        reason: String,
    },
    /// The adapter or the scenario's program is at fault, never the binding.
    Fault(String),
}

impl Stop {
    /// A capability that is not built.
    pub fn unsupported(capability: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Unsupported { capability: capability.into(), reason: reason.into() }
    }

    /// What the types of Rust or of the binding cannot say.
    pub fn inexpressible(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Inexpressible { path: path.into(), reason: reason.into() }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported { capability: what, reason } | Self::Inexpressible { path: what, reason } => {
                write!(out, "{what}: {reason}")
            }
            Self::Fault(text) => out.write_str(text),
        }
    }
}
