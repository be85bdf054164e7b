"""The version of this build."""

VERSION = "0.4.0"
