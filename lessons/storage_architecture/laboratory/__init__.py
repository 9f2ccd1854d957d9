"""Laboratory parts of the lesson on storage architecture."""
