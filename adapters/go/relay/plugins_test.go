package relay

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// kinds are one registration of each; all may stand in one plugin.
func kinds() map[string]any {
	around := Around(func(next Next, given ...string) (json.RawMessage, error) { return next(json.RawMessage(given[0])) })
	found := map[string]any{"subscriber": Subscriber(func(json.RawMessage) {})}
	for _, kind := range []string{"llm_execution_intercept", "llm_stream_execution_intercept", "tool_execution_intercept"} {
		found[kind] = around
	}
	for _, kind := range []string{
		"llm_request_intercept", "llm_conditional_execution_guardrail", "llm_sanitize_request_guardrail",
		"llm_sanitize_response_guardrail", "tool_request_intercept", "tool_conditional_execution_guardrail",
		"tool_sanitize_request_guardrail", "tool_sanitize_response_guardrail", "mark_sanitize_guardrail",
		"scope_sanitize_start_guardrail", "scope_sanitize_end_guardrail", "event_metadata_injector",
	} {
		found[kind] = always(`{}`)
	}
	return found
}

func listed(t *testing.T) []Registration {
	t.Helper()
	found, err := Registrations()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAPluginRegistersEveryKindAndTakesItAlong(t *testing.T) {
	nothingKept(t)
	plugin, err := Install([]string{"p"}, func(_ string, context *PluginContext) error {
		for kind, callback := range kinds() {
			if err := Register(Registering{Kind: kind, Name: "n", Plugin: context}, callback); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, one := range listed(t) {
		owned := one.Owner.Kind == "plugin" && one.Owner.PluginKind != nil && *one.Owner.PluginKind == "p"
		seen[one.Kind] = owned && one.LocalName == "n" && one.EffectiveName != "n"
	}
	for kind := range kinds() {
		if !seen[kind] {
			t.Errorf("%s is not listed", kind)
		}
	}
	if err := plugin.Uninstall(); err != nil || len(listed(t)) > 0 {
		t.Errorf("%v, left %v", err, listed(t))
	}
}

func TestAPluginsCallbackRunsInACall(t *testing.T) {
	nothingKept(t)
	names := told(t)
	registered(t, "llm_request_intercept", "i", outcome(`{"name":"m"}`))
	plugin, err := Install([]string{"p"}, func(_ string, context *PluginContext) error {
		return Register(Registering{Kind: "llm_request_intercept", Name: "i", Priority: 1, Plugin: context}, outcome(`{"name":"p"}`))
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := called(always(`1`)); err != nil {
		t.Error(err)
	}
	if err := plugin.Uninstall(); err != nil {
		t.Error(err)
	}
	if _, err := called(always(`1`)); err != nil {
		t.Error(err)
	}
	if got, want := names(), []string{"gpt", "m", "p", "gpt", "gpt", "m", "gpt"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAPluginThatFailsLeavesNothing(t *testing.T) {
	nothingKept(t)
	for want, fails := range map[string]func() error{
		"boom-5!":        func() error { return errors.New("boom-5!") },
		"panic: boom-6!": func() error { panic("boom-6!") },
	} {
		_, err := Install([]string{"p"}, func(_ string, context *PluginContext) error {
			if err := Register(Registering{Kind: "tool_request_intercept", Name: "i", Plugin: context}, always(`1`)); err != nil {
				t.Error(err)
			}
			return fails()
		})
		var failed *Error
		if !errors.As(err, &failed) || failed.Code() != "INTERNAL" || failed.Text != "registration failed: "+want {
			t.Errorf("got %v", err)
		}
		if left := listed(t); len(left) > 0 {
			t.Errorf("left %v", left)
		}
	}
}

func TestAPluginsNamesAreItsOwn(t *testing.T) {
	nothingKept(t)
	registered(t, "tool_request_intercept", "i", always(`1`))
	plugin, err := Install([]string{"p"}, func(_ string, context *PluginContext) error {
		where := Registering{Kind: "tool_request_intercept", Name: "i", Plugin: context}
		if err := Register(where, always(`1`)); err != nil {
			t.Error(err)
		}
		if err := Register(where, always(`1`)); err == nil || !strings.Contains(err.Error(), "already exists: ") {
			t.Errorf("got %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := plugin.Uninstall(); err != nil {
		t.Error(err)
	}
}

func TestAPluginOfAKindThatIsTaken(t *testing.T) {
	nothingKept(t)
	nothing := func(string, *PluginContext) error { return nil }
	plugin, err := Install([]string{"p"}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	var failed *Error
	if _, err := Install([]string{"p"}, nothing); !errors.As(err, &failed) || failed.Code() == "OK" {
		t.Errorf("got %v", err)
	}
	if err := plugin.Uninstall(); err != nil {
		t.Error(err)
	}
	var nul *NulError
	if _, err := Install([]string{"p\x00"}, nothing); !errors.As(err, &nul) || nul.What != "kind" {
		t.Errorf("got %v", err)
	}
}

func TestSeveralPluginsComeAndGoTogether(t *testing.T) {
	nothingKept(t)
	var asked []string
	plugins, err := Install([]string{"b", "a", "b"}, func(kind string, context *PluginContext) error {
		asked = append(asked, kind)
		return Register(Registering{Kind: "tool_request_intercept", Name: "i", Plugin: context}, always(`1`))
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"b", "a", "b"}; !reflect.DeepEqual(asked, want) || len(listed(t)) != len(want) {
		t.Errorf("asked %v, listed %v", asked, listed(t))
	}
	if err := plugins.Uninstall(); err != nil || len(listed(t)) > 0 {
		t.Errorf("%v, left %v", err, listed(t))
	}
}
