package adapter

import (
	"fmt"
	"os"
	"runtime"
)

// Main serves a driver as the only work of a program, which ends with status 1 where that fails.
func Main(name, version string, driver Driver) {
	if err := Serve(name, version, func() (Driver, error) { return driver, nil }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ThroughC describes a target that is a C library of this release, called through cgo, and speaks a suite in this dialect.
func ThroughC(suite, target, release, dialect string) Description {
	return Description{
		Target: Target{Name: target, Version: release, Language: "go", Runtime: runtime.Version() + ", cgo"},
		Suites: map[string]Suite{suite: {Dialect: dialect, Capabilities: []string{}}},
	}
}
