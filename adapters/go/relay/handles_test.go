package relay

import (
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"testing"
)

func TestAHandleSaysWhatItsScopeWasStartedWith(t *testing.T) {
	runtime.LockOSThread() // a scope is of the thread that pushed it
	defer runtime.UnlockOSThread()
	nothingKept(t)
	data := json.RawMessage(`{"d":[1,null]}`)
	scope, err := PushScope(Lead{Name: "a", Attributes: []string{"relocatable"}, Data: data}, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := scope.Said()
	if said.Name != "a" || said.Type != "retriever" || !reflect.DeepEqual(said.Attributes, []string{"relocatable"}) {
		t.Errorf("got %+v", said)
	}
	if string(said.Data) != string(data) || string(said.Metadata) != "null" || said.ParentUUID == nil {
		t.Errorf("got %+v", said)
	}
	if err := scope.Pop(nil, nil, nil); err != nil {
		t.Error(err)
	}
}

func TestAGateKeepsOutWhatItHasAReasonAgainst(t *testing.T) {
	nothingKept(t)
	registered(t, "llm_request_intercept", "i", Callback(func(...string) (json.RawMessage, error) {
		return nil, errors.New("it ran")
	}))
	var asked []string
	err := RegisterGate("g", []string{"llm_request_intercept"}, "i", func(given ...string) (json.RawMessage, error) {
		asked = given
		return json.RawMessage("ill"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := called(always(`{"ok":true}`)); err != nil {
		t.Error(err)
	}
	if !reflect.DeepEqual(asked, []string{`["llm_request_intercept"]`, "i"}) {
		t.Errorf("it was given %v", asked)
	}
	for _, expected := range []bool{true, false} {
		if there, err := DeregisterGate("g"); err != nil || there != expected {
			t.Errorf("there: %v, %v", there, err)
		}
	}
}
