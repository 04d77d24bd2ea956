#ifndef BINDPROOF_BRIDGE_H
#define BINDPROOF_BRIDGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "nemo_relay.h"

/* The library's callbacks take const pointers and void user data, Go's exported functions neither. A handle is a Go
   cgo.Handle: a number, never a Go pointer. The library gives every handle back exactly once. */
NemoRelayStatus bridge_subscribe(const char *name, uintptr_t handle);
NemoRelayStatus bridge_intercept(const char *name, int32_t priority, bool break_chain, uintptr_t handle);
NemoRelayStatus bridge_call(const char *name, const char *request, const char *model, uintptr_t provider,
                            uintptr_t codec, char **out);

#endif
