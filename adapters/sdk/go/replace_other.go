//go:build !linux

package adapter

import "syscall"

// replace makes fd `to` what fd `from` is.
func replace(from, to int) error { return syscall.Dup2(from, to) }
