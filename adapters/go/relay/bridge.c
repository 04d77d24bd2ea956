#include "bridge.h"

#include <string.h>

#include "_cgo_export.h"

/* Each callback hands its texts to Go in the order of the header, but for the name of an LLM's execution, which comes last;
   a request is two texts, its headers and its content. */

static void on_free(void *handle) { goFree((uintptr_t)handle); }

static void on_event(void *handle, const struct FfiEvent *event) {
    char *text = nemo_relay_event_json(event);
    goEvent((uintptr_t)handle, text);
    nemo_relay_string_free(text);
}

static char *on_texts(void *handle, const char *name, const char *value) {
    char *texts[] = {(char *)name, (char *)value};
    return goAsk((uintptr_t)handle, 2, texts);
}

static char *on_provide(void *handle, const char *argument) {
    char *texts[] = {(char *)argument};
    return goAsk((uintptr_t)handle, 1, texts);
}

static NemoRelayStatus on_llm_request(void *handle, const char *name, const struct FfiLLMRequest *request,
                                      const char *annotated, char **out) {
    char *texts[] = {(char *)name, nemo_relay_llm_request_headers(request), nemo_relay_llm_request_content(request),
                     (char *)annotated};
    *out = goAsk((uintptr_t)handle, 4, texts);
    nemo_relay_string_free(texts[1]);
    nemo_relay_string_free(texts[2]);
    return *out ? NEMO_RELAY_STATUS_OK : NEMO_RELAY_STATUS_INTERNAL;
}

static char *on_request(void *handle, const struct FfiLLMRequest *request) {
    char *texts[] = {nemo_relay_llm_request_headers(request), nemo_relay_llm_request_content(request)};
    char *answer = goAsk((uintptr_t)handle, 2, texts);
    nemo_relay_string_free(texts[0]);
    nemo_relay_string_free(texts[1]);
    return answer;
}

/* Which codec a callback is told of: its kind, and its id or NULL. */
#define CODEC_TEXTS(context) (char *)codec_kind((context).codec_kind), (char *)(context).codec_id

static const char *codec_kind(NemoRelayLlmSanitizeCodecKind kind) {
    switch (kind) {
    case NEMO_RELAY_LLM_SANITIZE_CODEC_KIND_NONE: return "none";
    case NEMO_RELAY_LLM_SANITIZE_CODEC_KIND_BUILT_IN: return "builtin";
    case NEMO_RELAY_LLM_SANITIZE_CODEC_KIND_RUNTIME: return "runtime";
    case NEMO_RELAY_LLM_SANITIZE_CODEC_KIND_OPAQUE: return "opaque";
    default: return "unknown";
    }
}

static struct FfiLLMRequest *on_sanitize_request(void *handle, const struct FfiLLMRequest *request,
                                                 struct NemoRelayLlmSanitizeRequestContext context) {
    char *texts[] = {nemo_relay_llm_request_headers(request), nemo_relay_llm_request_content(request),
                     CODEC_TEXTS(context)};
    struct FfiLLMRequest *answer =
        goSanitizeRequest((uintptr_t)handle, 4, texts, (struct FfiLLMRequest *)request,
                          (struct FfiLlmSanitizeRequestCodec *)context.codec);
    nemo_relay_string_free(texts[0]);
    nemo_relay_string_free(texts[1]);
    return answer;
}

static char *on_sanitize_response(void *handle, const char *response,
                                  struct NemoRelayLlmSanitizeResponseContext context) {
    char *texts[] = {(char *)response, CODEC_TEXTS(context)};
    return goSanitizeResponse((uintptr_t)handle, 3, texts, (char *)response,
                              (struct FfiLlmSanitizeResponseCodec *)context.codec);
}

static char *on_tool_execution(void *handle, const char *context, NemoRelayToolExecNextFn next, void *next_context) {
    char *texts[] = {(char *)context};
    return goWrap((uintptr_t)handle, 1, texts, next, next_context);
}

