# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=… -DPTX=… -P no_device_traps.cmake -- nvcc flags…
# Fails if nvcc made a trap of something in a .cu file. Where code looks something up in a table that only the host's memory has,
# nvcc makes a trap without a warning (base/ints.h, HD_TABLE).
include(${CMAKE_CURRENT_LIST_DIR}/given_command.cmake)
execute_process(COMMAND ${command} -ptx ${SOURCE} -o ${PTX}
  RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${SOURCE}: nvcc -ptx failed\n${text}")
endif()
file(STRINGS ${PTX} traps REGEX "^[ \t]*trap;")
list(LENGTH traps count)
file(REMOVE ${PTX})
if(count GREATER 0)
  message(FATAL_ERROR "${SOURCE}: ${count} traps in the device's code")
endif()
message(STATUS "${SOURCE}: no traps")
