"""Reports: each is made from the lines of a result log and from nothing else."""