static char *on_event_fields(void *handle, const struct FfiEvent *event, const char *fields) {
    char *text = nemo_relay_event_json(event);
    char *answer = on_texts(handle, text, fields);
    nemo_relay_string_free(text);
    return answer;
}

static char *on_event_metadata(void *handle, const struct FfiEvent *event) {
    char *text = nemo_relay_event_json(event);
    char *answer = on_provide(handle, text);
    nemo_relay_string_free(text);
    return answer;
}

static char *on_decode(void *handle, const struct FfiLLMRequest *request) {
    char *texts[] = {nemo_relay_llm_request_headers(request), nemo_relay_llm_request_content(request)};
    char *answer = goDecode((uintptr_t)handle, 2, texts);
    nemo_relay_string_free(texts[0]);
    nemo_relay_string_free(texts[1]);
    return answer;
}

static char *on_encode(void *handle, const char *annotated, const struct FfiLLMRequest *original) {
    char *texts[] = {(char *)annotated, nemo_relay_llm_request_headers(original),
                     nemo_relay_llm_request_content(original)};
    char *answer = goEncode((uintptr_t)handle, 3, texts);
    nemo_relay_string_free(texts[1]);
    nemo_relay_string_free(texts[2]);
    return answer;
}

/* The library exports the functions of these three, but its header does not declare them. */
#define DECLARED(stem, order)                                                                                          \
    NemoRelayStatus nemo_relay_register_##stem(const char *, int32_t, order NemoRelayToolSanitizeCb, void *,           \
                                               NemoRelayFreeFn);                                                       \
    NemoRelayStatus nemo_relay_scope_register_##stem(const char *, const char *, int32_t,                              \
                                                     order NemoRelayToolSanitizeCb, void *, NemoRelayFreeFn);          \
    NemoRelayStatus nemo_relay_deregister_##stem(const char *);                                                        \
    NemoRelayStatus nemo_relay_scope_deregister_##stem(const char *, const char *);
#define NOTHING_MORE
#define BREAKING bool,
DECLARED(tool_request_intercept, BREAKING)
DECLARED(tool_sanitize_request_guardrail, NOTHING_MORE)
DECLARED(tool_sanitize_response_guardrail, NOTHING_MORE)

/* From release 0.10 on the callback that wraps an LLM's execution is told the call's name, and of its codecs: whether each
   of them can be had, too. */
#if RELAY_RELEASE >= 10
#define RESOLVES(context) ((context).codec ? "true" : "false")

static char *on_llm_execution(void *handle, const char *name, const char *request,
                              struct NemoRelayLlmExecutionContext context, NemoRelayLlmExecNextFn next,
                              void *next_context) {
    const NemoRelayLlmResponseContext *response = context.response_codec;
    char *texts[8] = {(char *)request, (char *)name, CODEC_TEXTS(context.request_codec),
                      RESOLVES(context.request_codec)};
    if (!response) {
        return goWrap((uintptr_t)handle, 5, texts, next, next_context);
    }
    char *more[] = {CODEC_TEXTS(*response), RESOLVES(*response)};
    memcpy(texts + 5, more, sizeof more);
    return goWrap((uintptr_t)handle, 8, texts, next, next_context);
}
#else
static char *on_llm_execution(void *handle, const char *request, NemoRelayLlmExecNextFn next, void *next_context) {
    char *texts[] = {(char *)request};
    return goWrap((uintptr_t)handle, 1, texts, next, next_context);
}
#endif

