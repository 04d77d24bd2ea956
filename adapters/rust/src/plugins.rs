//! Plugins of the program's own, and the host that they are activated in.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use bindproof_adapter::Json;
use bindproof_adapter::relay::{Plugins as Script, Refusal, Undo};
use nemo_relay::plugin::{
    ConfigDiagnostic, Plugin, PluginComponentSpec, PluginConfig, PluginError, PluginRegistrationContext, Result,
    deregister_plugin, initialize, register_plugin,
};
use serde_json::Map;
use tokio::runtime::Runtime;

use crate::families;
use crate::json::uninstalled;

/// In place of the user's own file of plugins, which would be merged in: that none is there is a warning.
const NO_FILE: &str = "/nonexistent/plugins.toml";

/// Registers the plugins' kinds and activates a host with them alone; gives what closes that.
pub fn install(runtime: &Runtime, script: Script) -> std::result::Result<Undo, Refusal> {
    let components = script.names.iter().map(|name| PluginComponentSpec::new(kind_of(name))).collect();
    let config = PluginConfig { components, ..PluginConfig::default() };
    let known = register_all(Arc::new(script)).map_err(uninstalled)?;
    let host = runtime.block_on(initialize(config, Some(PathBuf::from(NO_FILE)))).map_err(|error| {
        forget(&known);
        uninstalled(error)
    })?;
    let host = Mutex::new(host);
    Ok(Arc::new(move || {
        let closed = host.lock().unwrap_or_else(PoisonError::into_inner).close();
        let were_there = forget(&known);
        closed.map(|()| were_there).map_err(uninstalled)
    }))
}

/// Registers each kind once; gives them.
fn register_all(script: Arc<Script>) -> Result<Vec<String>> {
    let mut known = Vec::new();
    for name in &script.names {
        let kind = kind_of(name);
        if known.contains(&kind) {
            continue;
        }
        let plugin = Scripted { script: Arc::clone(&script), name: name.clone(), kind: kind.clone() };
        if let Err(error) = register_plugin(Arc::new(plugin)) {
            forget(&known);
            return Err(error);
        }
        known.push(kind);
    }
    Ok(known)
}

/// Deregisters the kinds; tells whether all were there.
fn forget(kinds: &[String]) -> bool {
    kinds.iter().filter(|kind| deregister_plugin(kind)).count() == kinds.len()
}

/// Keeps the kinds of a scenario's plugins apart from those that are the crate's own.
const PREFIX: &str = "bindproof-";

fn kind_of(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// The name of the plugin of a kind; a kind that no scenario's plugin has stays as it is.
pub fn name_of(kind: &str) -> String {
    kind.strip_prefix(PREFIX).unwrap_or(kind).into()
}

struct Scripted {
    script: Arc<Script>,
    name: String,
    kind: String,
}

impl Plugin for Scripted {
    fn plugin_kind(&self) -> &str {
        &self.kind
    }

    fn validate(&self, _: &Map<String, Json>) -> Vec<ConfigDiagnostic> {
        Vec::new()
    }

    fn register<'a>(
        &'a self,
        _: &Map<String, Json>,
        context: &'a mut PluginRegistrationContext,
    ) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
        Box::pin(async move {
            let played = self.script.play(&self.name, |step, callee| families::register_in(context, step, callee));
            played.map_err(PluginError::RegistrationFailed)
        })
    }
}
