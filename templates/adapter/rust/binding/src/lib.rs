//! A toy of a runtime: it hands the request of a call to intercepts and then to a provider. Your binding goes here.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

/// The toy's release.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Makes the request that is asked of a call's name and request.
pub type Intercept = Box<dyn Fn(&str, Value) -> Result<Value, String> + Send + Sync>;

struct Kept {
    name: String,
    priority: i32,
    break_chain: bool,
    intercept: Intercept,
}

/// Keeps intercepts.
#[derive(Default)]
pub struct Toy {
    kept: Mutex<Vec<Arc<Kept>>>,
}

impl Toy {
    /// Registers an intercept.
    pub fn register(&self, name: &str, priority: i32, break_chain: bool, intercept: Intercept) -> Result<(), String> {
        if self.registered().iter().any(|one| one == name) {
            return Err(format!("invalid_argument: {name} is registered already"));
        }
        self.all(|kept| kept.push(Arc::new(Kept { name: name.into(), priority, break_chain, intercept })));
        Ok(())
    }

    /// Takes an intercept back; says whether it was there.
    pub fn deregister(&self, name: &str) -> bool {
        self.all(|kept| {
            let before = kept.len();
            kept.retain(|one| one.name != name);
            kept.len() < before
        })
    }

    /// The names of the intercepts.
    pub fn registered(&self) -> Vec<String> {
        self.all(|kept| kept.iter().map(|one| one.name.clone()).collect())
    }

    /// Has the intercepts see the request, and answers with what the provider makes of it.
    pub fn call(
        &self,
        name: &str,
        request: Value,
        provider: impl FnOnce(Value) -> Result<Value, String>,
    ) -> Result<Value, String> {
        let mut in_order = self.all(|kept| kept.clone());
        // EDIT HERE: make it `other.priority.cmp(&one.priority)`, and bindproof goes red
        in_order.sort_by(|one, other| one.priority.cmp(&other.priority).then(one.name.cmp(&other.name)));
        let mut seen = request;
        for one in in_order {
            seen = (one.intercept)(name, seen)?;
            if one.break_chain {
                break;
            }
        }
        if let Some(headers) = seen["headers"].as_object_mut() {
            // those of traces, in upper or lower case, are the runtime's
            headers.retain(|key, _| !["traceparent", "tracestate"].contains(&key.to_lowercase().as_str()));
        }
        let (upper, own) = (random(), random());
        seen["headers"]["traceparent"] = json!(format!("00-{upper:016x}{own:016x}-{own:016x}-01"));
        provider(seen)
    }

    fn all<T>(&self, act: impl FnOnce(&mut Vec<Arc<Kept>>) -> T) -> T {
        act(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What the standard library has for a random number.
fn random() -> u64 {
    RandomState::new().hash_one(0)
}
