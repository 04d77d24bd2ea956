//! The C interface of `nemo-relay-ffi`, exported again: a `cdylib` carries only what it names.

pub use nemo_relay_ffi::*;
