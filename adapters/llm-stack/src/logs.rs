//! What the crate logs, as records.
//!
//! Enters: events of `tracing`. Leaves: records of the scenario that runs. Must not know what they say.

use std::cell::RefCell;

use bindproof_adapter::Json;
use serde_json::Map;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::recorder::{Recorder, turn};

thread_local! {
    /// Where the running scenario's events go.
    static WRITTEN_TO: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// Has all events of this thread written to a recorder from now on.
pub fn write_to(recorder: &Recorder) {
    WRITTEN_TO.set(Some(recorder.clone()));
}

/// Takes in every event of the crate that is driven, and no other.
pub struct Logs;

impl Subscriber for Logs {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && metadata.target().starts_with("llm_stack")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let message = fields.0.remove("message").unwrap_or_default();
        let level = event.metadata().level().as_str();
        WRITTEN_TO.with_borrow(|recorder| {
            if let Some(recorder) = recorder {
                let members = [("level", level.into()), ("message", message), ("fields", Json::Object(fields.0))];
                recorder.put("log", turn().as_deref(), members);
            }
        });
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The fields of an event by their names.
#[derive(Default)]
struct Fields(Map<String, Json>);

impl Visit for Fields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").into());
    }
}
