# Boost, nlohmann_json and CLI11, of which only headers are used: from AOTSCOPE_HEADERS, a folder that
# ./dev gpu --carry has filled, or as CMake packages of the system.
set(AOTSCOPE_HEADERS "" CACHE PATH "Folder with the headers of Boost, nlohmann_json and CLI11; empty: the system's")

if(AOTSCOPE_HEADERS)
  if(NOT EXISTS ${AOTSCOPE_HEADERS}/nlohmann/json.hpp)
    message(FATAL_ERROR "AOTSCOPE_HEADERS=${AOTSCOPE_HEADERS} holds no nlohmann/json.hpp; fill it with ./dev gpu --carry FOLDER")
  endif()
  foreach(library Boost::headers nlohmann_json::nlohmann_json CLI11::CLI11)
    add_library(${library} INTERFACE IMPORTED)
    target_include_directories(${library} SYSTEM INTERFACE ${AOTSCOPE_HEADERS})
  endforeach()
else()
  find_package(Boost CONFIG REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(CLI11 REQUIRED)
endif()
