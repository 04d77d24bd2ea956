package relay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"errors"
	"runtime"
)

// Execute makes a managed call and returns the provider's answer.
func (call LLMCall) Execute() (answer json.RawMessage, err error) {
	defer runtime.KeepAlive(call.Parent)
	err = withStrings(func(c []*C.char) error {
		reads, err := call.responseCodec()
		if err != nil {
			return err
		}
		defer C.nemo_relay_codec_free(reads)
		codec := call.keptCodec()
		answer, err = managed(call.Provider, codec, func(provider C.uintptr_t, out **C.char) C.NemoRelayStatus {
			parent, flags := call.Parent.pointer(), call.flags()
			return C.bridge_llm_call(c[0], c[1], parent, flags, c[4], c[2], c[3], provider, codec, reads, out)
		})
		return err
	}, call.arguments()...)
	return answer, err
}

// keptCodec is the handle of the codec, 0 where there is none.
func (call LLMCall) keptCodec() C.uintptr_t {
	if call.Codec == nil {
		return 0
	}
	return keep(call.Codec)
}

// responseCodec makes the codec that reads the answer, nil where there is none.
func (call LLMCall) responseCodec() (*C.struct_FfiCodecHandle, error) {
	if call.ResponseCodec == nil {
		return nil, nil
	}
	switch *call.ResponseCodec {
	case "openai_chat":
		return C.nemo_relay_openai_chat_codec_new(), nil
	case "openai_responses":
		return C.nemo_relay_openai_responses_codec_new(), nil
	case "anthropic_messages":
		return C.nemo_relay_anthropic_messages_codec_new(), nil
	case "gemini_generate_content":
		return C.nemo_relay_gemini_generate_content_codec_new(), nil
	}
	return nil, NoCodecError(*call.ResponseCodec)
}

// Execute makes a managed call and returns the result.
func (call ToolCall) Execute() (result json.RawMessage, err error) {
	defer runtime.KeepAlive(call.Parent)
	err = withStrings(func(c []*C.char) error {
		result, err = managed(call.Provider, 0, func(provider C.uintptr_t, out **C.char) C.NemoRelayStatus {
			return C.bridge_tool_call(c[0], c[1], call.Parent.pointer(), call.flags(), c[4], c[2], c[3], provider, out)
		})
		return err
	}, call.arguments()...)
	return result, err
}

func (call LLMCall) arguments() []argument {
	request, metadata := encoded("request", call.Request), encoded("metadata", call.Metadata)
	return []argument{named(call.Name), request, metadata, {"model", call.Model}, encoded("data", call.Data)}
}

func (call ToolCall) arguments() []argument {
	args, metadata := encoded("args", call.Args), encoded("metadata", call.Metadata)
	return []argument{named(call.Name), args, metadata, {"tool_call_id", call.ID}, encoded("data", call.Data)}
}

// managed makes a call with a provider and takes the handles back where the library refused its arguments.
func managed(
	provider Callback, codec C.uintptr_t, call func(provider C.uintptr_t, out **C.char) C.NemoRelayStatus,
) (json.RawMessage, error) {
	var out *C.char
	handle := keep(provider)
	answer, err := owned(&out, func() C.NemoRelayStatus { return call(handle, &out) })
	takeBack(err, handle, codec)
	return answer, err
}

// takeBack takes handles back that the library never took.
func takeBack(err error, handles ...C.uintptr_t) {
	if neverTaken(err) {
		for _, one := range handles {
			giveBack(one)
		}
	}
}

// neverTaken tells whether the library refused a call for its arguments: it then forgets to give the user data back.
func neverTaken(err error) bool {
	var failed *Error
	if !errors.As(err, &failed) {
		return false
	}
	switch failed.Status {
	case C.NEMO_RELAY_STATUS_NULL_POINTER, C.NEMO_RELAY_STATUS_INVALID_JSON, C.NEMO_RELAY_STATUS_INVALID_UTF8:
		return true
	}
	return false
}

// LLMRequestIntercepts runs the registered intercepts over a request, outside any call, and returns their outcome.
func LLMRequestIntercepts(name string, request json.RawMessage) (json.RawMessage, error) {
	return answering(func(c []*C.char, out **C.char) C.NemoRelayStatus {
		return C.nemo_relay_llm_request_intercepts(c[0], c[1], out)
	}, named(name), encoded("request", request))
}

// ToolRequestIntercepts runs the registered intercepts over arguments, outside any call, and returns what they make.
func ToolRequestIntercepts(name string, args json.RawMessage) (json.RawMessage, error) {
	return answering(func(c []*C.char, out **C.char) C.NemoRelayStatus {
		return C.nemo_relay_tool_request_intercepts(c[0], c[1], out)
	}, named(name), encoded("args", args))
}

// LLMConditionalExecution asks the registered conditionals about a request, outside any call.
func LLMConditionalExecution(request json.RawMessage) error {
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.nemo_relay_llm_conditional_execution(c[0])
	}, encoded("request", request))
}

// ToolConditionalExecution asks the registered conditionals about arguments, outside any call.
func ToolConditionalExecution(name string, args json.RawMessage) error {
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.nemo_relay_tool_conditional_execution(c[0], c[1])
	}, named(name), encoded("args", args))
}
