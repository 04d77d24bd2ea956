// What closing a stream answers that was read to its end, where its finalizer has failed. Where the folder $RELAY has
// nemo_relay.h and the C library of the crate nemo-relay-ffi 0.11.0 (-DBEFORE_0_11 for an older one):
//
//     cc -I$RELAY docs/probes/closing-a-read-stream.c -o closing -L$RELAY -lnemo_relay_ffi -Wl,-rpath,$RELAY && ./closing

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "nemo_relay.h"

#ifdef BEFORE_0_11
#define OF_CALLBACKS
#define CALLBACKS
#else
#define OF_CALLBACKS void *, NemoRelayFreeFn,
#define CALLBACKS NULL, NULL,
#endif

// The header leaves the types of collector and finalizer incomplete; they are pointers to functions.
typedef NemoRelayStatus (*stream_call)(const char *, const char *, NemoRelayLlmExecCb, void *, NemoRelayFreeFn,
                                       void (*)(const char *), char *(*)(void *),
                                       OF_CALLBACKS const struct FfiScopeHandle *, uint32_t, const char *, const char *,
                                       const char *, NemoRelayCodecDecodeFn, NemoRelayCodecEncodeFn, void *,
                                       NemoRelayFreeFn, const struct FfiCodecHandle *, struct FfiStream **);

static char *chunk(void *user_data, const char *request) {
    (void)user_data, (void)request;
    return strdup("{\"n\": 1}");
}

static char *fails(void *user_data) {
    (void)user_data;
    nemo_relay_set_last_error_message("the finalizer fails");
    return NULL;
}

int main(void) {
    const char *request = "{\"headers\": {}, \"content\": {\"messages\": []}}";
    stream_call open = (stream_call)nemo_relay_llm_stream_call_execute;
    struct FfiStream *stream = NULL;
    open("gpt", request, chunk, NULL, NULL, NULL, fails, CALLBACKS NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
         NULL, &stream);
    char *read = NULL;
    for (int got; (got = nemo_relay_stream_next(stream, &read)) != 0;) {
        printf("reading gives %d, %s\n", got, read);
        if (got < 0) break;
        nemo_relay_string_free(read);
    }
    NemoRelayStatus closed = nemo_relay_stream_close(stream);
    printf("closing answers %d, the last error is %s\n", (int)closed, closed ? nemo_relay_last_error() : "none");
    nemo_relay_stream_free(stream);
    return 0;
}
