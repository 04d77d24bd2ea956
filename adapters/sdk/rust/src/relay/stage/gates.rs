//! The steps that register gates and take them back.

use std::sync::{Arc, Mutex};

use serde_json::json;

use crate::json::Json;
use crate::relay::binding::{Binding, Decide, Undo};
use crate::relay::recorder::lock;
use crate::relay::scenario::Gate;
use crate::relay::stage::{Acted, Stage, guarded};

/// What takes a gate back, and what it was given, each thing once: how often it is asked is open.
pub(super) struct Shut {
    undo: Undo,
    given: Arc<Mutex<Vec<Json>>>,
}

impl<B: Binding> Stage<B> {
    pub(super) fn gate(&self, step: &Gate) -> Acted {
        let given = Arc::new(Mutex::new(Vec::new()));
        let undo = guarded(|| self.binding.gate(step, decide(step, Arc::clone(&given))))?;
        lock(&self.gates).insert(step.id.clone(), Shut { undo: Arc::clone(&undo), given });
        lock(&self.undo).push(undo);
        Ok(Json::Null)
    }

    /// Takes a gate back; the value is whether it was there, and what it was given.
    pub(super) fn ungate(&self, id: &str, of: &str) -> Acted {
        let gates = lock(&self.gates);
        let Shut { undo, given } = gates.get(of).ok_or_else(|| self.missing(id, of, "registered nothing"))?;
        let was = guarded(|| undo())?;
        Ok(json!({"was": was, "given": *lock(given)}))
    }
}

/// Decides as the step says, and notes what it is given.
fn decide(step: &Gate, given: Arc<Mutex<Vec<Json>>>) -> Decide {
    let answer = step.raises.clone().map_or_else(|| Ok(step.reason.clone()), Err);
    Box::new(move |families, name| {
        let mut families = families.to_vec();
        families.sort_unstable();
        let asked = json!({"families": families, "name": name});
        let mut given = lock(&given);
        if !given.contains(&asked) {
            given.push(asked);
        }
        answer.clone()
    })
}
