//! The steps that register gates and take them back.

use std::sync::{Arc, Mutex};

use serde_json::json;

use crate::json::Json;
use crate::relay::binding::{Binding, Decide, Undo};
use crate::relay::recorder::lock;
use crate::relay::refusal::{Failure, Refusal};
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
        let about = Gate { target: self.effective(step)?, ..step.clone() };
        let undo = guarded(|| self.binding.gate(&about, decide(step, &about.target, Arc::clone(&given))))?;
        lock(&self.gates).insert(step.id.clone(), Shut { undo: Arc::clone(&undo), given });
        lock(&self.undo).push(undo);
        Ok(Json::Null)
    }

    /// The name that a gate is registered about: of what a plugin registered, what the binding's listing says.
    fn effective(&self, step: &Gate) -> Result<String, Refusal> {
        let (Some(plugin), target) = (&step.plugin, &step.target) else { return Ok(step.target.clone()) };
        let listed = guarded(|| self.binding.registered(step.families.first().map(String::as_str)))?;
        let mut listed = listed.into_iter();
        let found = listed.find(|one| one.plugin.as_ref() == Some(plugin) && one.name == *target);
        found.map(|one| one.effective).ok_or_else(|| {
            let message = format!("nothing is listed as '{target}' of the plugin '{plugin}'");
            Failure { kind: "needs what is not listed".into(), message, code: None }.into()
        })
    }

    /// Takes a gate back; the value is whether it was there, and what it was given.
    pub(super) fn ungate(&self, id: &str, of: &str) -> Acted {
        let gates = lock(&self.gates);
        let Shut { undo, given } = gates.get(of).ok_or_else(|| self.missing(id, of, "registered nothing"))?;
        let was = guarded(|| undo())?;
        Ok(json!({"was": was, "given": *lock(given)}))
    }
}

/// Decides as the step says, and notes what it is given. By the effective name of what a plugin registered it is asked
/// about what the step speaks of: how the binding makes such names is its own affair.
fn decide(step: &Gate, effective: &str, given: Arc<Mutex<Vec<Json>>>) -> Decide {
    let answer = step.raises.clone().map_or_else(|| Ok(step.reason.clone()), Err);
    let (target, plugin, effective) = (step.target.clone(), step.plugin.clone(), effective.to_owned());
    Box::new(move |families, name| {
        let mut families = families.to_vec();
        families.sort_unstable();
        let asked = match &plugin {
            Some(plugin) if name == effective => json!({"families": families, "name": target, "plugin": plugin}),
            _ => json!({"families": families, "name": name}),
        };
        let mut given = lock(&given);
        if !given.contains(&asked) {
            given.push(asked);
        }
        answer.clone()
    })
}
