"""The hook program: `fast` is the file that agents run, `main` begins everything else."""
