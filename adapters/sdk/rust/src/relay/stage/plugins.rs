//! The steps that install plugins and take them back.

use super::*;
use crate::relay::plugin::{Enlist, Enlisting};

impl<B: Binding> Stage<B> {
    pub(super) fn install(self: &Arc<Self>, id: &str, names: &[String], ops: &Ops) -> Acted {
        let stage: Arc<dyn Enlisting> = Arc::clone(self) as Arc<dyn Enlisting>;
        let plugins = Plugins { names: names.to_vec(), callback: self.callback(id, ops), stage };
        let undo = guarded(|| self.binding.install(plugins))?;
        lock(&self.installed).insert(id.into(), undo);
        Ok(Json::Null)
    }

    pub(super) fn uninstall(&self, id: &str, of: &str) -> Acted {
        let undo = lock(&self.installed).get(of).cloned();
        let undo = undo.ok_or_else(|| self.missing(id, of, "installed nothing"))?;
        guarded(|| undo())?;
        lock(&self.installed).remove(of);
        Ok(Json::Null)
    }

    /// Takes back what is installed still.
    pub(super) fn uninstall_all(&self) {
        let installed = std::mem::take(&mut *lock(&self.installed));
        for undo in installed.into_values() {
            let _ = guarded(|| undo());
        }
    }
}

impl<B: Binding> Enlisting for Stage<B> {
    fn register_in_plugin(self: Arc<Self>, step: &Register, enlist: &mut Enlist<'_>) -> Result<(), Stop> {
        let acted = self.callee(step).and_then(|callee| guarded(|| enlist(step, callee)));
        self.ended(&step.id, acted.map(|()| Json::Null))
    }
}
