"""The `casebook` command and what else is built on the kernel."""
