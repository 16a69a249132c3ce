# SPDX-License-Identifier: Apache-2.0
# The native backend. Its door is the library `backend`, which everything may link; LLVM is in komuz_backend.so alone, which the door opens
# on first use. Without LLVM 19 (scripts/setup) the .so is left out, and `komuz devices` says so. Sets KOMUZ_HAVE_LLVM.
option(KOMUZ_LLVM "Build the native backend when LLVM 19 is found" ON)
set(KOMUZ_HAVE_LLVM OFF)
set(why_no_llvm)
if(NOT KOMUZ_LLVM)
  set(why_no_llvm "off (KOMUZ_LLVM=OFF)")
elseif(KOMUZ_SANITIZE)
  set(why_no_llvm "not built with sanitizers")
elseif(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(why_no_llvm "not built for ${CMAKE_SYSTEM_PROCESSOR}")
else()
  find_program(KOMUZ_LLVM_CONFIG llvm-config-19 HINTS /usr/lib/llvm-19/bin)
  if(NOT KOMUZ_LLVM_CONFIG)
    set(why_no_llvm "no llvm-config-19 found")
  else()
    set(components x86codegen x86desc x86info nvptxcodegen nvptxdesc nvptxinfo orcjit passes)
    execute_process(COMMAND ${KOMUZ_LLVM_CONFIG} --version OUTPUT_VARIABLE KOMUZ_LLVM_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND ${KOMUZ_LLVM_CONFIG} --includedir OUTPUT_VARIABLE llvm_include OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND ${KOMUZ_LLVM_CONFIG} --link-static --libfiles ${components}
      OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    separate_arguments(llvm_archives)
    set(first_archive)
    if(llvm_archives)
      list(GET llvm_archives 0 first_archive)
    endif()
    # LLVM compresses debug information by these. As archives they are part of the .so.
    find_library(KOMUZ_ZSTD_ARCHIVE libzstd.a)
    find_library(KOMUZ_ZLIB_ARCHIVE libz.a)
    set(llvm_others ${KOMUZ_ZSTD_ARCHIVE} ${KOMUZ_ZLIB_ARCHIVE})
    if(failed OR NOT EXISTS "${first_archive}" OR NOT EXISTS "${llvm_include}/llvm/IR/Module.h")
      set(why_no_llvm "${KOMUZ_LLVM_CONFIG} comes without headers or static libraries (llvm-19-dev)")
    elseif(NOT KOMUZ_ZSTD_ARCHIVE OR NOT KOMUZ_ZLIB_ARCHIVE)
      set(why_no_llvm "libzstd.a or libz.a is missing (libzstd-dev, zlib1g-dev)")
    endif()
  endif()
endif()

# The door, and the .so beside all executables.
function(komuz_backend)
  file(GLOB door CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/backend/*.cpp ${PROJECT_SOURCE_DIR}/backend/c/*.cpp)
  # The GPU that runs kernels, with CUDA or without.
  set(device _no_cuda)
  if(KOMUZ_HAVE_CUDA)
    set(device _cuda)
  endif()
  list(APPEND door ${PROJECT_SOURCE_DIR}/backend/cuda/ptx_device${device}.cpp)
  add_library(backend STATIC ${door})
  target_link_libraries(backend PUBLIC lang ${CMAKE_DL_LIBS})
  komuz_cuda_headers(${door})
  komuz_unity(backend ${door})
  if(NOT KOMUZ_HAVE_LLVM)
    return()
  endif()
  file(GLOB inside CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/backend/ir/*.cpp ${PROJECT_SOURCE_DIR}/backend/llvm/*.cpp)
  add_library(komuz_backend MODULE ${inside})
  set_target_properties(komuz_backend PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/backend/llvm/exports.map)
  target_include_directories(komuz_backend SYSTEM PRIVATE ${llvm_include})
  target_compile_definitions(komuz_backend PRIVATE
    _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
  # What it takes is what LLVM does: nothing of ours in it runs long.
  komuz_quick(komuz_backend)
  komuz_unity(komuz_backend ${inside})
  # A process may have an LLVM already, a driver's or Python's: none of ours is seen outside of the file.
  target_link_options(komuz_backend PRIVATE -s -Wl,--build-id=sha1 -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,-z,defs
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/backend/llvm/exports.map)
  target_link_libraries(komuz_backend PRIVATE komuz_options ${llvm_archives} ${llvm_others} ${CMAKE_DL_LIBS} Threads::Threads)
endfunction()

if(why_no_llvm)
  message(STATUS "LLVM: ${why_no_llvm}; building without the native backend")
else()
  set(KOMUZ_HAVE_LLVM ON)
  message(STATUS "LLVM: ${KOMUZ_LLVM_VERSION} at ${KOMUZ_LLVM_CONFIG}")
endif()
