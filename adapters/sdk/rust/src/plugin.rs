//! A plugin that a scenario installs.
//!
//! Enters: how its binding registers through the context that it hands a plugin. Leaves: what the plugin's callback came
//! to. Must not know any binding's types.

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::json;

use crate::Json;
use crate::binding::Callee;
use crate::callback::Callback;
use crate::scenario::{Op, Step};
use crate::signals::{Refusal, Stop};
use crate::steps::Register;

/// Registers what a step's family says through the context of a plugin.
pub type Enlist<'a> = dyn FnMut(&Register, Callee) -> Result<(), Refusal> + 'a;

/// One plugin of one scenario.
pub struct Plugin(pub(crate) Callback);

impl Plugin {
    /// Plays the plugin's callback, which registers by `enlist`. The error is the text to end with.
    pub fn play(&self, enlist: impl FnMut(&Register, Callee) -> Result<(), Refusal>) -> Result<(), String> {
        let enlist = RefCell::new(enlist);
        self.0.install(&json!({}), Json::Null, &|op: &Op| match op {
            Op::Step(Step::Register(step)) => {
                Arc::clone(&self.0.stage).register_in_plugin(step, &mut *enlist.borrow_mut())
            }
            other => Err(Stop::Fault(format!("plugin '{}': it does nothing but register, not {other:?}", self.0.name))),
        })
    }
}
