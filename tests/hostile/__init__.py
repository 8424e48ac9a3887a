"""What strangers may try on the server: requests that reach out, queries that never end, nonsense of all kinds."""
