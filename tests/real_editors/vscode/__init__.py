"""VS Code in a browser, and what a person sees and does in it."""
