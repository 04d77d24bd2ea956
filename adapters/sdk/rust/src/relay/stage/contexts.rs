//! The contexts of a program: each has a scope stack of its own, which may be made of what another process is told.

use crate::json::Json;
use crate::relay::binding::Binding;
use crate::relay::capturing::{Capture, Context};
use crate::relay::recorder::lock;
use crate::relay::stage::{Acted, Stage, guarded};

impl<B: Binding> Stage<B> {
    /// Begins a context, in which all goes on.
    pub(super) fn begin(&self, step: &Context) -> Acted {
        let beside = match &step.from {
            None => self.binding.fresh_scope(),
            Some(from) => {
                let captured = lock(&self.captured).get(from).cloned();
                let captured = captured.ok_or_else(|| self.missing(&step.id, from, "captured nothing"))?;
                guarded(|| self.binding.received(&captured))?
            }
        };
        lock(&self.contexts).push(beside);
        Ok(Json::Null)
    }

    /// Leaves the innermost context: the thread is brought back to the scope stack of the one around it.
    pub(super) fn back(&self) {
        let mut contexts = lock(&self.contexts);
        contexts.pop();
        let around = contexts.last().unwrap_or(&self.beside);
        around();
    }

    /// Takes down what another process is told of where the program stands.
    pub(super) fn capture(&self, step: &Capture) -> Acted {
        let root = step.root.as_deref().map(|root| self.handle(&step.id, root)).transpose()?;
        let captured = guarded(|| self.binding.capture(step, root.as_ref()))?;
        lock(&self.captured).insert(step.id.clone(), captured.clone());
        Ok(captured)
    }
}
