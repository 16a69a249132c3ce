# SPDX-License-Identifier: Apache-2.0
# komuz_commit(target): gives it cli/process/version.h's kCommit. Git notes each commit and each checkout in a file.
# The commit is asked for only when that file has changed, so no other build does anything.
function(komuz_commit target)
  set(script ${PROJECT_SOURCE_DIR}/scripts/cmake/write_commit.cmake)
  set(made ${PROJECT_BINARY_DIR}/embedded/commit.cpp)
  set(notes)
  find_program(KOMUZ_GIT git)
  if(KOMUZ_GIT AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
    foreach(file logs/HEAD HEAD)
      execute_process(COMMAND ${KOMUZ_GIT} -C ${PROJECT_SOURCE_DIR} rev-parse --git-path ${file}
        OUTPUT_VARIABLE note OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      get_filename_component(path "${note}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
      if(note AND EXISTS ${path})
        list(APPEND notes ${path})
      endif()
    endforeach()
  endif()
  add_custom_command(OUTPUT ${made} DEPENDS ${script} ${notes}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${made} -P ${script}
    COMMENT "Asking for the commit" VERBATIM)
  target_sources(${target} PRIVATE ${made})
endfunction()
