"""How what this suite alone judges is got: AFK, from a checkout (an entry point in pyproject.toml)."""
