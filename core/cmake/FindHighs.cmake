# Finds HiGHS, which the planner loads when it proves a plan: HIGHS_LIBRARY, empty if there is none. Nothing is linked with it,
# and without it plans are the same, with weaker bounds.
#
# Looked for in this order: the highspy package of the python3 that has torch; .deps/highs in the project, filled by pip with
# HIGHS_PIP_VERSION unless LIBTORCH_PIP is off; libraries of the system.

set(HIGHS_PIP_VERSION 1.15.1)
set(_highs_local ${CMAKE_SOURCE_DIR}/.deps/highs)
set(HIGHS_LIBRARY "")

function(_highs_accept folder)
  if(NOT HIGHS_LIBRARY AND EXISTS ${folder}/libhighs.so.1)
    set(HIGHS_LIBRARY ${folder}/libhighs.so.1 PARENT_SCOPE)
  endif()
endfunction()

_highs_accept(${LIBTORCH_FOLDER}/../highspy)
_highs_accept(${_highs_local}/highspy)
if(NOT HIGHS_LIBRARY AND LIBTORCH_PIP AND LIBTORCH_PYTHON AND NOT EXISTS ${_highs_local})
  # Without its dependencies, which only its Python part needs.
  execute_process(
    COMMAND ${LIBTORCH_PYTHON} -m pip install --quiet --no-deps --target ${_highs_local} highspy==${HIGHS_PIP_VERSION}
    RESULT_VARIABLE _highs_failed OUTPUT_QUIET ERROR_QUIET)
  if(_highs_failed)
    message(STATUS "HiGHS was not installed: plans for a limit of memory are made without it, with weaker bounds")
  endif()
  _highs_accept(${_highs_local}/highspy)
endif()
