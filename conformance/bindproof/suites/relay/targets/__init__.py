"""How what NeMo Relay alone has is got: its C library, and the Go programs over it (entry points in pyproject.toml)."""
