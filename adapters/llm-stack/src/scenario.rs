//! A scenario of the suite `interceptors`, complete, as it is sent.
//!
//! Enters: JSON. Leaves: typed steps and layers. Must not know the crate that is driven.

use std::time::Duration;

use bindproof_adapter::Json;
use serde::{Deserialize, Deserializer};

/// Steps, one after the other.
#[derive(Deserialize)]
pub struct Scenario {
    pub steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(tag = "step", rename_all = "lowercase")]
pub enum Step {
    Stack {
        #[serde(rename = "as")]
        name: String,
        domain: String,
        layers: Vec<Layer>,
    },
    Registry {
        #[serde(rename = "as")]
        name: String,
        layers: Vec<Layer>,
        tools: Vec<Tool>,
    },
    Derive {
        #[serde(rename = "as")]
        name: String,
        of: String,
        only: Option<Vec<String>>,
        without: Option<Vec<String>>,
    },
    Share {
        #[serde(rename = "as")]
        name: String,
    },
    Call {
        #[serde(rename = "as")]
        name: String,
        on: String,
        input: Json,
        does: Vec<Did>,
    },
    All {
        #[serde(rename = "as")]
        name: String,
        on: String,
        inputs: Vec<Json>,
        parallel: bool,
    },
}

impl Step {
    /// The step's id.
    pub fn name(&self) -> &str {
        match self {
            Self::Stack { name, .. }
            | Self::Registry { name, .. }
            | Self::Derive { name, .. }
            | Self::Share { name }
            | Self::Call { name, .. }
            | Self::All { name, .. } => name,
        }
    }
}

#[derive(Deserialize)]
#[serde(tag = "layer", rename_all = "lowercase")]
pub enum Layer {
    Record {
        #[serde(rename = "as")]
        name: String,
        times: u32,
        input: Option<Json>,
        gives: Option<Json>,
    },
    Shared {
        of: String,
    },
    Retry {
        max_attempts: Option<u32>,
        initial_delay: Option<Milliseconds>,
        max_delay: Option<Milliseconds>,
        multiplier: Option<Factor>,
    },
    Timeout {
        duration: Milliseconds,
    },
    Approval {
        #[serde(rename = "as")]
        name: String,
        decisions: Vec<Json>,
    },
    Logging {
        level: Option<String>,
    },
    NoOp,
}

#[derive(Deserialize)]
pub struct Tool {
    pub name: String,
    pub schema: Json,
    pub retry: Option<ToolRetry>,
    pub does: Vec<Did>,
}

#[derive(Deserialize)]
pub struct ToolRetry {
    pub max_retries: Option<u32>,
    pub initial_backoff: Option<Milliseconds>,
    pub max_backoff: Option<Milliseconds>,
    pub backoff_multiplier: Option<f64>,
    pub jitter: Option<f64>,
    pub only_if: Option<String>,
}

/// What an operation does when it is run: it takes so many milliseconds, then gives a result.
#[derive(Clone, Deserialize)]
pub struct Did {
    pub after: u64,
    pub gives: Json,
}

/// A time of a scenario: milliseconds with three digits after the point at most.
#[derive(Clone, Copy)]
pub struct Milliseconds(pub Duration);

impl<'de> Deserialize<'de> for Milliseconds {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let given = f64::deserialize(from)?;
        Ok(Self(Duration::from_micros((given * 1000.0).round() as u64)))
    }
}

/// A factor; three of them are no JSON numbers and come as words.
#[derive(Clone, Copy)]
pub struct Factor(pub f64);

impl<'de> Deserialize<'de> for Factor {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(f64),
            Word(String),
        }
        match Either::deserialize(from)? {
            Either::Number(number) => Ok(Self(number)),
            Either::Word(word) => word.parse().map(Self).map_err(serde::de::Error::custom),
        }
    }
}
