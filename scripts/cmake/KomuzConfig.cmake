# SPDX-License-Identifier: Apache-2.0
# What `find_package(Komuz)` gives to a project that calls functions of Komuz programs (docs/native.md):
#
#   komuz_add_library(NAME PROGRAM [ENTRY function] [PREFIX names] [FUEL ticks] [CPU processor] [MODULES file…])
#
# A static library NAME of the program's public functions, with its header NAME.h. It is made anew when the program, a module that it
# uses, or Komuz changes. MODULES are files that it uses: only CMake before 3.20 with another generator than Ninja has to be told.
# Komuz_EXECUTABLE is the command.
if(NOT Komuz_EXECUTABLE)
  get_filename_component(Komuz_EXECUTABLE "${CMAKE_CURRENT_LIST_DIR}/../../../bin/komuz" ABSOLUTE)
endif()
if(NOT EXISTS "${Komuz_EXECUTABLE}")
  set(Komuz_FOUND FALSE)
  set(Komuz_NOT_FOUND_MESSAGE "there is no ${Komuz_EXECUTABLE}; set Komuz_EXECUTABLE")
  return()
endif()
# Paths of what `komuz build --depfile` writes are those of the project.
if(POLICY CMP0116)
  cmake_policy(SET CMP0116 NEW)
endif()

function(komuz_add_library name program)
  cmake_parse_arguments(PARSE_ARGV 2 given "" "ENTRY;PREFIX;FUEL;CPU" "MODULES")
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "komuz_add_library(${name}): nothing is known of \"${given_UNPARSED_ARGUMENTS}\"; "
      "ENTRY, PREFIX, FUEL and CPU take one value each, and MODULES takes files")
  endif()
  if(given_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "komuz_add_library(${name}): there is no value behind ${given_KEYWORDS_MISSING_VALUES}")
  endif()
  # An object file is linked by any language; CMake wants the name of one.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(language)
  foreach(one C CXX)
    if(NOT language AND one IN_LIST languages)
      set(language ${one})
    endif()
  endforeach()
  if(NOT language)
    message(FATAL_ERROR "komuz_add_library(${name}): enable C or CXX: project(… LANGUAGES C)")
  endif()
  set(options)
  foreach(option ENTRY PREFIX FUEL CPU)
    if(DEFINED given_${option})
      string(TOLOWER ${option} word)
      list(APPEND options --${word} ${given_${option}})
    endif()
  endforeach()
  get_filename_component(program "${program}" ABSOLUTE)
  get_source_file_property(is_generated "${program}" GENERATED)
  if(NOT EXISTS "${program}" AND NOT is_generated)
    message(FATAL_ERROR "komuz_add_library(${name}): there is no ${program}")
  endif()
  set(depends ${program} ${Komuz_EXECUTABLE})
  foreach(module IN LISTS given_MODULES)
    get_filename_component(module "${module}" ABSOLUTE)
    list(APPEND depends "${module}")
  endforeach()
  # The native backend is where the executable looks for it.
  get_filename_component(bin "${Komuz_EXECUTABLE}" DIRECTORY)
  foreach(backend ${bin}/komuz_backend.so ${bin}/../lib/komuz/komuz_backend.so)
    if(EXISTS "${backend}")
      list(APPEND depends "${backend}")
    endif()
  endforeach()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.komuz)
  file(MAKE_DIRECTORY ${folder})
  set(depfile)
  if(CMAKE_GENERATOR MATCHES "Ninja" OR (NOT CMAKE_VERSION VERSION_LESS 3.20 AND CMAKE_GENERATOR MATCHES "Makefiles"))
    set(depfile DEPFILE ${folder}/${name}.d)
    list(APPEND options --depfile ${folder}/${name}.d)
  endif()
  add_custom_command(OUTPUT ${folder}/${name}.o ${folder}/${name}.h
    COMMAND ${Komuz_EXECUTABLE} build ${program} --emit=obj -o ${folder}/${name}.o --header ${folder}/${name}.h ${options}
    DEPENDS ${depends}
    ${depfile}
    COMMENT "Compiling ${name} by Komuz"
    VERBATIM)
  add_library(${name} STATIC ${folder}/${name}.o ${folder}/${name}.h)
  set_source_files_properties(${folder}/${name}.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE ${language})
  target_include_directories(${name} PUBLIC ${folder})
endfunction()
