# SPDX-License-Identifier: Apache-2.0
# What scripts/gpu-bundle packs: tests and benchmarks that use a GPU. Wherever such a target is made, one line names it:
#
#   komuz_gpu_test(target FILTER)    FILTER: of GoogleTest, those of its tests that a GPU takes part in
#   komuz_gpu_bench(target)
#
# komuz_write_gpu_lists(), at the end, writes gpu/tests and gpu/benches into the build: a target and its filter a line.
# The target `gpu` builds all of them.
set_property(GLOBAL PROPERTY KOMUZ_GPU_TESTS "")
set_property(GLOBAL PROPERTY KOMUZ_GPU_BENCHES "")

function(komuz_gpu_test target filter)
  set_property(GLOBAL APPEND PROPERTY KOMUZ_GPU_TARGETS ${target})
  set_property(GLOBAL APPEND_STRING PROPERTY KOMUZ_GPU_TESTS "${target} ${filter}\n")
endfunction()

function(komuz_gpu_bench target)
  set_property(GLOBAL APPEND PROPERTY KOMUZ_GPU_TARGETS ${target})
  set_property(GLOBAL APPEND_STRING PROPERTY KOMUZ_GPU_BENCHES "${target}\n")
endfunction()

function(komuz_write_gpu_lists)
  get_property(tests GLOBAL PROPERTY KOMUZ_GPU_TESTS)
  get_property(benches GLOBAL PROPERTY KOMUZ_GPU_BENCHES)
  get_property(targets GLOBAL PROPERTY KOMUZ_GPU_TARGETS)
  file(WRITE ${PROJECT_BINARY_DIR}/gpu/tests "${tests}")
  file(WRITE ${PROJECT_BINARY_DIR}/gpu/benches "${benches}")
  add_custom_target(gpu DEPENDS komuz ${targets})
endfunction()
