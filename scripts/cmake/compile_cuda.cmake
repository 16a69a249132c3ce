# SPDX-License-Identifier: Apache-2.0
# cmake -DREPORT=FILE -P compile_cuda.cmake -- COMMAND…: runs nvcc, keeps what ptxas says in FILE, and shows it only where
# the compilation fails.
include(${CMAKE_CURRENT_LIST_DIR}/given_command.cmake)
execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
file(WRITE ${REPORT} "${text}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${text}")
endif()
