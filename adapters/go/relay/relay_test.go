package relay

import (
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

const request = `{"headers":{"h":"1"},"content":{"messages":[],"n":1.0}}`

func answering(text string) Provider {
	return func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(text), nil }
}

func outcome(t *testing.T, marks ...Mark) Intercept {
	return func(given Interception) (json.RawMessage, error) {
		said, err := json.Marshal(Outcome{given.Request, given.Annotated, marks})
		var back Outcome
		if err == nil {
			err = json.Unmarshal(said, &back)
		}
		if err != nil || len(back.PendingMarks) != len(marks) {
			t.Errorf("the outcome does not survive its own JSON: %s, %v", said, err)
		}
		return said, err
	}
}

func registered(t *testing.T, name string, intercept Intercept) {
	t.Helper()
	if err := RegisterLLMRequestIntercept(name, 0, false, intercept); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = DeregisterLLMRequestIntercept(name) })
}

// nothingKept fails a test that leaves the library with a Go value.
func nothingKept(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		if err := Flush(); err != nil || Kept() != 0 {
			t.Errorf("the library keeps %d values; flush: %v", Kept(), err)
		}
	})
}

func TestMarksArrive(t *testing.T) {
	nothingKept(t)
	var mu sync.Mutex
	var names []string
	err := RegisterSubscriber("s", func(event json.RawMessage) {
		var one struct{ Name string }
		mu.Lock()
		defer mu.Unlock()
		_ = json.Unmarshal(event, &one)
		names = append(names, one.Name)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = DeregisterSubscriber("s") })
	category, severity := "custom", "warn"
	registered(t, "i", outcome(t, Mark{Name: "m1"}, Mark{Name: "m2", Category: &category, Severity: &severity}))
	answer, err := Call{Name: "gpt", Request: json.RawMessage(request), Provider: answering(`{"n":2.0}`)}.Execute()
	if err != nil || string(answer) != `{"n":2.0}` {
		t.Fatalf("%s, %v", answer, err)
	}
	if err := Flush(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if want := []string{"gpt", "m1", "m2", "gpt"}; !reflect.DeepEqual(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestTheHelperGivesTheWholeOutcome(t *testing.T) {
	nothingKept(t)
	registered(t, "i", outcome(t, Mark{Name: "m"}))
	said, err := LLMRequestIntercepts("gpt", json.RawMessage(request))
	var read Outcome
	if err != nil || json.Unmarshal(said, &read) != nil || len(read.PendingMarks) != 1 {
		t.Errorf("%s, %v", said, err)
	}
}

func TestACodec(t *testing.T) {
	nothingKept(t)
	model := "m"
	call := Call{Name: "gpt", Request: json.RawMessage(request), Model: &model, Provider: answering(`null`)}
	call.Codec = &Codec{
		Decode: func(Request) (json.RawMessage, error) { return json.RawMessage(`{"messages":[]}`), nil },
		Encode: func(given Encoding) (json.RawMessage, error) { return given.Annotated, nil },
	}
	seen := ""
	call.Provider = func(request json.RawMessage) (json.RawMessage, error) {
		seen = string(request)
		return json.RawMessage(`null`), nil
	}
	if answer, err := call.Execute(); err != nil || string(answer) != "null" || !strings.Contains(seen, `"content":{"messages":[]}`) {
		t.Errorf("%s, %v; the provider saw %s", answer, err, seen)
	}
}

func TestErrorsHaveATextOnEveryThread(t *testing.T) {
	nothingKept(t)
	registered(t, "i", func(Interception) (json.RawMessage, error) { return nil, errors.New("boom-1!") })
	var group sync.WaitGroup
	for range 32 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 20 {
				runtime.Gosched()
				_, err := LLMRequestIntercepts("gpt", json.RawMessage(request))
				var failed *Error
				if !errors.As(err, &failed) || failed.Code() != "INTERNAL" || !strings.Contains(failed.Text, "boom-1!") {
					t.Errorf("got %v", err)
				}
			}
		}()
	}
	group.Wait()
}

func TestNoPanicCrossesIntoC(t *testing.T) {
	nothingKept(t)
	registered(t, "i", func(Interception) (json.RawMessage, error) { panic("boom-2!") })
	if _, err := LLMRequestIntercepts("gpt", json.RawMessage(request)); err == nil || !strings.Contains(err.Error(), "boom-2!") {
		t.Errorf("got %v", err)
	}
}

func TestANameThatIsTaken(t *testing.T) {
	nothingKept(t)
	registered(t, "i", outcome(t))
	err := RegisterLLMRequestIntercept("i", 0, false, outcome(t))
	var failed *Error
	if !errors.As(err, &failed) || failed.Code() != "ALREADY_EXISTS" {
		t.Errorf("got %v", err)
	}
	listed, err := Registrations()
	if want := []Registration{{"llm_request_intercept", "i"}}; err != nil || !reflect.DeepEqual(listed, want) {
		t.Errorf("got %v, %v", listed, err)
	}
}

func TestNulIsNoPartOfACString(t *testing.T) {
	nothingKept(t)
	model := "m\x00"
	for want, err := range map[string]error{
		"name": RegisterSubscriber("a\x00b", nil),
		"model": func() error {
			_, err := Call{Name: "gpt", Request: json.RawMessage(request), Model: &model}.Execute()
			return err
		}(),
	} {
		var nul *NulError
		if !errors.As(err, &nul) || nul.What != want {
			t.Errorf("%s: got %v", want, err)
		}
	}
}

// The library runs no destructor for the user data of a call whose arguments it refuses.
func TestARequestThatIsNone(t *testing.T) {
	nothingKept(t)
	codec := &Codec{
		Decode: func(Request) (json.RawMessage, error) { return nil, errors.New("not called") },
		Encode: func(Encoding) (json.RawMessage, error) { return nil, errors.New("not called") },
	}
	for _, text := range []string{`{"content":1}`, `nonsense`, `null`} {
		_, err := Call{Name: "gpt", Request: json.RawMessage(text), Provider: answering(`null`), Codec: codec}.Execute()
		var failed *Error
		if !errors.As(err, &failed) || failed.Code() != "INVALID_JSON" {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
