//! The steps that install plugins and take them back.

use super::*;

impl<B: Binding> Stage<B> {
    pub(super) fn install(self: &Arc<Self>, id: &str, ops: &Ops) -> Acted {
        let plugin = Plugin(self.callback(id, ops));
        let undo = guarded(|| self.binding.install(plugin))?;
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
