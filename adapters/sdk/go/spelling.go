package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"unicode/utf16"
)

// Values that JSON lacks, in the one spelling that all SDKs share; ../cases/README.md has the table.

// Undefined is what other languages call undefined; Go has no such value of its own.
type Undefined struct{}

// Units is a text with a lone surrogate, as its UTF-16 code units, which no string of Go can be.
type Units []uint16

var words = []string{"$none", "$float", "$integer", "$utf16", "$function", "$object"}

// The largest integer up to which all languages tell integers apart.
const safe = 1<<53 - 1

// Spelled returns what the log says of a value of maps with texts as keys, slices and leaves. It fails for what there
// is no spelling of.
func Spelled(value any) (json.RawMessage, error) {
	told, err := spelled(reflect.ValueOf(value))
	if err != nil {
		return nil, err
	}
	return json.Marshal(told)
}

func spelled(value reflect.Value) (any, error) {
	if !value.IsValid() {
		return nil, nil
	}
	switch known := value.Interface().(type) {
	case Undefined:
		return map[string]any{"$none": true}, nil
	case Units:
		return map[string]any{"$utf16": []uint16(known)}, nil
	case *big.Int:
		return integer(known), nil
	}
	switch kind := value.Kind(); {
	case value.CanInt():
		return integer(big.NewInt(value.Int())), nil
	case value.CanUint():
		return integer(new(big.Int).SetUint64(value.Uint())), nil
	case value.CanFloat():
		return float(value.Float()), nil
	case kind == reflect.Func:
		return map[string]any{"$function": true}, nil
	case kind == reflect.Bool || kind == reflect.String:
		return value.Interface(), nil
	case kind == reflect.Interface || kind == reflect.Pointer:
		return spelled(value.Elem())
	case kind == reflect.Slice || kind == reflect.Array:
		return spelledList(value)
	case kind == reflect.Map && value.Type().Key().Kind() == reflect.String:
		return spelledMap(value)
	}
	return nil, fmt.Errorf("there is no spelling of a %s", value.Type())
}

func integer(number *big.Int) any {
	if number.IsInt64() && number.Int64() >= -safe && number.Int64() <= safe {
		return number.Int64()
	}
	return map[string]any{"$integer": number.String()}
}

func float(number float64) any {
	switch {
	case math.IsNaN(number):
		return map[string]any{"$float": "NaN"}
	case math.IsInf(number, 1):
		return map[string]any{"$float": "Infinity"}
	case math.IsInf(number, -1):
		return map[string]any{"$float": "-Infinity"}
	}
	return number
}

func spelledList(value reflect.Value) (any, error) {
	told := make([]any, value.Len())
	for at := range told {
		var err error
		if told[at], err = spelled(value.Index(at)); err != nil {
			return nil, err
		}
	}
	return told, nil
}

func spelledMap(value reflect.Value) (any, error) {
	told := map[string]any{}
	for _, key := range value.MapKeys() {
		item, err := spelled(value.MapIndex(key))
		if err != nil {
			return nil, err
		}
		told[key.String()] = item
	}
	if word, one := single(told); one && slices.Contains(words, word) {
		return map[string]any{"$object": told}, nil
	}
	return told, nil
}

// Meant returns the value that a spelling means: nil, bool, string, float64, *big.Int, []any, map[string]any, Undefined,
// Units, or a function of no arguments. It fails for a spelling that means nothing.
func Meant(text json.RawMessage) (any, error) {
	var told any
	if err := json.Unmarshal(text, &told); err != nil {
		return nil, err
	}
	return meant(told)
}

func meant(told any) (any, error) {
	switch known := told.(type) {
	case []any:
		return meantList(known)
	case map[string]any:
		if word, one := single(known); one && slices.Contains(words, word) {
			return meantBy(word, known[word])
		}
		return meantMap(known)
	}
	return told, nil
}

func meantBy(word string, told any) (any, error) {
	nothing := fmt.Errorf("%s of %v means nothing", word, told)
	switch known := told.(type) {
	case bool:
		if known && word == "$none" {
			return Undefined{}, nil
		}
		if known && word == "$function" {
			return func() {}, nil
		}
	case string:
		number, found := map[string]float64{
			"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1),
		}[known]
		if word == "$float" && found {
			return number, nil
		}
		if digits, ok := new(big.Int).SetString(known, 10); word == "$integer" && ok {
			return digits, nil
		}
	case map[string]any:
		if word == "$object" {
			return meantMap(known)
		}
	case []any:
		if word == "$utf16" {
			return units(known, nothing)
		}
	}
	return nil, nothing
}

func units(told []any, nothing error) (any, error) {
	found := make(Units, len(told))
	for at, one := range told {
		unit, ok := one.(float64)
		if !ok || unit != math.Trunc(unit) || unit < 0 || unit > math.MaxUint16 {
			return nil, nothing
		}
		found[at] = uint16(unit)
	}
	if !slices.Contains(utf16.Decode(found), '\uFFFD') {
		return string(utf16.Decode(found)), nil
	}
	return found, nil
}

func meantList(told []any) (any, error) {
	found := make([]any, len(told))
	var failed error
	for at, one := range told {
		item, err := meant(one)
		found[at], failed = item, errors.Join(failed, err)
	}
	return found, failed
}

func meantMap(told map[string]any) (any, error) {
	found := map[string]any{}
	var failed error
	for name, one := range told {
		item, err := meant(one)
		found[name], failed = item, errors.Join(failed, err)
	}
	return found, failed
}

func single(object map[string]any) (string, bool) {
	for name := range object {
		return name, len(object) == 1
	}
	return "", false
}
