"""The language server in the hands of real editors, each configured as `docs/editors.md` tells its readers to.

`.ci/editors` installs the editors and runs these tests; plain `pytest` leaves them out.
"""
