package adapter

import (
	"fmt"
	"os"
	"runtime"
)

// Main serves a binding as the only work of a program, which ends with status 1 where that fails.
func Main(name, version string, binding Binding) {
	if err := Serve(name, version, func() (Binding, error) { return binding, nil }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ThroughC describes a target that is a C library of this release, called through cgo, and speaks this dialect.
func ThroughC(target, release, dialect string) Description {
	return Description{
		Target: Target{Name: target, Version: release, Language: "go", Runtime: runtime.Version() + ", cgo"},
		Suites: map[string]Suite{"relay": {Dialect: dialect, Capabilities: []string{}}},
	}
}
