"""Routes by subject: views, commands, events, session, pages, operations."""
