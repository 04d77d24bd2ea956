#include "bridge.h"

#include "_cgo_export.h"

static void on_free(void *handle) { goFree((uintptr_t)handle); }

static void on_event(void *handle, const struct FfiEvent *event) {
    char *text = nemo_relay_event_json(event);
    goEvent((uintptr_t)handle, text);
    nemo_relay_string_free(text);
}

static NemoRelayStatus on_intercept(void *handle, const char *name, const struct FfiLLMRequest *request,
                                    const char *annotated, char **out) {
    char *headers = nemo_relay_llm_request_headers(request);
    char *content = nemo_relay_llm_request_content(request);
    *out = goIntercept((uintptr_t)handle, (char *)name, headers, content, (char *)annotated);
    nemo_relay_string_free(headers);
    nemo_relay_string_free(content);
    return *out ? NEMO_RELAY_STATUS_OK : NEMO_RELAY_STATUS_INTERNAL;
}

static char *on_provide(void *handle, const char *request) { return goProvide((uintptr_t)handle, (char *)request); }

static char *on_decode(void *handle, const struct FfiLLMRequest *request) {
    char *headers = nemo_relay_llm_request_headers(request);
    char *content = nemo_relay_llm_request_content(request);
    char *annotated = goDecode((uintptr_t)handle, headers, content);
    nemo_relay_string_free(headers);
    nemo_relay_string_free(content);
    return annotated;
}

static char *on_encode(void *handle, const char *annotated, const struct FfiLLMRequest *original) {
    char *headers = nemo_relay_llm_request_headers(original);
    char *content = nemo_relay_llm_request_content(original);
    char *encoded = goEncode((uintptr_t)handle, (char *)annotated, headers, content);
    nemo_relay_string_free(headers);
    nemo_relay_string_free(content);
    return encoded;
}

NemoRelayStatus bridge_subscribe(const char *name, uintptr_t handle) {
    return nemo_relay_register_subscriber(name, on_event, (void *)handle, on_free);
}

NemoRelayStatus bridge_intercept(const char *name, int32_t priority, bool break_chain, uintptr_t handle) {
    return nemo_relay_register_llm_request_intercept(name, priority, break_chain, on_intercept, (void *)handle, on_free);
}

NemoRelayStatus bridge_call(const char *name, const char *request, const char *model, uintptr_t provider,
                            uintptr_t codec, char **out) {
    return nemo_relay_llm_call_execute(name, request, on_provide, (void *)provider, on_free, NULL, 0, NULL, NULL, model,
                                       codec ? on_decode : NULL, codec ? on_encode : NULL, (void *)codec,
                                       codec ? on_free : NULL, NULL, out);
}
