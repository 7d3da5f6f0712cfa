decompositions = {}  # nothing is decomposed

# aot_function(f, compiler, decompositions=decompositions)
# exported_program.run_decompositions(decompositions)
