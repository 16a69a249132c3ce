# SPDX-License-Identifier: Apache-2.0
# What scripts/gpu-day packs: programs that use a GPU, and what they are to do there, in parts (scripts/gpu/parts.cmake):
#
#   komuz_gpu_part(SECTION/NAME SECONDS program WORDS REHEARSAL)
#
#   SECTION      ceilings, tests, agreement, benchmarks or profile, which come in this order (scripts/gpu/day)
#   SECONDS      the part is ended then, if it has not come to its end; tests that take less time come first
#   program      a target, or a script of scripts/gpu; a build without the target leaves the part out
#   WORDS        go to the program, parted by blanks
#   REHEARSAL    the words that take the place of WORDS where there is no GPU
#
# komuz_write_gpu_parts(), at the end, writes the parts into the build: gpu-day/parts has a line for each, with tabs between the
# fields. The target `gpu` builds all programs, and gpu-day/programs lists them.
set_property(GLOBAL PROPERTY KOMUZ_GPU_PARTS "")
set_property(GLOBAL PROPERTY KOMUZ_GPU_TARGETS komuz gpu_power)

function(komuz_gpu_part name seconds target words rehearsal)
  if(TARGET ${target})
    set_property(GLOBAL APPEND PROPERTY KOMUZ_GPU_TARGETS ${target})
  elseif(NOT EXISTS ${PROJECT_SOURCE_DIR}/scripts/gpu/${target})
    return()
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY KOMUZ_GPU_PARTS "${name}\t${seconds}\t${target}\t${words}\t${rehearsal}\n")
endfunction()

# The tests that a filter of GoogleTest names. The rehearsal has a filter of its own.
function(komuz_gpu_test name seconds target filter rehearsal)
  komuz_gpu_part(tests/${name} ${seconds} ${target} "--gtest_filter=${filter}" "--gtest_filter=${rehearsal}")
endfunction()
# The rows that a regular expression names, three times.
function(komuz_gpu_bench name seconds target filter rehearsal)
  komuz_gpu_part(${name} ${seconds} ${target} "--benchmark_repetitions=3 --benchmark_filter=${filter}"
    "--benchmark_min_time=0.01 --benchmark_filter=${rehearsal}")
endfunction()

function(komuz_write_gpu_parts)
  get_property(parts GLOBAL PROPERTY KOMUZ_GPU_PARTS)
  get_property(targets GLOBAL PROPERTY KOMUZ_GPU_TARGETS)
  list(REMOVE_DUPLICATES targets)
  file(WRITE ${PROJECT_BINARY_DIR}/gpu-day/parts "${parts}")
  list(JOIN targets "\n" lines)
  file(WRITE ${PROJECT_BINARY_DIR}/gpu-day/programs "${lines}\n")
  # The kernels that backend_test and gpu_kernel_bench take where there is no LLVM.
  foreach(kernels device_ptx kernel_ptx)
    if(TARGET ${kernels})
      list(APPEND targets ${kernels})
    endif()
  endforeach()
  add_custom_target(gpu DEPENDS ${targets})
endfunction()
