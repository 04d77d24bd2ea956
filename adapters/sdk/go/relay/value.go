package relay

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// A value is JSON as the SDK holds it: nil, bool, string, json.Number, *List, *Object, or json.RawMessage, a text that is
// only passed on. Numbers keep their digits and objects the order of their keys, so that what is written is what was
// read.
type value any

// List is a JSON array that can grow in place.
type List struct{ items []value }

// Object is a JSON object that keeps the order of its keys; of a key that is there twice the last value counts.
type Object struct {
	keys   []string
	values map[string]value
}

func newObject() *Object { return &Object{values: map[string]value{}} }

func (o *Object) get(key string) (value, bool) {
	item, ok := o.values[key]
	return item, ok
}

func (o *Object) set(key string, item value) {
	if _, there := o.values[key]; !there {
		o.keys = append(o.keys, key)
	}
	o.values[key] = item
}

func (o *Object) remove(key string) {
	delete(o.values, key)
	for i, one := range o.keys {
		if one == key {
			o.keys = append(o.keys[:i], o.keys[i+1:]...)
			return
		}
	}
}

// appendValue appends a value as JSON without white space.
func appendValue(to []byte, item value) []byte {
	switch v := item.(type) {
	case nil:
		return append(to, "null"...)
	case bool:
		return strconv.AppendBool(to, v)
	case json.Number:
		return append(to, v...)
	case string:
		return appendString(to, v)
	case json.RawMessage:
		return append(to, v...)
	case *List:
		to = append(to, '[')
		for i, one := range v.items {
			if i > 0 {
				to = append(to, ',')
			}
			to = appendValue(to, one)
		}
		return append(to, ']')
	case *Object:
		to = append(to, '{')
		for i, key := range v.keys {
			if i > 0 {
				to = append(to, ',')
			}
			to = append(appendString(to, key), ':')
			to = appendValue(to, v.values[key])
		}
		return append(to, '}')
	}
	panic(fmt.Sprintf("%T is no JSON value", item))
}

func appendString(to []byte, text string) []byte {
	const hex = "0123456789abcdef"
	to = append(to, '"')
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			to = append(to, '\\', c)
		case c < ' ':
			to = append(to, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			to = append(to, c)
		}
	}
	return append(to, '"')
}

// copyOf returns a deep copy.
func copyOf(item value) value {
	switch v := item.(type) {
	case *List:
		list := &List{items: make([]value, len(v.items))}
		for i, one := range v.items {
			list.items[i] = copyOf(one)
		}
		return list
	case *Object:
		object := &Object{keys: append([]string(nil), v.keys...), values: make(map[string]value, len(v.values))}
		for key, one := range v.values {
			object.values[key] = copyOf(one)
		}
		return object
	}
	return item
}

// equal compares JSON values: the order of keys does not count, the digits of a number do.
func equal(a, b value) bool {
	switch x := a.(type) {
	case *List:
		y, ok := b.(*List)
		if !ok || len(x.items) != len(y.items) {
			return false
		}
		for i := range x.items {
			if !equal(x.items[i], y.items[i]) {
				return false
			}
		}
		return true
	case *Object:
		y, ok := b.(*Object)
		if !ok || len(x.keys) != len(y.keys) {
			return false
		}
		for key, item := range x.values {
			other, there := y.get(key)
			if !there || !equal(item, other) {
				return false
			}
		}
		return true
	}
	return a == b
}
