//! A plugin of the program's own, and the host that it is activated in.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use bindproof_adapter::Json;
use bindproof_adapter::relay::{Plugin as Script, Refusal, Undo};
use nemo_relay::plugin::{
    ConfigDiagnostic, Plugin, PluginComponentSpec, PluginConfig, PluginError, PluginRegistrationContext, Result,
    deregister_plugin, initialize, register_plugin,
};
use serde_json::Map;
use tokio::runtime::Runtime;

use crate::families;
use crate::json::uninstalled;

const KIND: &str = "bindproof";

/// In place of the user's own file of plugins, which would be merged in: that none is there is a warning.
const NO_FILE: &str = "/nonexistent/plugins.toml";

/// Registers the plugin's kind and activates a host with it alone; gives what closes that.
pub fn install(runtime: &Runtime, script: Script) -> std::result::Result<Undo, Refusal> {
    register_plugin(Arc::new(Scripted(script))).map_err(uninstalled)?;
    let components = vec![PluginComponentSpec::new(KIND)];
    let config = PluginConfig { components, ..PluginConfig::default() };
    let host = runtime.block_on(initialize(config, Some(PathBuf::from(NO_FILE)))).map_err(|error| {
        deregister_plugin(KIND);
        uninstalled(error)
    })?;
    let host = Mutex::new(host);
    Ok(Arc::new(move || {
        let closed = host.lock().unwrap_or_else(PoisonError::into_inner).close();
        let was_there = deregister_plugin(KIND);
        closed.map(|()| was_there).map_err(uninstalled)
    }))
}

struct Scripted(Script);

impl Plugin for Scripted {
    fn plugin_kind(&self) -> &str {
        KIND
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
            let played = self.0.play(|step, callee| families::register_in(context, step, callee));
            played.map_err(PluginError::RegistrationFailed)
        })
    }
}
