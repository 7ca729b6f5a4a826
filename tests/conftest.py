"""What pytest leaves alone here: packages that tests read, some of them wrong on purpose."""

collect_ignore_glob = ["*.rules"]
