"""The table's wiring as data (devices.toml, parts.toml) and as drawings and tables made from it."""
