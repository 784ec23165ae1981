"""Arrays → trajectory: the march in chunks, what is kept of it, and the report."""
