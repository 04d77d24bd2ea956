package adapter

import "syscall"

// replace makes fd `to` what fd `from` is.
func replace(from, to int) error { return syscall.Dup3(from, to, 0) }
