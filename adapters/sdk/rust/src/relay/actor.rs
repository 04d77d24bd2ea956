//! Acts one scenario after the other through a binding, on a clean slate each time.
//!
//! Enters: a complete scenario in the binding's own spelling. Leaves: the observation. Must not know the protocol, nor
//! any binding beyond `Binding`.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::json::{Json, object};
use crate::relay::binding::{Binding, Listed};
use crate::relay::numbers;
use crate::relay::recorder::{Recorder, Strays, lock};
use crate::relay::refusal::Refusal;
use crate::relay::scenario::Scenario;
use crate::relay::stage::Stage;
use crate::signals::Stop;
use crate::target::Target;

/// A target of `serve` that acts scenarios out with a binding, one at a time.
pub struct Actor<B> {
    binding: Arc<B>,
    strays: Strays,
}

impl<B: Binding> Actor<B> {
    /// Acts with this binding.
    pub fn new(binding: B) -> Self {
        Self { binding: Arc::new(binding), strays: Strays::default() }
    }

    fn registered(&self) -> Result<Vec<Listed>, Stop> {
        self.binding.registered(None).map_err(|refusal| match refusal {
            Refusal::Failed(failure) => Stop::Fault(format!("what is registered: {}", failure.message)),
            Refusal::Stopped(stop) => stop,
        })
    }
}

impl<B: Binding> Target for Actor<B> {
    fn describe(&self) -> Json {
        self.binding.describe()
    }

    fn run(&self, _suite: &str, scenario: &RawValue) -> Result<Json, Stop> {
        let scenario = read(scenario)?;
        let recorder = Arc::new(Recorder::new(Arc::clone(&self.strays)));
        let before = self.registered()?;
        let stage = Stage::new(Arc::clone(&self.binding), Arc::clone(&recorder), self.binding.fresh_scope());
        stage.act_all(&scenario.steps);
        let cleared = stage.clear_up();
        let left = without(self.registered()?, &before);
        if let Some(stop) = recorder.stopped() {
            return Err(stop);
        }
        cleared.map_err(|refusal| match refusal {
            Refusal::Failed(failure) => Stop::Fault(format!("the final flush: {}", failure.message)),
            Refusal::Stopped(stop) => stop,
        })?;
        let stray = std::mem::take(&mut *lock(&self.strays));
        Ok(object([
            ("log", recorder.take_log().into()),
            ("left", left.iter().map(Listed::bare).collect()),
            ("stray", stray.into()),
        ]))
    }
}

/// How a scenario spells what JSON lacks: in a text of a scenario the quotes would be escaped.
const LACKING: [&str; 3] = ["\"$float\"", "\"$integer\"", "\"$function\""];

fn read(text: &RawValue) -> Result<Scenario, Stop> {
    if let Some(literal) = numbers::too_wide(text.get()) {
        return Err(Stop::inexpressible("$wide", format!("a JSON value of Rust holds 64-bit integers, not {literal}")));
    }
    if LACKING.iter().any(|word| text.get().contains(word)) {
        return Err(Stop::inexpressible("no_json", "what is handed over is a JSON value, which there is no other of"));
    }
    serde_json::from_str(text.get()).map_err(|error| {
        let error = error.to_string();
        if error.contains("surrogate") || error.contains("hex escape") {
            return Stop::inexpressible("$surrogate", "Rust's text is Unicode, which has no half of a surrogate pair");
        }
        if error.contains("recursion limit") {
            return Stop::unsupported("nesting", "this adapter reads values of 128 levels at the most");
        }
        Stop::Fault(format!("not a scenario: {error}"))
    })
}

/// What is in `after` more often than in `before`, by family and name.
fn without(after: Vec<Listed>, before: &[Listed]) -> Vec<Listed> {
    let key = |one: &Listed| (one.family.clone(), one.name.clone());
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    for one in before {
        *known.entry(key(one)).or_default() += 1;
    }
    let mut left = Vec::new();
    for one in after {
        match known.get_mut(&key(&one)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => left.push(one),
        }
    }
    left
}

#[cfg(test)]
mod tests;
