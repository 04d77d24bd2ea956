package relay

import (
	"encoding/json"
	"errors"
	"strings"
)

// known looks up the value that `$get` may name: what the callback was given, or a finished step's.
type known func(name string) (value, bool)

// ofEntry returns what a callback does in entry k: of `each` the list of that entry, or the last one.
func ofEntry(ops *List, k int) *List {
	found := &List{}
	for _, op := range ops.items {
		if textAt(op, "op") != "each" {
			found.items = append(found.items, op)
			continue
		}
		entries := listOf(op, "ops").items
		if len(entries) > 0 {
			found.items = append(found.items, entries[min(k, len(entries)-1)].(*List).items...)
		}
	}
	return found
}

// perform returns the reply as the ops of a callback leave it. The error is a *ScriptedError for the op `raise`, and a
// stop for an op that cannot be carried out, naming callback, op and pointer.
func perform(callback string, ops *List, reply value, names known, act func(op value) error) (value, error) {
	for i, op := range ops.items {
		var err error
		if reply, err = apply(callback, i, op, reply, names, act); err != nil {
			return nil, err
		}
	}
	return reply, nil
}

// apply returns the reply as one op leaves it; act carries out those that are the program's.
func apply(callback string, index int, op, reply value, names known, act func(op value) error) (value, error) {
	switch kind := textAt(op, "op"); kind {
	case "edit":
		return edited(callback, index, op, reply, names)
	case "raise":
		return nil, &ScriptedError{textAt(op, "text")}
	case "step", "wait":
		return reply, act(op)
	case "next":
		return nil, faultf("callback '%s', op %d: there is nothing to go on with", callback, index)
	case "mutate":
		return nil, unsupported("mutate", "what a callback is given in Go are texts")
	default:
		return nil, faultf("callback '%s', op %d: unknown op '%s'", callback, index, kind)
	}
}

// edited returns the reply as an edit leaves it; the error names callback, op and pointer.
func edited(callback string, index int, changes, reply value, names known) (value, error) {
	reply, place, err := edit(changes, reply, names)
	var nothing placeError
	if errors.As(err, &nothing) {
		return nil, faultf("callback '%s', op %d, pointer '%s': %s", callback, index, place, nothing)
	}
	return reply, err
}

// edit returns the changed reply, or the pointer that went wrong and why.
func edit(op, reply value, names known) (value, string, error) {
	sets := partOf(op, "set")
	for _, place := range sets.keys {
		item, err := resolve(sets.values[place], names)
		if err == nil {
			reply, err = put(reply, place, item)
		}
		if err != nil {
			return nil, place, err
		}
	}
	if found, there := lookup(op, "remove"); there {
		for _, one := range found.(*List).items {
			place, _ := one.(string)
			if err := cut(reply, place); err != nil {
				return nil, place, err
			}
		}
	}
	appends := partOf(op, "append")
	for _, place := range appends.keys {
		items, err := resolve(appends.values[place], names)
		if err == nil {
			err = extend(reply, place, items)
		}
		if err != nil {
			return nil, place, err
		}
	}
	return reply, "", nil
}

// resolve returns a copy of a scenario's value in which every `$get` is replaced by what it names.
func resolve(item value, names known) (value, error) {
	switch v := item.(type) {
	case *List:
		list := &List{items: make([]value, len(v.items))}
		for i, one := range v.items {
			var err error
			if list.items[i], err = resolve(one, names); err != nil {
				return nil, err
			}
		}
		return list, nil
	case *Object:
		if len(v.keys) == 1 {
			if path, there := v.get("$get"); there {
				return named(path, names)
			}
			if _, there := v.get("$none"); there {
				return nil, inexpressible("$none", "Go and JSON text have no value for undefined")
			}
		}
		object := newObject()
		for _, key := range v.keys {
			one, err := resolve(v.values[key], names)
			if err != nil {
				return nil, err
			}
			object.set(key, one)
		}
		return object, nil
	}
	return item, nil
}

func named(item value, names known) (value, error) {
	path, ok := item.(string)
	if !ok {
		return nil, nowhere("$get wants a text")
	}
	name, rest, deeper := strings.Cut(path, "/")
	found, there := names(name)
	if !there {
		return nil, nowhere("$get '%s': nothing is called '%s' here", path, name)
	}
	if deeper {
		rest = "/" + rest
	}
	place, err := find(found, rest)
	if err != nil {
		return nil, nowhere("$get '%s': %v", path, err)
	}
	return copyOf(place), nil
}

func textAt(item value, key string) string {
	found, _ := lookup(item, key)
	text, _ := found.(string)
	return text
}

func listOf(item value, key string) *List {
	found, _ := lookup(item, key)
	if list, ok := found.(*List); ok {
		return list
	}
	return &List{}
}

func partOf(item value, key string) *Object {
	found, _ := lookup(item, key)
	if object, ok := found.(*Object); ok {
		return object
	}
	return newObject()
}

func textOf(item value) json.RawMessage { return appendValue(nil, item) }
