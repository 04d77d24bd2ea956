//! What each call is answered, and the notes of what happened.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use nemo_relay_plugin::Json;
use serde_json::from_slice;

/// Steps by the name of their call, and the folder for notes.
pub struct Story {
    folder: PathBuf,
    steps: HashMap<String, Json>,
}

impl Story {
    /// Reads `answers.json`; an error says what is wrong with it.
    pub fn read(folder: &str) -> Result<Self, String> {
        let folder = PathBuf::from(folder);
        let text = fs::read(folder.join("answers.json")).map_err(|error| format!("answers.json: {error}"))?;
        let steps = from_slice(&text).map_err(|error| format!("answers.json: {error}"))?;
        Ok(Self { folder, steps })
    }

    /// The step of a call of this name whose result is one of these.
    pub fn step(&self, name: &str, results: &[&str]) -> Option<&Json> {
        self.steps.get(name).filter(|step| results.contains(&step["result"].as_str().unwrap_or_default()))
    }

    /// What comes of the registration, as the step says that loads the plugin.
    pub fn registration(&self) -> &str {
        self.steps.values().find_map(|step| step["register"].as_str()).unwrap_or_default()
    }

    /// Writes a line into one of the notes. A note that cannot be written is missed by who reads it.
    pub fn note(&self, which: &str, line: &str) {
        let file = OpenOptions::new().append(true).create(true).open(self.folder.join(which));
        let _ = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    }
}

/// The bytes that a step states; null is the outcome that changes nothing.
pub fn octets(cell: &Json) -> Vec<u8> {
    if let Some(text) = cell.as_str() {
        return text.as_bytes().to_vec();
    }
    if cell.is_null() {
        return br#"{"request":{"headers":{},"content":{"messages":[]}}}"#.to_vec();
    }
    let text = |part: &str| cell[part].as_str().unwrap_or_default();
    let mut found = text("text").as_bytes().to_vec();
    found.extend(text("bytes").as_bytes().chunks(2).filter_map(byte));
    found.resize(found.len() + usize::try_from(cell["pad"].as_u64().unwrap_or_default()).unwrap_or_default(), b' ');
    found.extend(text("end").as_bytes());
    found
}

fn byte(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