/* What the library calls it, our callback, and what is handed over between the two. */
#define FAMILIES(EACH)                                                                                                 \
    EACH(llm_request_intercept, on_llm_request, priority, break_chain)                                                 \
    EACH(llm_conditional_execution_guardrail, on_request, priority)                                                    \
    EACH(llm_execution_intercept, on_llm_execution, priority)                                                          \
    EACH(llm_stream_execution_intercept, on_llm_execution, priority)                                                   \
    EACH(llm_sanitize_request_guardrail, on_sanitize_request, priority)                                                \
    EACH(llm_sanitize_response_guardrail, on_sanitize_response, priority)                                              \
    EACH(tool_request_intercept, on_texts, priority, break_chain)                                                      \
    EACH(tool_conditional_execution_guardrail, on_texts, priority)                                                     \
    EACH(tool_execution_intercept, on_tool_execution, priority)                                                        \
    EACH(tool_sanitize_request_guardrail, on_texts, priority)                                                          \
    EACH(tool_sanitize_response_guardrail, on_texts, priority)                                                         \
    EACH(mark_sanitize_guardrail, on_event_fields, priority)                                                           \
    EACH(scope_sanitize_start_guardrail, on_event_fields, priority)                                                    \
    EACH(scope_sanitize_end_guardrail, on_event_fields, priority)                                                      \
    EACH(event_metadata_injector, on_event_metadata, priority)

