package relay

import (
	"encoding/json"
	"errors"
	"testing"

	"bindproof/adapter"
)

func TestRepliesThatAreNotJSONAsItStands(t *testing.T) {
	for _, one := range []struct {
		build       Reply
		reply, want string
	}{
		{NullAsNone, `null`, ""}, {NullAsNone, `[1]`, `[1]`},
		{Verdict, `null`, ""}, {Verdict, `"a \"b\""`, `a "b"`},
		{OnlyRequest, `null`, ""}, {OnlyRequest, `{"content":null,"headers":{}}`, `{"content":null,"headers":{}}`},
	} {
		if made, err := one.build(json.RawMessage(one.reply)); err != nil || string(made) != one.want {
			t.Errorf("%s: %q, %v", one.reply, made, err)
		}
	}
	for _, one := range []struct {
		build Reply
		reply string
	}{
		{Verdict, `5`}, {Verdict, `"a\u0000b"`}, {OnlyRequest, `[]`}, {OnlyRequest, `{"headers":{}}`},
		{OnlyRequest, `{"content":1,"headers":null}`},
	} {
		var reason adapter.Inexpressible
		if _, err := one.build(json.RawMessage(one.reply)); !errors.As(err, &reason) {
			t.Errorf("%s: %v", one.reply, err)
		}
	}
}
