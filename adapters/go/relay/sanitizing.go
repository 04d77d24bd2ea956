package relay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"runtime/cgo"
	"unsafe"
)

// Sanitizer is what is registered where an LLM's payload is sanitized. It is given the payload, then the kind and the id
// of the codec of its side of the call, and lent that codec; lent is nil where there is none to be had.
type Sanitizer func(lent *LentCodec, given ...string) (json.RawMessage, error)

// LentCodec is a codec until the Sanitizer returns that it is lent to, which may ask it about its own payload. An error
// is a Failure.
type LentCodec struct {
	// Decode returns what the codec reads of the payload.
	Decode func() (json.RawMessage, error)
	// Encode returns the Request that the codec makes of the payload and an annotation; nil where it is no request.
	Encode func(annotation json.RawMessage) (json.RawMessage, error)
}

type (
	nativeRequest = C.struct_FfiLLMRequest
	requestCodec  = C.struct_FfiLlmSanitizeRequestCodec
	responseCodec = C.struct_FfiLlmSanitizeResponseCodec
)

//export goSanitizeRequest
func goSanitizeRequest(
	handle C.uintptr_t, count C.int, lent **C.char, payload *nativeRequest, codec *requestCodec,
) *nativeRequest {
	said := sanitized(handle, count, lent, lentOfRequest(codec, payload))
	if said == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(said))
	var request Request
	if err := json.Unmarshal([]byte(text(said)), &request); err != nil {
		fail(err.Error())
		return nil
	}
	headers, content := C.CString(string(request.Headers)), C.CString(string(request.Content))
	defer C.free(unsafe.Pointer(headers))
	defer C.free(unsafe.Pointer(content))
	return C.nemo_relay_llm_request_new(headers, content)
}

//export goSanitizeResponse
func goSanitizeResponse(
	handle C.uintptr_t, count C.int, lent **C.char, payload *C.char, codec *responseCodec,
) *C.char {
	return sanitized(handle, count, lent, lentOfResponse(codec, payload))
}

func sanitized(handle C.uintptr_t, count C.int, lent **C.char, codec *LentCodec) *C.char {
	return answer(func() (json.RawMessage, error) {
		return cgo.Handle(handle).Value().(Sanitizer)(codec, texts(count, lent)...)
	})
}

func lentOfRequest(codec *requestCodec, payload *nativeRequest) *LentCodec {
	if codec == nil {
		return nil
	}
	return &LentCodec{
		Decode: func() (json.RawMessage, error) {
			return read(C.nemo_relay_llm_sanitize_request_codec_decode(codec, payload))
		},
		Encode: func(annotation json.RawMessage) (json.RawMessage, error) {
			asked := C.CString(string(annotation))
			defer C.free(unsafe.Pointer(asked))
			return written(C.nemo_relay_llm_sanitize_request_codec_encode(codec, asked, payload))
		},
	}
}

func lentOfResponse(codec *responseCodec, payload *C.char) *LentCodec {
	if codec == nil {
		return nil
	}
	return &LentCodec{Decode: func() (json.RawMessage, error) {
		return read(C.nemo_relay_llm_sanitize_response_codec_decode(codec, payload))
	}}
}

// read copies an annotation that is ours, and frees it; NULL is a Failure.
func read(ours *C.char) (json.RawMessage, error) {
	if ours == nil {
		return nil, Failure(lastError())
	}
	return json.RawMessage(copied(ours)), nil
}

// written copies a request that is ours, and frees it; NULL is a Failure.
func written(ours *nativeRequest) (json.RawMessage, error) {
	if ours == nil {
		return nil, Failure(lastError())
	}
	defer C.nemo_relay_llm_request_free(ours)
	return json.Marshal(Request{
		Headers: json.RawMessage(copied(C.nemo_relay_llm_request_headers(ours))),
		Content: json.RawMessage(copied(C.nemo_relay_llm_request_content(ours))),
	})
}
