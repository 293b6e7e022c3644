"""How fast things are: ``python -m benchmarks`` runs every ``bench_*.py`` here.

Each prints a line a figure, with its target where there is one, and asserts the results it times.
"""
