//! The members that a program states of an object, each taken once, as the type that the crate has for it.

use bindproof_adapter::{Json, Stop};
use serde::de::DeserializeOwned;
use serde_json::Map;

use crate::json::typed;

/// What cannot be said where an object has members that no constructor takes, or lacks one that each does.
pub const PATH: &str = "members";

/// The members that an object is to be built of. What no constructor takes no program can state.
pub struct Members(Json);

impl Members {
    /// Returns the members that a scenario states, an object.
    pub fn of(stated: Json) -> Self {
        Self(stated)
    }

    fn take(&mut self, name: &str) -> Option<Json> {
        self.0.as_object_mut().and_then(|members| members.remove(name))
    }

    /// Returns a member that no object of its kind lacks.
    pub fn needed<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, Stop> {
        let value =
            self.take(name).ok_or_else(|| Stop::inexpressible(PATH, format!("there is no object without {name}")))?;
        typed(PATH, value)
    }

    /// Returns a member, or none where the program states none.
    pub fn one<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, Stop> {
        typed(PATH, self.take(name).unwrap_or_default())
    }

    /// Returns all that is left, which are the program's own.
    pub fn rest(&mut self) -> Map<String, Json> {
        self.0.as_object_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Returns the items of a member that is a list, none where the program states none.
    pub fn several(&mut self, name: &str) -> Result<Vec<Json>, Stop> {
        self.take(name).map_or_else(|| Ok(Vec::new()), |value| typed(PATH, value))
    }

    /// Says that each member was taken, or that no constructor takes one.
    pub fn are_all_used(&self) -> Result<(), Stop> {
        match self.0.as_object().and_then(|members| members.keys().next()) {
            None => Ok(()),
            Some(name) => Err(Stop::inexpressible(PATH, format!("no constructor takes {name}"))),
        }
    }
}
