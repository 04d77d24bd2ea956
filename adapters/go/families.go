package main

import (
	"encoding/json"

	"bindproof/adapter"
	suite "bindproof/adapter/relay"
	"bindproof/go/relay"
)

// callbackOf is what the library is given for a callback of a family.
func callbackOf(family string, callback *suite.Callback) (any, error) {
	maker, known := makers[family]
	if !known {
		return nil, adapter.Unsupported{Capability: family, Reason: "this family is not built yet"}
	}
	return maker(callback), nil
}

type texts = []string

const null = "null" // what the library hands over where there is no text

var makers = map[string]func(*suite.Callback) any{
	"llm.request": asked(func(c *suite.Callback, given texts) (json.RawMessage, error) {
		return c.LLMRequest(given[0], raw(given[1]), raw(given[2]), raw(given[3]), suite.Whole)
	}),
	"llm.conditional": asked(func(c *suite.Callback, given texts) (json.RawMessage, error) {
		return c.LLMConditional(raw(given[0]), raw(given[1]), suite.Verdict)
	}),
	"llm.sanitize_request": func(c *suite.Callback) any {
		return relay.Sanitizer(func(lent *relay.LentCodec, given ...string) (json.RawMessage, error) {
			return c.LLMSanitizeRequest(raw(given[0]), raw(given[1]), codec(lent, given[2:]), suite.OnlyRequest)
		})
	},
	"llm.sanitize_response": func(c *suite.Callback) any {
		return relay.Sanitizer(func(lent *relay.LentCodec, given ...string) (json.RawMessage, error) {
			return c.LLMSanitizeResponse(raw(given[0]), codec(lent, given[1:]), suite.NullAsNone)
		})
	},
	"llm.execution": func(c *suite.Callback) any {
		return relay.Around(func(next relay.Next, given ...string) (json.RawMessage, error) {
			var name *string
			if len(given) > 1 {
				name = &given[1]
			}
			return c.LLMExecution(name, raw(given[0]), codecs(given), suite.Proceed(next), suite.Whole)
		})
	},
	"llm.stream": func(c *suite.Callback) any {
		return relay.Around(func(next relay.Next, given ...string) (json.RawMessage, error) {
			return c.LLMStream(raw(given[0]), codecs(given), suite.Proceed(next))
		})
	},
	"tool.request":           tool("args"),
	"tool.sanitize_request":  tool("args"),
	"tool.sanitize_response": tool("result"),
	"tool.conditional": asked(func(c *suite.Callback, given texts) (json.RawMessage, error) {
		return c.ToolConditional(given[0], raw(given[1]), suite.Verdict)
	}),
	"tool.execution": func(c *suite.Callback) any {
		return relay.Around(func(next relay.Next, given ...string) (json.RawMessage, error) {
			return toolExecution(c, next, given[0])
		})
	},
	"mark.sanitize":  asked(eventFields),
	"start.sanitize": asked(eventFields),
	"end.sanitize":   asked(eventFields),
	"event.metadata": asked(func(c *suite.Callback, given texts) (json.RawMessage, error) {
		return c.EventMetadata(raw(given[0]), suite.Whole)
	}),
}

func asked(play func(*suite.Callback, texts) (json.RawMessage, error)) func(*suite.Callback) any {
	return func(c *suite.Callback) any {
		return relay.Callback(func(given ...string) (json.RawMessage, error) { return play(c, given) })
	}
}

func tool(key string) func(*suite.Callback) any {
	return asked(func(c *suite.Callback, given texts) (json.RawMessage, error) {
		return c.Tool(given[0], key, raw(given[1]), suite.Whole)
	})
}

// codec is the one that a sanitizer is told of, by its kind and its id, and lent.
func codec(lent *relay.LentCodec, given texts) suite.ToldCodec {
	told := named(given, lent != nil)
	told.Lent = (*suite.LentCodec)(lent)
	return told
}

// named is a codec by its kind and its id, NULL being null.
func named(given texts, resolves bool) suite.ToldCodec {
	told := suite.ToldCodec{Kind: given[0], Resolves: resolves}
	if given[1] != null {
		told.ID = &given[1]
	}
	return told
}

// codecs are those that an execution is told of: three texts each, behind its request and its name.
func codecs(given texts) *suite.ToldCodecs {
	if len(given) < 5 {
		return nil
	}
	told := suite.ToldCodecs{Request: named(given[2:], given[4] == "true")}
	if len(given) > 5 {
		response := named(given[5:], given[7] == "true")
		told.Response = &response
	}
	return &told
}

func eventFields(c *suite.Callback, given texts) (json.RawMessage, error) {
	return c.EventFields(raw(given[0]), raw(given[1]), suite.Whole)
}

func toolExecution(c *suite.Callback, next relay.Next, told string) (json.RawMessage, error) {
	var context struct {
		Name *string         `json:"tool_name"`
		Args json.RawMessage `json:"args"`
		ID   json.RawMessage `json:"tool_call_id"`
	}
	if !relay.ToolContext {
		context.Args = raw(told)
	} else if err := json.Unmarshal(raw(told), &context); err != nil {
		return nil, err
	}
	proceed := func(argument json.RawMessage) (json.RawMessage, error) {
		answer, err := next(argument)
		if err != nil {
			return nil, err
		}
		return suite.ToolResult(answer), nil
	}
	return c.ToolExecution(context.Name, context.Args, context.ID, proceed, suite.Whole)
}
