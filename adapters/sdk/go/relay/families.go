package relay

import (
	"encoding/json"
	"strings"
)

// families are the suite's names of what the library's own listing calls so.
var families = map[string]string{
	"subscriber":                           "subscriber",
	"llm_request_intercept":                "llm.request",
	"llm_conditional_execution_guardrail":  "llm.conditional",
	"llm_execution_intercept":              "llm.execution",
	"llm_stream_execution_intercept":       "llm.stream",
	"llm_sanitize_request_guardrail":       "llm.sanitize_request",
	"llm_sanitize_response_guardrail":      "llm.sanitize_response",
	"tool_request_intercept":               "tool.request",
	"tool_conditional_execution_guardrail": "tool.conditional",
	"tool_execution_intercept":             "tool.execution",
	"tool_sanitize_request_guardrail":      "tool.sanitize_request",
	"tool_sanitize_response_guardrail":     "tool.sanitize_response",
	"mark_sanitize_guardrail":              "mark.sanitize",
	"scope_sanitize_start_guardrail":       "start.sanitize",
	"scope_sanitize_end_guardrail":         "end.sanitize",
	"event_metadata_injector":              "event.metadata",
}

// Owner is whose a registration is, as the library's own listing has it.
type Owner struct {
	Kind             string
	PluginKind       *string
	ComponentOrdinal *uint32
}

// Listed is an entry of the library's own listing, in the suite's words.
func Listed(kind, local, effective string, owner Owner) Registration {
	listed := Registration{Family: FamilyOf(kind), Name: local, Effective: effective}
	if owner.Kind != "plugin" {
		return listed
	}
	if owner.PluginKind != nil {
		listed.Plugin = PluginOf(*owner.PluginKind)
	}
	if owner.ComponentOrdinal != nil {
		listed.Number = int(*owner.ComponentOrdinal)
	}
	return listed
}

// pluginPrefix keeps the kinds of a scenario's plugins apart from those that are the library's own.
const pluginPrefix = "bindproof-"

// PluginKind is the kind that a plugin of this name is registered as.
func PluginKind(plugin string) string { return pluginPrefix + plugin }

// PluginOf is the name of the plugin of a kind; a kind that no scenario's plugin has stays as it is.
func PluginOf(kind string) string { return strings.TrimPrefix(kind, pluginPrefix) }

// FamilyOf is the family of a kind in the library's own listing; one that is not known stays as it is.
func FamilyOf(kind string) string {
	if family, known := families[kind]; known {
		return family
	}
	return kind
}

// KindOf is what the library's own listing calls a family; it is empty for one that is not known.
func KindOf(family string) string {
	for kind, known := range families {
		if known == family {
			return kind
		}
	}
	return ""
}

// KindsOf is what the library's own listing is asked for: the kind of a family, or nil, for all, where none is named.
func KindsOf(family string) []string {
	if family == "" {
		return nil
	}
	return []string{KindOf(family)}
}

// The methods below play a callback of one family: they make what it is given, and its natural reply, of what the library
// hands over. Texts are JSON, nil being null.

// LLMRequest plays an intercept of LLM requests.
func (c *Callback) LLMRequest(name string, headers, content, annotated json.RawMessage, build Reply) (json.RawMessage, error) {
	whole, annotation := request(headers, content), orNull(annotated)
	given := object("name", name, "request", whole, "annotated_request", annotation)
	natural := object("request", whole, "annotated_request", annotation, "pending_marks", &List{})
	return c.Play(textOf(given), textOf(natural), build)
}

// LLMConditional plays a conditional of LLM calls.
func (c *Callback) LLMConditional(headers, content json.RawMessage, build Reply) (json.RawMessage, error) {
	return c.Play(textOf(object("request", request(headers, content))), nothing, build)
}

// LLMExecution plays what wraps the execution of an LLM call; name and codecs are nil where the binding does not tell them.
func (c *Callback) LLMExecution(name *string, request json.RawMessage, codecs *ToldCodecs, proceed Proceed, build Reply) (json.RawMessage, error) {
	given := object("request", request)
	if name != nil {
		given.set("name", *name)
	}
	return c.Wrap(textOf(codecs.beside(given)), Execution{Argument: request, Form: orNull, Proceed: proceed}, build)
}

// Tool plays what is given a tool's name and one value, which it answers with: `args` or `result`, as key says.
func (c *Callback) Tool(name, key string, value json.RawMessage, build Reply) (json.RawMessage, error) {
	return c.Play(textOf(object("name", name, key, value)), value, build)
}

// ToolConditional plays a conditional of tool calls.
func (c *Callback) ToolConditional(name string, args json.RawMessage, build Reply) (json.RawMessage, error) {
	return c.Play(textOf(object("name", name, "args", args)), nothing, build)
}

// ToolExecution plays what wraps the execution of a tool call; id is JSON as well. Where the binding tells neither name nor
// id, name is nil.
func (c *Callback) ToolExecution(name *string, args, id json.RawMessage, proceed Proceed, build Reply) (json.RawMessage, error) {
	given := object("args", args)
	if name != nil {
		given = object("name", *name, "args", args, "tool_call_id", orNull(id))
	}
	return c.Wrap(textOf(given), Execution{Argument: args, Form: toolOutcome, Proceed: proceed}, build)
}

// EventFields plays a sanitizer of events.
func (c *Callback) EventFields(event, fields json.RawMessage, build Reply) (json.RawMessage, error) {
	return c.Play(textOf(object("event", event, "fields", fields)), fields, build)
}

// EventMetadata plays an injector of metadata.
func (c *Callback) EventMetadata(event json.RawMessage, build Reply) (json.RawMessage, error) {
	return c.Play(textOf(object("event", event)), json.RawMessage("{}"), build)
}

// LLMProvider plays the provider of an LLM call.
func (c *Callback) LLMProvider(request json.RawMessage) (json.RawMessage, error) {
	return c.Play(textOf(object("request", request)), json.RawMessage(`{"ok":true}`), Whole)
}

// ToolProvider plays the provider of a tool call.
func (c *Callback) ToolProvider(args json.RawMessage) (json.RawMessage, error) {
	natural := json.RawMessage(`{"result":{"ok":true},"annotation":null}`)
	return c.Play(textOf(object("args", args)), natural, Whole)
}

// Decode plays the part of a codec that makes an annotation of a request.
func (c *Callback) Decode(headers, content json.RawMessage) (json.RawMessage, error) {
	return c.Play(textOf(object("request", request(headers, content))), decoded(content), Whole)
}

// Encode plays the part of a codec that lays an annotation over a request, where it can answer with the content alone.
func (c *Callback) Encode(annotated, headers, content json.RawMessage) (json.RawMessage, error) {
	given := object("annotated_request", orNull(annotated), "original", request(headers, content))
	natural := textOf(request(headers, encoded(annotated, content)))
	return c.Play(textOf(given), natural, onlyContent(natural))
}

func request(headers, content json.RawMessage) *Object {
	return object("headers", orNull(headers), "content", orNull(content))
}