NemoRelayStatus bridge_register(const char *kind, struct FfiPluginContext *plugin, const char *scope, const char *name,
                                int32_t priority, bool break_chain, uintptr_t handle) {
    void *data = (void *)handle;
#define REGISTER(stem, callback, ...)                                                                                  \
    if (strcmp(kind, #stem) == 0)                                                                                      \
        return plugin  ? nemo_relay_plugin_context_register_##stem(plugin, name, __VA_ARGS__, callback, data, on_free) \
               : scope ? nemo_relay_scope_register_##stem(scope, name, __VA_ARGS__, callback, data, on_free)           \
                       : nemo_relay_register_##stem(name, __VA_ARGS__, callback, data, on_free);
    FAMILIES(REGISTER)
    if (strcmp(kind, "subscriber") == 0)
        return plugin  ? nemo_relay_plugin_context_register_subscriber(plugin, name, on_event, data, on_free)
               : scope ? nemo_relay_scope_register_subscriber(scope, name, on_event, data, on_free)
                       : nemo_relay_register_subscriber(name, on_event, data, on_free);
    on_free(data);
    return NEMO_RELAY_STATUS_INVALID_ARG;
}

NemoRelayStatus bridge_deregister(const char *kind, const char *scope, const char *name) {
#define DEREGISTER(stem, ...)                                                                                          \
    if (strcmp(kind, #stem) == 0)                                                                                      \
        return scope ? nemo_relay_scope_deregister_##stem(scope, name) : nemo_relay_deregister_##stem(name);
    FAMILIES(DEREGISTER)
    return scope ? nemo_relay_scope_deregister_subscriber(scope, name) : nemo_relay_deregister_subscriber(name);
}

NemoRelayStatus bridge_register_gate(const char *name, const char *kinds, const char *target, uintptr_t handle) {
    void *data = (void *)handle;
    return nemo_relay_register_conditional_middleware_guardrail(name, kinds, target, on_texts, data, on_free);
}

static NemoRelayStatus on_plugin(void *handle, const char *config, struct FfiPluginContext *context) {
    return goPlugin((uintptr_t)handle, context);
}

/* The header leaves the type of the validator incomplete; in the library it is a pointer to a function, or null. */
typedef NemoRelayStatus (*register_plugin)(const char *, char *(*)(void *, const char *), NemoRelayPluginRegisterCb,
                                           void *, NemoRelayFreeFn);

NemoRelayStatus bridge_register_plugin(const char *kind, uintptr_t handle) {
    register_plugin call = (register_plugin)nemo_relay_register_plugin;
    return call(kind, NULL, on_plugin, (void *)handle, on_free);
}

/* In place of the user's own file of plugins, which would be merged in: that none is there is a warning. */
#define NO_FILE "/nonexistent/plugins.toml"

NemoRelayStatus bridge_activate_plugins(const char *config, bridge_activation **active) {
    char *report = NULL;
#if RELAY_RELEASE >= 9
    NemoRelayStatus status = nemo_relay_plugin_initialize(config, NO_FILE, active, &report);
#else
    NemoRelayStatus status = nemo_relay_initialize_plugins(config, &report);
#endif
    nemo_relay_string_free(report);
    return status;
}

#if RELAY_RELEASE >= 9
NemoRelayStatus bridge_close_plugins(bridge_activation *active) {
    return nemo_relay_plugin_host_activation_close(active);
}
void bridge_free_plugins(bridge_activation *active) { nemo_relay_plugin_host_activation_free(&active); }
#else
NemoRelayStatus bridge_close_plugins(bridge_activation *active) { return nemo_relay_clear_plugin_configuration(); }
void bridge_free_plugins(bridge_activation *active) {}
#endif

NemoRelayStatus bridge_capture_rootless(char **out) {
#if RELAY_RELEASE >= 9
    return nemo_relay_capture_rootless_propagation_context_json(out);
#else
    return nemo_relay_capture_propagation_context_with_root_json(NULL, out);
#endif
}

NemoRelayStatus bridge_llm_call(const char *name, const char *request, const struct FfiScopeHandle *parent,
                                uint32_t attributes, const char *data, const char *metadata, const char *model,
                                uintptr_t provider, uintptr_t codec, const struct FfiCodecHandle *response_codec,
                                char **out) {
    return nemo_relay_llm_call_execute(name, request, on_provide, (void *)provider, on_free, parent, attributes, data,
                                       metadata, model, codec ? on_decode : NULL, codec ? on_encode : NULL,
                                       (void *)codec, codec ? on_free : NULL, response_codec, out);
}

/* The header leaves the types of the collector and the finalizer incomplete, so that its function cannot be called as it
   is declared; in the library they are pointers to functions, before 0.11 without user data. */
#if RELAY_RELEASE >= 11
static int32_t on_collect(void *unused, const char *chunk) {
    (void)unused;
    goCollect((char *)chunk);
    return 0;
}
static char *on_finalize(void *unused) {
    (void)unused;
    return goFinalize();
}
#define ON_STREAM on_collect, on_finalize, NULL, NULL
#define STREAM_TYPES int32_t (*)(void *, const char *), char *(*)(void *), void *, NemoRelayFreeFn
#else
static void on_collect(const char *chunk) { goCollect((char *)chunk); }
#define ON_STREAM on_collect, goFinalize
#define STREAM_TYPES void (*)(const char *), char *(*)(void)
#endif
typedef NemoRelayStatus (*stream_call)(const char *, const char *, NemoRelayLlmExecCb, void *, NemoRelayFreeFn,
                                       STREAM_TYPES, const struct FfiScopeHandle *, uint32_t, const char *,
                                       const char *, const char *, NemoRelayCodecDecodeFn, NemoRelayCodecEncodeFn,
                                       void *, NemoRelayFreeFn, const struct FfiCodecHandle *, struct FfiStream **);

NemoRelayStatus bridge_stream_call(const char *name, const char *request, const struct FfiScopeHandle *parent,
                                   uint32_t attributes, const char *data, const char *metadata, const char *model,
                                   uintptr_t provider, uintptr_t codec, const struct FfiCodecHandle *response_codec,
                                   struct FfiStream **out) {
    stream_call call = (stream_call)nemo_relay_llm_stream_call_execute;
    return call(name, request, on_provide, (void *)provider, on_free, ON_STREAM, parent, attributes, data, metadata,
                model, codec ? on_decode : NULL, codec ? on_encode : NULL, (void *)codec, codec ? on_free : NULL,
                response_codec, out);
}

NemoRelayStatus bridge_tool_call(const char *name, const char *args, const struct FfiScopeHandle *parent,
                                 uint32_t attributes, const char *data, const char *metadata, const char *tool_call_id,
                                 uintptr_t provider, char **out) {
    void *user_data = (void *)provider;
    if (tool_call_id == NULL)
        return nemo_relay_tool_call_execute(name, args, on_provide, user_data, on_free, parent, attributes, data,
                                            metadata, out);
    return nemo_relay_tool_call_execute_v2(name, args, on_provide, user_data, on_free, parent, attributes, data,
                                           metadata, tool_call_id, out);
}

char *bridge_go_on(bridge_next next, const char *argument, void *context) { return next(argument, context); }
