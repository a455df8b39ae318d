"""towbench builds, scores and releases writing benchmarks in DuckDB and SQL."""
