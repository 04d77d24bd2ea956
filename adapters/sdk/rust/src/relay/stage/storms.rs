//! Programs that begin at the same moment, each on a thread and on a scope stack of its own.

use std::sync::{Arc, Barrier};
use std::thread;

use crate::json::Json;
use crate::relay::binding::Binding;
use crate::relay::scenario::Step;
use crate::relay::stage::{Acted, Stage};
use crate::signals::Stop;

impl<B: Binding> Stage<B> {
    /// Acts the programs until all are over.
    pub(super) fn storm(self: &Arc<Self>, on: &str, programs: &[Vec<Step>]) -> Acted {
        if on != "threads" {
            return Err(Stop::unsupported("storm", "programs that run at once as tasks are not built yet").into());
        }
        let together = &Barrier::new(programs.len());
        thread::scope(|threads| {
            for steps in programs {
                threads.spawn(move || {
                    drop(self.binding.fresh_scope());
                    together.wait();
                    for step in steps {
                        self.or_stop(self.act(step));
                    }
                });
            }
        });
        Ok(Json::Null)
    }
}
