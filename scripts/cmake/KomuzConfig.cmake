# SPDX-License-Identifier: Apache-2.0
# What `find_package(Komuz)` gives to a project that calls functions of Komuz programs (docs/native.md):
#
#   komuz_add_library(NAME PROGRAM [ENTRY function] [PREFIX names] [FUEL ticks] [CPU processor] [MODULES file…])
#
# A static library NAME of the program's public functions, with its header NAME.h. MODULES are files that it uses: when one of them
# changes, the library is made anew. Komuz_EXECUTABLE is the command.
if(NOT Komuz_EXECUTABLE)
  get_filename_component(Komuz_EXECUTABLE "${CMAKE_CURRENT_LIST_DIR}/../../../bin/komuz" ABSOLUTE)
endif()
if(NOT EXISTS "${Komuz_EXECUTABLE}")
  set(Komuz_FOUND FALSE)
  set(Komuz_NOT_FOUND_MESSAGE "there is no ${Komuz_EXECUTABLE}; set Komuz_EXECUTABLE")
  return()
endif()

function(komuz_add_library name program)
  cmake_parse_arguments(PARSE_ARGV 2 given "" "ENTRY;PREFIX;FUEL;CPU" "MODULES")
  if(given_UNPARSED_ARGUMENTS OR given_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "komuz_add_library(${name}): ${given_UNPARSED_ARGUMENTS} ${given_KEYWORDS_MISSING_VALUES}: "
      "ENTRY, PREFIX, FUEL, CPU and MODULES take values")
  endif()
  set(options)
  foreach(option ENTRY PREFIX FUEL CPU)
    if(DEFINED given_${option})
      string(TOLOWER ${option} word)
      list(APPEND options --${word} ${given_${option}})
    endif()
  endforeach()
  get_filename_component(program "${program}" ABSOLUTE)
  set(modules)
  foreach(module IN LISTS given_MODULES)
    get_filename_component(module "${module}" ABSOLUTE)
    list(APPEND modules "${module}")
  endforeach()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.komuz)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/${name}.o ${folder}/${name}.h
    COMMAND ${Komuz_EXECUTABLE} build ${program} --emit=obj -o ${folder}/${name}.o --header ${folder}/${name}.h ${options}
    DEPENDS ${program} ${modules} ${Komuz_EXECUTABLE}
    COMMENT "Compiling ${name} by Komuz"
    VERBATIM)
  add_library(${name} STATIC ${folder}/${name}.o ${folder}/${name}.h)
  set_source_files_properties(${folder}/${name}.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${name} PUBLIC ${folder})
endfunction()
