"""The one package that imports pyspark."""
