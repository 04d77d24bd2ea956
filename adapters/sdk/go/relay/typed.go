package relay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Fit reads a reply into a binding's own struct. A field that the reply leaves out, or sets to null, stays unset; the
// error is Inexpressible, with the path `reply` and the place in its reason, for whatever else the struct cannot hold.
func Fit(reply json.RawMessage, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(reply))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return inexpressible("reply", fmt.Sprintf("%s cannot hold it: %v", nameOf(into), err))
	}
	asked, err := parse(reply)
	if err != nil {
		return err
	}
	held, err := valueOf(into)
	if err != nil {
		return inexpressible("reply", fmt.Sprintf("%s cannot be written: %v", nameOf(into), err))
	}
	if place, lost := lost(asked, held, "reply"); lost {
		return inexpressible("reply", nameOf(into)+" cannot hold "+place)
	}
	return nil
}

func nameOf(into any) string { return strings.TrimPrefix(reflect.TypeOf(into).String(), "*") }

// lost finds the first place of asked that is not so in held.
func lost(asked, held value, place string) (string, bool) {
	switch a := asked.(type) {
	case *Object:
		h, ok := held.(*Object)
		for _, key := range a.keys {
			inside := place + "/" + key
			if !ok {
				return inside, true
			}
			item := h.values[key]
			if a.values[key] == nil && (item == nil || empty(item) && isList(item)) {
				continue
			}
			if where, gone := lost(a.values[key], item, inside); gone {
				return where, true
			}
		}
		return place, !ok
	case *List:
		h, ok := held.(*List)
		if !ok || len(a.items) != len(h.items) {
			return place, true
		}
		for i := range a.items {
			if where, gone := lost(a.items[i], h.items[i], fmt.Sprintf("%s/%d", place, i)); gone {
				return where, true
			}
		}
		return place, false
	}
	return place, asked != held
}

func isList(item value) bool {
	_, ok := item.(*List)
	return ok
}
