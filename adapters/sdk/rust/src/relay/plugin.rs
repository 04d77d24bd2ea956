//! The plugins that a step of a scenario installs.
//!
//! Enters: how its binding registers through the context that it hands a plugin. Leaves: what a plugin's callback came
//! to. Must not know any binding's types.

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::json;

use crate::json::Json;
use crate::relay::callback::Callback;
use crate::relay::callee::Callee;
use crate::relay::refusal::Refusal;
use crate::relay::scenario::{Op, Register, Step};
use crate::signals::Stop;

/// Registers what a step's family says through the context of a plugin.
pub type Enlist<'a> = dyn FnMut(&Register, Callee) -> Result<(), Refusal> + 'a;

/// Who acts what a plugin's callback does.
pub trait Enlisting: Send + Sync {
    /// Acts a step that registers.
    fn register_in_plugin(self: Arc<Self>, step: &Register, enlist: &mut Enlist<'_>) -> Result<(), Stop>;
}

/// The plugins that one step installs together.
pub struct Plugins {
    /// Their names, in the order in which they are configured; one that stands twice is configured twice.
    pub names: Vec<String>,
    pub(crate) callback: Callback,
    pub(crate) stage: Arc<dyn Enlisting>,
}

impl Plugins {
    /// Plays the callback for the plugin of a name, which registers by `enlist`. The error is the text to end with.
    pub fn play(&self, name: &str, enlist: impl FnMut(&Register, Callee) -> Result<(), Refusal>) -> Result<(), String> {
        let enlist = RefCell::new(enlist);
        self.callback.install(&json!({"plugin": name}), Json::Null, &|op: &Op| match op {
            Op::Step(Step::Register(step)) => {
                Arc::clone(&self.stage).register_in_plugin(step, &mut *enlist.borrow_mut())
            }
            other => {
                let name = &self.callback.name;
                Err(Stop::Fault(format!("plugin '{name}': it does nothing but register, not {other:?}")))
            }
        })
    }
}
