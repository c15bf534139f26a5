"""Config: settings and where each came from, the parameters of notebooks, and who starts a run."""
