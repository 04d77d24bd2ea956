package adapter

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"reflect"
	"testing"
)

func TestValuesThatJSONLacks(t *testing.T) {
	text, err := os.ReadFile("../cases/spelling/values.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Cases []struct {
			Name    string
			Spelled json.RawMessage
		}
		Meaningless []json.RawMessage
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	far, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	natural := map[string]any{
		"undefined":                     Undefined{},
		"no number":                     math.NaN(),
		"infinity":                      math.Inf(1),
		"negative infinity":             float32(math.Inf(-1)),
		"the largest safe integer":      int64(9007199254740991),
		"past it":                       uint64(9007199254740993),
		"far below its negative":        far,
		"a lone surrogate":              Units{'a', 0xd83d},
		"a pair of surrogates":          "\U0001F600",
		"a function":                    func(int) string { return "" },
		"an object that looks like one": map[string]bool{"$none": true},
		"an object within another": map[string]any{
			"$none": true, "in": []map[string]float64{{"$float": math.NaN()}},
		},
	}
	if len(natural) != len(table.Cases) {
		t.Fatalf("%d values for %d cases", len(natural), len(table.Cases))
	}
	for _, one := range table.Cases {
		t.Run(one.Name, func(t *testing.T) {
			value, err := Meant(one.Spelled)
			if err != nil {
				t.Fatal(err)
			}
			for _, given := range []any{natural[one.Name], value} {
				if found, err := Spelled(given); err != nil || !alike(t, found, one.Spelled) {
					t.Errorf("%v is spelled %s: %v", given, found, err)
				}
			}
		})
	}
	for _, one := range table.Meaningless {
		if value, err := Meant(one); err == nil {
			t.Errorf("%s means %v", one, value)
		}
	}
	if _, err := Spelled(struct{}{}); err == nil {
		t.Error("a struct is spelled")
	}
}

func alike(t *testing.T, one, other json.RawMessage) bool {
	var a, b any
	if json.Unmarshal(one, &a) != nil || json.Unmarshal(other, &b) != nil {
		t.Fatalf("%s or %s is no JSON", one, other)
	}
	return reflect.DeepEqual(a, b)
}
