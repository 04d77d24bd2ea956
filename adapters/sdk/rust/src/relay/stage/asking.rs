//! What a program asks the binding: what is registered, which scope is the current one, what a handle says.

use serde_json::json;

use crate::relay::binding::{Binding, Listed};
use crate::relay::scenario::List;
use crate::relay::stage::{Acted, Stage, guarded};

impl<B: Binding> Stage<B> {
    pub(super) fn list(&self, step: &List) -> Acted {
        let listed = guarded(|| self.binding.registered(step.only.as_deref()))?;
        Ok(listed.iter().map(Listed::owned).collect())
    }

    pub(super) fn current(&self) -> Acted {
        guarded(|| self.binding.current()).map(|(uuid, name)| json!({"uuid": uuid, "name": name}))
    }

    pub(super) fn told(&self, id: &str, of: &str) -> Acted {
        let of = self.handle(id, of)?;
        guarded(|| self.binding.told(&of))
    }
}
