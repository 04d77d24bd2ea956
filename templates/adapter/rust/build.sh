#!/bin/sh
# Builds the adapter and leaves the program alone in this folder.
set -eu
target=${CARGO_TARGET_DIR:-target}
cargo build --target-dir "$target"
cp "$target/debug/bindproof-starling" .
rm -rf target
