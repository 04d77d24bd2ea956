// Whether a gate that fails takes away what it is about. Where the folder $RELAY has nemo_relay.h and the C library of
// the crate nemo-relay-ffi:
//
//     cc -I$RELAY docs/probes/failing-gate.c -o gate -L$RELAY -lnemo_relay_ffi -Wl,-rpath,$RELAY && ./gate

#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "nemo_relay.h"

// The header leaves it out.
NemoRelayStatus nemo_relay_register_tool_request_intercept(const char *name, int32_t priority, bool break_chain,
                                                           NemoRelayToolSanitizeCb callback, void *user_data,
                                                           NemoRelayFreeFn free_fn);

static bool has_run = false;

static char *intercept(void *user_data, const char *name, const char *args) {
    (void)user_data, (void)name;
    has_run = true;
    return strdup(args);
}

static char *fails(void *user_data, const char *kinds, const char *name) {
    (void)user_data, (void)kinds, (void)name;
    nemo_relay_set_last_error_message("the file of rules is gone");
    return NULL;
}

int main(void) {
    nemo_relay_register_tool_request_intercept("i", 0, false, intercept, NULL, NULL);
    nemo_relay_register_conditional_middleware_guardrail("g", "[\"tool_request_intercept\"]", "i", fails, NULL, NULL);
    char *args = NULL;
    NemoRelayStatus status = nemo_relay_tool_request_intercepts("t", "{}", &args);
    printf("the helper answers %d; beside a gate that fails the intercept %s\n", (int)status,
           has_run ? "has run" : "has not run");
    return 0;
}
