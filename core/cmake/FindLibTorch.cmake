# Finds the C++ side of PyTorch: the target LibTorch::LibTorch, LIBTORCH_VERSION, and LIBTORCH_FOLDER, where it lies.
# What links it finds it at run time, too: CMake adds the folders of libraries to the RPATH.
#
# Looked for in this order:
#   1. TORCH_DIR: a libtorch folder, or the torch folder inside a Python installation
#   2. the torch package of the python3 on PATH, if this program is known to work with its version
#   3. .deps/python in the project, filled by pip with LIBTORCH_PIP_VERSION unless LIBTORCH_PIP is off
# find_package(Torch) is not used: on CUDA builds of PyTorch it asks for the CUDA toolkit.

set(TORCH_DIR "" CACHE PATH "Folder of LibTorch or of Python's torch package")
option(LIBTORCH_PIP "Install LibTorch by pip if there is none" ON)
set(LIBTORCH_PIP_VERSION 2.13.0)
set(LIBTORCH_OLDEST 2.11)
set(LIBTORCH_NEWEST 2.15)
set(_libtorch_local ${CMAKE_SOURCE_DIR}/.deps/python)

function(_libtorch_read_version folder result)
  set(header ${folder}/include/torch/headeronly/version.h)
  set(version "")
  if(EXISTS ${header})
    file(STRINGS ${header} version REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
    list(TRANSFORM version REPLACE ".* " "")
    list(JOIN version "." version)
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

function(_libtorch_accept folder)
  if(folder AND EXISTS ${folder}/include/ATen/ATen.h)
    set(_libtorch_root ${folder} PARENT_SCOPE)
  endif()
endfunction()

set(_libtorch_root "")
_libtorch_accept("${TORCH_DIR}")
if(TORCH_DIR AND NOT _libtorch_root)
  message(FATAL_ERROR "TORCH_DIR=${TORCH_DIR} holds no include/ATen/ATen.h; give the folder of LibTorch or of Python's torch package")
endif()

if(SKBUILD)
  # pip builds in an environment of its own. Torch is in the one that it installs into: of this Python, without PYTHONPATH.
  set(LIBTORCH_PYTHON ${Python3_EXECUTABLE} CACHE FILEPATH "Python with torch" FORCE)
  set(_libtorch_python_options -I)
endif()
find_program(LIBTORCH_PYTHON NAMES python3 python)
if(NOT _libtorch_root AND LIBTORCH_PYTHON)
  # Asked without importing torch, which takes seconds.
  execute_process(
    COMMAND ${LIBTORCH_PYTHON} ${_libtorch_python_options} -c "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
    OUTPUT_VARIABLE _libtorch_python_root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(_libtorch_python_root)
    _libtorch_read_version("${_libtorch_python_root}" _libtorch_python_version)
    if(_libtorch_python_version MATCHES "^([0-9]+[.][0-9]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL LIBTORCH_OLDEST
        AND CMAKE_MATCH_1 VERSION_LESS_EQUAL LIBTORCH_NEWEST)
      _libtorch_accept("${_libtorch_python_root}")
    else()
      message(WARNING "The torch ${_libtorch_python_version} in ${_libtorch_python_root} is not used: versions ${LIBTORCH_OLDEST} "
        "to ${LIBTORCH_NEWEST} are supported. Torch ${LIBTORCH_PIP_VERSION} in ${_libtorch_local} takes its place; "
        "TORCH_DIR=FOLDER chooses another.")
    endif()
  endif()
endif()
if(NOT _libtorch_root)
  _libtorch_accept("${_libtorch_local}/torch")
endif()
if(NOT _libtorch_root AND LIBTORCH_PYTHON AND LIBTORCH_PIP)
  message(STATUS "LibTorch not found: installing torch ${LIBTORCH_PIP_VERSION} into ${_libtorch_local}")
  execute_process(COMMAND ${LIBTORCH_PYTHON} -m pip install --quiet --target ${_libtorch_local} torch==${LIBTORCH_PIP_VERSION} numpy)
  _libtorch_accept("${_libtorch_local}/torch")
endif()

# Another folder than the last time has other libraries, too.
unset(LIBTORCH_CPU_LIBRARY CACHE)
unset(LIBTORCH_C10_LIBRARY CACHE)
find_library(LIBTORCH_CPU_LIBRARY torch_cpu PATHS ${_libtorch_root}/lib NO_DEFAULT_PATH)
find_library(LIBTORCH_C10_LIBRARY c10 PATHS ${_libtorch_root}/lib NO_DEFAULT_PATH)
_libtorch_read_version("${_libtorch_root}" LIBTORCH_VERSION)
set(LIBTORCH_FOLDER "${_libtorch_root}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LIBTORCH_CPU_LIBRARY LIBTORCH_C10_LIBRARY
  VERSION_VAR LIBTORCH_VERSION
  REASON_FAILURE_MESSAGE "give -DTORCH_DIR=FOLDER, or make torch ${LIBTORCH_PIP_VERSION} importable by python3")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
    ${_libtorch_root}/include ${_libtorch_root}/include/torch/csrc/api/include)
  target_compile_definitions(LibTorch::LibTorch INTERFACE AT_PER_OPERATOR_HEADERS)
  target_link_libraries(LibTorch::LibTorch INTERFACE ${LIBTORCH_CPU_LIBRARY} ${LIBTORCH_C10_LIBRARY})
endif()
