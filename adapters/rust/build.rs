//! Tells the adapter which release of the target it was built with, from the lock that cargo itself wrote, and by which
//! compiler.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

const CRATE: &str = "nemo-relay";

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let lock = Path::new(&folder).join("Cargo.lock");
    let text = fs::read_to_string(&lock).expect("cargo writes the lock before it builds");
    println!("cargo:rerun-if-changed={}", lock.display());
    let version = locked(&text).expect("the target is in the lock");
    println!("cargo:rustc-env=TARGET_VERSION={version}");
    println!("cargo:rustc-check-cfg=cfg(from_0_10)");
    if is_from_0_10(version) {
        println!("cargo:rustc-cfg=from_0_10");
    }
    println!("cargo:rustc-env=COMPILER={}", compiler());
}

/// The version that stands in the lock beside the target's name.
fn locked(lock: &str) -> Option<&str> {
    let mut lines = lock.lines().skip_while(|line| *line != format!("name = \"{CRATE}\""));
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// From 0.10 on a callback that wraps an LLM's execution is given a context, and what is captured tells the trace.
fn is_from_0_10(version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
    (parts.next(), parts.next()) >= (Some(0), Some(10))
}

/// Such as `rustc 1.95.0`.
fn compiler() -> String {
    let rustc = env::var("RUSTC").expect("cargo sets it");
    let told = Command::new(rustc).arg("--version").output().expect("cargo has just run it");
    String::from_utf8_lossy(&told.stdout).split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}
