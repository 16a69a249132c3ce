# SPDX-License-Identifier: Apache-2.0
# Included by scripts that `cmake … -P SCRIPT -- COMMAND…` runs: the words behind `--` in the list `command`.
set(command)
set(is_behind FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(is_behind)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(is_behind TRUE)
  endif()
endforeach()
