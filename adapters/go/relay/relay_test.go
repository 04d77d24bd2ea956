package relay

import (
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

const request = `{"headers":{"h":"1"},"content":{"messages":[],"n":1.0}}`

func always(text string) Callback {
	return func(...string) (json.RawMessage, error) { return json.RawMessage(text), nil }
}

// outcome answers with the request as it was given, and marks.
func outcome(marks string) Callback {
	return func(given ...string) (json.RawMessage, error) {
		said := `{"request":{"headers":` + given[1] + `,"content":` + given[2] + `},"annotated_request":` + given[3]
		return json.RawMessage(said + `,"pending_marks":[` + marks + `]}`), nil
	}
}

func registered(t *testing.T, kind, name string, callback any) {
	t.Helper()
	where := Registering{Kind: kind, Name: name}
	if err := Register(where, callback); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = Deregister(where) })
}

// called makes a managed call and returns the provider's answer.
func called(provider Callback) (json.RawMessage, error) {
	return LLMCall{Lead: Lead{Name: "gpt"}, Request: json.RawMessage(request), Provider: provider}.Execute()
}

// told registers a subscriber; what it returns waits, and gives the names of all events so far.
func told(t *testing.T) func() []string {
	t.Helper()
	var mu sync.Mutex
	var names []string
	registered(t, "subscriber", "s", Subscriber(func(event json.RawMessage) {
		var one struct{ Name string }
		mu.Lock()
		defer mu.Unlock()
		_ = json.Unmarshal(event, &one)
		names = append(names, one.Name)
	}))
	return func() []string {
		if err := Flush(); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		return append([]string{}, names...)
	}
}

// nothingKept fails a test that leaves the library with a Go value. Its own thread lets go a moment after the flush.
func nothingKept(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		err := Flush()
		for end := time.Now().Add(10 * time.Second); Kept() != 0 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if err != nil || Kept() != 0 {
			t.Errorf("the library keeps %d values; flush: %v", Kept(), err)
		}
	})
}

