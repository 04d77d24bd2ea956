//! A plugin of the program's own, and the host that it is activated in.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use bindproof_adapter::{Json, Plugin as Script, Refusal, Undo};
use nemo_relay::plugin::{
    ConfigDiagnostic, Plugin, PluginComponentSpec, PluginConfig, PluginError, PluginHostActivation,
    PluginRegistrationContext, Result, deregister_plugin, register_plugin,
};
use serde_json::Map;
use tokio::runtime::Runtime;

use crate::families;
use crate::json::uninstalled;

const KIND: &str = "bindproof";

/// Registers the plugin's kind and activates a host with it alone; gives what closes that.
pub fn install(runtime: &Runtime, script: Script) -> std::result::Result<Undo, Refusal> {
    register_plugin(Arc::new(Scripted(script))).map_err(uninstalled)?;
    let components = vec![PluginComponentSpec::new(KIND)];
    let activating = PluginHostActivation::initialize_exact(PluginConfig { components, ..PluginConfig::default() });
    let host = runtime.block_on(activating).map_err(|error| {
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
