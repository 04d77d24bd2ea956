package relay

import (
	"fmt"
	"strings"
	"testing"
)

// flying is a call in the background whose provider waits at latches.
func flying(id, name string, latches ...string) string {
	waits := make([]string, len(latches))
	for i, latch := range latches {
		waits[i] = fmt.Sprintf(`{"op":"wait","latch":"%s"}`, latch)
	}
	return fmt.Sprintf(`{"step":"call","as":"%s","kind":"llm","name":"%s","request":{"headers":{},"content":1},"model":null,`+
		`"codec":"none","background":true,"provider":[%s]}`, id, name, strings.Join(waits, ","))
}

func TestACallInFlightIsMadeOnTheSameScopeStack(t *testing.T) {
	binding := newFake()
	binding.flying = true
	s := NewActor(binding)
	wants(t, run(s, flying("a", "gpt"), call), `{"fact":"done","step":"a","value":{"ok":true}}`)
	if binding.beside != 1 {
		t.Errorf("%d calls were made beside the program", binding.beside)
	}
	wants(t, run(s, flying("a", "panics")), `{"adapter.Fault":"step 'a': the adapter panicked: boom"`)
	wants(t, run(s, call), `{"fact":"done","step":"c","value":{"ok":true}}`)
}