func TestMarksArrive(t *testing.T) {
	nothingKept(t)
	names := told(t)
	registered(t, "llm_request_intercept", "i", outcome(`{"name":"m1"},{"name":"m2","category":"custom","severity":"warn"}`))
	answer, err := called(always(`{"n":2.0}`))
	if err != nil || string(answer) != `{"n":2.0}` {
		t.Fatalf("%s, %v", answer, err)
	}
	if got, want := names(), []string{"gpt", "m1", "m2", "gpt"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTheHelperGivesTheWholeOutcome(t *testing.T) {
	nothingKept(t)
	registered(t, "llm_request_intercept", "i", outcome(`{"name":"m"}`))
	said, err := LLMRequestIntercepts("gpt", json.RawMessage(request))
	if err != nil || !strings.Contains(string(said), `"name":"m"`) {
		t.Errorf("%s, %v", said, err)
	}
}

func TestACodec(t *testing.T) {
	nothingKept(t)
	model, seen := "m", ""
	call := LLMCall{Lead: Lead{Name: "gpt"}, Request: json.RawMessage(request), Model: &model}
	call.Codec = &Codec{
		Decode: always(`{"messages":[]}`),
		Encode: func(given ...string) (json.RawMessage, error) { return json.RawMessage(given[0]), nil },
	}
	call.Provider = func(given ...string) (json.RawMessage, error) {
		seen = given[0]
		return json.RawMessage(`null`), nil
	}
	if answer, err := call.Execute(); err != nil || string(answer) != "null" || !strings.Contains(seen, `"content":{"messages":[]}`) {
		t.Errorf("%s, %v; the provider saw %s", answer, err, seen)
	}
}

func TestACodecThatReadsTheAnswer(t *testing.T) {
	nothingKept(t)
	read := ""
	registered(t, "subscriber", "s", Subscriber(func(event json.RawMessage) { read = string(event) }))
	call := LLMCall{Lead: Lead{Name: "gpt"}, Request: json.RawMessage(request), Provider: always(`{"id":"i","choices":[]}`)}
	for _, name := range []string{"openai_chat", "openai_responses", "anthropic_messages"} {
		call.ResponseCodec = &name
		if _, err := call.Execute(); err != nil {
			t.Error(err)
		}
		if err := Flush(); err != nil || !strings.Contains(read, `"api":"`+name+`"`) {
			t.Errorf("%v; the last event is %s", err, read)
		}
	}
	unknown := "dance"
	call.ResponseCodec = &unknown
	if _, err := call.Execute(); !errors.Is(err, NoCodecError("dance")) {
		t.Errorf("got %v", err)
	}
}

func TestAToolAndWhatWrapsIt(t *testing.T) {
	nothingKept(t)
	names := told(t)
	registered(t, "tool_request_intercept", "r", Callback(func(given ...string) (json.RawMessage, error) {
		return json.RawMessage(`{"of":"` + given[0] + `","was":` + given[1] + `}`), nil
	}))
	registered(t, "tool_execution_intercept", "x", Around(func(next Next, _ ...string) (json.RawMessage, error) {
		if _, err := next(json.RawMessage(`"fail"`)); err == nil || !strings.Contains(err.Error(), "boom-3!") {
			t.Errorf("got %v", err)
		}
		answer, err := next(json.RawMessage(`2`))
		return append(answer[:len(answer)-1:len(answer)-1], `,"pending_marks":[{"name":"m"}]}`...), err
	}))
	provider := func(given ...string) (json.RawMessage, error) {
		if given[0] == `"fail"` {
			return nil, errors.New("boom-3!")
		}
		return json.RawMessage(`{"result":` + given[0] + `}`), nil
	}
	result, err := ToolCall{Lead: Lead{Name: "t"}, Args: json.RawMessage(`1`), Provider: provider}.Execute()
	if err != nil || !strings.HasPrefix(string(result), `{"result":2`) {
		t.Errorf("%s, %v", result, err)
	}
	args, err := ToolRequestIntercepts("u", json.RawMessage(`[]`))
	if err != nil || string(args) != `{"of":"u","was":[]}` {
		t.Errorf("%s, %v", args, err)
	}
	if got, want := names(), []string{"t", "t", "m"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAStreamIsItsProvidersOneChunk(t *testing.T) {
	nothingKept(t)
	names := told(t)
	registered(t, "llm_stream_execution_intercept", "i", Around(func(next Next, given ...string) (json.RawMessage, error) {
		chunk, err := next(json.RawMessage(given[0]))
		return json.RawMessage(`[` + string(chunk) + `]`), err
	}))
	var collected []string
	call := StreamCall{LLMCall: LLMCall{Lead: Lead{Name: "gpt"}, Request: json.RawMessage(request), Provider: always(`1`)}}
	call.Collector = func(chunk json.RawMessage) { collected = append(collected, string(chunk)) }
	call.Finalizer = func() (json.RawMessage, error) { return json.RawMessage(`"done"`), nil }
	stream, err := call.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Drop()
	chunk, there, err := stream.Next()
	if string(chunk) != "[1]" || !there || err != nil {
		t.Errorf("%s, %v, %v", chunk, there, err)
	}
	if chunk, there, err = stream.Next(); there || err != nil {
		t.Errorf("%s, %v", chunk, err)
	}
	if got, want := names(), []string{"gpt", "llm.chunk", "gpt"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := stream.Close(); err != nil || !reflect.DeepEqual(collected, []string{"[1]"}) {
		t.Errorf("%v, collected %v", err, collected)
	}
	call.Provider = func(...string) (json.RawMessage, error) { return nil, errors.New("boom-4!") }
	if _, err := call.Open(); err == nil || !strings.Contains(err.Error(), "boom-4!") {
		t.Errorf("got %v", err)
	}
	call.Request = json.RawMessage(`null`)
	var failed *Error
	if _, err := call.Open(); !errors.As(err, &failed) || failed.Code() != "INVALID_JSON" {
		t.Errorf("got %v", err)
	}
}

func TestAConditionalRejectsWithItsText(t *testing.T) {
	nothingKept(t)
	kind := "tool_conditional_execution_guardrail"
	registered(t, kind, "g", Callback(func(given ...string) (json.RawMessage, error) {
		if given[1] == "1" {
			return nil, nil
		}
		return json.RawMessage("no more"), nil
	}))
	if err := ToolConditionalExecution("t", json.RawMessage(`1`)); err != nil {
		t.Errorf("got %v", err)
	}
	err := ToolConditionalExecution("t", json.RawMessage(`2`))
	var failed *Error
	if !errors.As(err, &failed) || failed.Code() != "GUARDRAIL_REJECTED" || !strings.Contains(failed.Text, "no more") {
		t.Errorf("got %v", err)
	}
}

func TestSeveralThreadsAreOnOneScopeStack(t *testing.T) {
	err := OnFreshScopeStack(func(stack ScopeStack) {
		scope, err := PushScope(Lead{Name: "S"}, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		elsewhere := func(act func() error) error {
			ended := make(chan error)
			go func() {
				runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
				ended <- act()
			}()
			return <-ended
		}
		if elsewhere(func() error { return scope.Pop(nil, nil, nil) }) == nil {
			t.Error("the scope is on the stack of a thread that was given none")
		}
		onStack := func() (err error) {
			return errors.Join(stack.On(func() { err = scope.Pop(nil, nil, nil) }), err)
		}
		if err := elsewhere(onStack); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAScopeOwnsWhatIsRegisteredOnIt(t *testing.T) {
	err := OnFreshScopeStack(func(ScopeStack) {
		nothingKept(t)
		names := told(t)
		scope, err := PushScope(Lead{Name: "S"}, 0, json.RawMessage(`{"in":1}`))
		if err != nil {
			t.Fatal(err)
		}
		uuid := scope.UUID()
		where := Registering{Kind: "mark_sanitize_guardrail", Name: "i", Scope: &uuid}
		if err := Register(where, always(`{}`)); err != nil {
			t.Fatal(err)
		}
		severity := int32(3)
		if err := (Mark{Lead: Lead{Name: "m", Parent: scope}, Severity: &severity}).Emit(); err != nil {
			t.Error(err)
		}
		manual, err := ToolCall{Lead: Lead{Name: "t"}, Args: json.RawMessage(`1`)}.Start()
		if err != nil || manual.End(json.RawMessage(`{"result":1}`), Ended{}) != nil {
			t.Errorf("got %v", err)
		}
		llm, err := LLMCall{Lead: Lead{Name: "l", Parent: scope}, Request: json.RawMessage(request)}.Start()
		if err != nil || llm.End(json.RawMessage(`{}`), Ended{}) != nil {
			t.Errorf("got %v", err)
		}
		if err := scope.Pop(nil, nil, nil); err != nil {
			t.Error(err)
		}
		if got, want := names(), []string{"S", "m", "t", "t", "l", "l", "S"}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if err := Register(where, always(`{}`)); err == nil {
			t.Error("a closed scope owns something new")
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func TestTheCurrentScopeIsTheInnermost(t *testing.T) {
	nothingKept(t)
	scope, err := PushScope(Lead{Name: "a"}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	current, err := CurrentScope()
	if err != nil || current.UUID() != scope.UUID() || current.Said().Name != "a" {
		t.Errorf("got %v", err)
	}
	if err := scope.Pop(nil, nil, nil); err != nil {
		t.Error(err)
	}
	if current, err = CurrentScope(); err != nil || current.UUID() == scope.UUID() {
		t.Errorf("got %v", err)
	}
}

func TestAKindThatIsNone(t *testing.T) {
	nothingKept(t)
	var failed *Error
	if err := Register(Registering{Kind: "dance", Name: "d"}, always(`{}`)); !errors.As(err, &failed) || failed.Code() != "INVALID_ARG" {
		t.Errorf("got %v", err)
	}
}

func TestErrorsHaveATextOnEveryThread(t *testing.T) {
	nothingKept(t)
	boom := Callback(func(...string) (json.RawMessage, error) { return nil, errors.New("boom-1!") })
	registered(t, "llm_request_intercept", "i", boom)
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
	registered(t, "llm_request_intercept", "i", Callback(func(...string) (json.RawMessage, error) { panic("boom-2!") }))
	if _, err := LLMRequestIntercepts("gpt", json.RawMessage(request)); err == nil || !strings.Contains(err.Error(), "boom-2!") {
		t.Errorf("got %v", err)
	}
}

func TestANameThatIsTaken(t *testing.T) {
	nothingKept(t)
	registered(t, "llm_request_intercept", "i", outcome(""))
	err := Register(Registering{Kind: "llm_request_intercept", Name: "i"}, outcome(""))
	var failed *Error
	if !errors.As(err, &failed) || failed.Code() != "ALREADY_EXISTS" {
		t.Errorf("got %v", err)
	}
	listed, err := Registrations()
	if err != nil || !reflect.DeepEqual(listed, []Registration{{"llm_request_intercept", "i", "i", Owner{Kind: "global_api"}}}) {
		t.Errorf("got %v, %v", listed, err)
	}
	if listed, err := Registrations("subscriber"); err != nil || len(listed) > 0 {
		t.Errorf("got %v, %v", listed, err)
	}
}

func TestNulIsNoPartOfACString(t *testing.T) {
	nothingKept(t)
	model := "m\x00"
	for want, err := range map[string]error{
		"name": Register(Registering{Kind: "subscriber", Name: "a\x00b"}, Subscriber(nil)),
		"model": func() error {
			_, err := LLMCall{Lead: Lead{Name: "gpt"}, Request: json.RawMessage(request), Model: &model}.Execute()
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
	codec := &Codec{Decode: always(`null`), Encode: always(`null`)}
	for _, text := range []string{`{"content":1}`, `nonsense`, `null`} {
		call := LLMCall{Lead: Lead{Name: "gpt"}, Request: json.RawMessage(text), Provider: always(`null`), Codec: codec}
		_, err := call.Execute()
		var failed *Error
		if !errors.As(err, &failed) || failed.Code() != "INVALID_JSON" {
			t.Errorf("%s: got %v", text, err)
		}
	}
}
