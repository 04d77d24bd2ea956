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

func TestProgramsOfAStormAreEachOnAScopeStackOfTheirOwn(t *testing.T) {
	s := NewActor(&toy{})
	program := func(id string) string {
		return fmt.Sprintf(`[{"step":"call","as":"%s","kind":"llm","name":"%s","request":{"headers":{},"content":1},`+
			`"model":null,"codec":"none","provider":[]}]`, id, id)
	}
	programs := make([]string, 16)
	for i := range programs {
		programs[i] = program(fmt.Sprintf("c%d", i))
	}
	storm := func(on string) string {
		return fmt.Sprintf(`{"step":"storm","as":"w","on":"%s","programs":[%s]}`, on, strings.Join(programs, ","))
	}
	for i := range programs {
		wants(t, run(s, storm("threads")), fmt.Sprintf(`{"fact":"done","step":"c%d","value":{"ok":true}}`, i))
	}
	wants(t, run(s, storm("threads")), `{"fact":"done","step":"w","value":null}`)
	wants(t, run(s, storm("tasks")), `{"adapter.Inexpressible"`)
}
