"""What the folder of a project looks like."""

PROJECT_FILE = "smelt.yml"
DEFAULT_PATHS = ("models",)
"""Where models, sources and seeds lie unless ``paths:`` says otherwise."""
