# SPDX-License-Identifier: Apache-2.0
# cmake -DREPORT=FILE -P compile_cuda.cmake -- COMMAND…: runs nvcc, keeps what ptxas says in FILE, and shows it only where
# the compilation fails.
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
execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
file(WRITE ${REPORT} "${text}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${text}")
endif()
