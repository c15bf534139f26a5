"""Wire: calls over HTTP, event streams and what models and agents reply, read strictly."""
