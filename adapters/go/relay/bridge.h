#ifndef BINDPROOF_BRIDGE_H
#define BINDPROOF_BRIDGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "nemo_relay.h"

#ifndef RELAY_RELEASE
#error "RELAY_RELEASE has to be 1000 times the library's major version plus its minor one"
#endif

/* The library's callbacks take const pointers and void user data, Go's exported functions neither. A handle is a Go
   cgo.Handle: a number, never a Go pointer. The library gives every handle back exactly once. */

/* `kind` is the library's own name of what is registered, such as llm_request_intercept; `plugin` is null or the context of
   a plugin that is asked to register, `scope` null or a uuid. */
NemoRelayStatus bridge_register(const char *kind, struct FfiPluginContext *plugin, const char *scope, const char *name,
                                int32_t priority, bool break_chain, uintptr_t handle);
NemoRelayStatus bridge_deregister(const char *kind, const char *scope, const char *name);
NemoRelayStatus bridge_register_gate(const char *name, const char *kinds, const char *target, uintptr_t handle);

/* From release 0.9 on a program owns the plugins that it has activated; before that `active` is null. */
#if RELAY_RELEASE >= 9
typedef struct FfiPluginHostActivation bridge_activation;
#else
typedef struct bridge_activation bridge_activation;
#endif
NemoRelayStatus bridge_register_plugin(const char *kind, uintptr_t handle);
NemoRelayStatus bridge_activate_plugins(const char *config, bridge_activation **active);
NemoRelayStatus bridge_close_plugins(bridge_activation *active);
void bridge_free_plugins(bridge_activation *active);

/* Before 0.9 no function is called so; what names no root has none. */
NemoRelayStatus bridge_capture_rootless(char **out);

NemoRelayStatus bridge_llm_call(const char *name, const char *request, const struct FfiScopeHandle *parent,
                                uint32_t attributes, const char *data, const char *metadata, const char *model,
                                uintptr_t provider, uintptr_t codec, const struct FfiCodecHandle *response_codec,
                                char **out);
NemoRelayStatus bridge_stream_call(const char *name, const char *request, const struct FfiScopeHandle *parent,
                                   uint32_t attributes, const char *data, const char *metadata, const char *model,
                                   uintptr_t provider, uintptr_t codec, const struct FfiCodecHandle *response_codec,
                                   struct FfiStream **out);
NemoRelayStatus bridge_tool_call(const char *name, const char *args, const struct FfiScopeHandle *parent,
                                 uint32_t attributes, const char *data, const char *metadata, const char *tool_call_id,
                                 uintptr_t provider, char **out);

/* Whether what wraps a tool's execution is told a context; before 0.9 it is told the arguments alone. */
enum { bridge_tool_context = RELAY_RELEASE >= 9 };

/* What goes on with an execution: both kinds have this type. */
typedef char *(*bridge_next)(const char *argument, void *context);
char *bridge_go_on(bridge_next next, const char *argument, void *context);

#endif
