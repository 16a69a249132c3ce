# SPDX-License-Identifier: Apache-2.0
# Finds nvcc 12 or later, unless -DKOMUZ_CUDA=OFF; says what it found. Sets KOMUZ_HAVE_CUDA.
#
# Device code is compiled by komuz_cuda_sources, for KOMUZ_CUDA_ARCHITECTURE alone. ptxas's report on each kernel
# (registers, spills, shared memory) lies beside the object, in cuda/NAME.ptxas; scripts/kernel-report reads it.
set(KOMUZ_HAVE_CUDA OFF)
set(KOMUZ_CUDA_ARCHITECTURE sm_90)
set(why_no_cuda)
if(NOT KOMUZ_CUDA)
  set(why_no_cuda "off (KOMUZ_CUDA=OFF)")
else()
  find_program(KOMUZ_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin /usr/local/cuda/bin)
  if(NOT KOMUZ_NVCC)
    set(why_no_cuda "no nvcc found")
  else()
    execute_process(COMMAND ${KOMUZ_NVCC} --version OUTPUT_VARIABLE nvcc_text ERROR_QUIET)
    string(REGEX MATCH "release ([0-9]+)\\.([0-9]+)" nvcc_version "${nvcc_text}")
    get_filename_component(cuda_home "${KOMUZ_NVCC}" REALPATH)
    get_filename_component(cuda_home "${cuda_home}/../.." ABSOLUTE)
    find_path(KOMUZ_CUDA_INCLUDE cuda_runtime_api.h
      HINTS ${cuda_home}/include ${cuda_home}/targets/x86_64-linux/include $ENV{CUDA_HOME}/include)
    find_library(KOMUZ_CUDA_RUNTIME cudart_static
      HINTS ${cuda_home}/lib64 ${cuda_home}/lib ${cuda_home}/targets/x86_64-linux/lib $ENV{CUDA_HOME}/lib64)
    if(NOT CMAKE_MATCH_1 GREATER_EQUAL 12)
      set(why_no_cuda "${KOMUZ_NVCC} is older than 12")
    elseif(NOT KOMUZ_CUDA_INCLUDE)
      set(why_no_cuda "${KOMUZ_NVCC} comes without cuda_runtime_api.h")
    elseif(NOT KOMUZ_CUDA_RUNTIME)
      set(why_no_cuda "${KOMUZ_NVCC} comes without libcudart_static.a")
    endif()
  endif()
endif()
if(why_no_cuda)
  message(STATUS "CUDA: ${why_no_cuda}; building for the CPU alone")
else()
  set(KOMUZ_HAVE_CUDA ON)
  message(STATUS "CUDA: nvcc ${CMAKE_MATCH_1}.${CMAKE_MATCH_2} at ${KOMUZ_NVCC}")
endif()

# -fmad, -ftz, -prec-*: the same bits as on the host.
set(KOMUZ_NVCC_FLAGS -std=c++20 -O3 -arch=${KOMUZ_CUDA_ARCHITECTURE} --expt-relaxed-constexpr
  -fmad=false -ftz=false -prec-div=true -prec-sqrt=true -Werror all-warnings -Xptxas -v)
# A switch over the operations is to be one jump; older versions of nvcc cannot be told.
if(KOMUZ_HAVE_CUDA)
  execute_process(COMMAND ${KOMUZ_NVCC} --help OUTPUT_VARIABLE nvcc_help ERROR_QUIET)
  if(nvcc_help MATCHES "--jump-table-density")
    list(APPEND KOMUZ_NVCC_FLAGS --jump-table-density=50)
  endif()
endif()

# The kernels of the front end are some 400 functions of 230,000 instructions each. ptxas takes more than five minutes for one
# kernel, and twenty seconds without its most expensive optimisations. But without them 344 of the functions keep registers in
# memory around calls, 13 KB together, instead of 212 bytes. So machines that have no GPU to run the kernels leave them out.
file(GLOB gpus /dev/nvidia[0-9]* /dev/dxg)
set(has_no_gpu ON)
if(gpus)
  set(has_no_gpu OFF)
endif()
option(KOMUZ_CUDA_FAST_COMPILE "Leave out ptxas's most expensive optimisations of the front end's kernels" ${has_no_gpu})
set(KOMUZ_LARGE_KERNELS frontend_gpu/device/cuda/front_block.cu frontend_gpu/device/cuda/front_warp.cu)
if(KOMUZ_HAVE_CUDA AND KOMUZ_CUDA_FAST_COMPILE AND nvcc_help MATCHES "--Ofast-compile")
  set(KOMUZ_LARGE_KERNEL_FLAGS --Ofast-compile=min)
endif()

# The runtime is linked in: an executable needs nothing but the driver, and starts without one.
function(komuz_use_cuda target)
  if(KOMUZ_HAVE_CUDA)
    target_link_libraries(${target} PUBLIC ${KOMUZ_CUDA_RUNTIME} Threads::Threads ${CMAKE_DL_LIBS} rt)
  endif()
endfunction()

# Sources named *_cuda.cpp see the headers of the runtime. No other source does, so what has been built without CUDA stays when it is
# turned on.
function(komuz_cuda_headers)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "_cuda\\.cpp$")
  if(KOMUZ_HAVE_CUDA AND sources)
    set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS -isystem ${KOMUZ_CUDA_INCLUDE})
  endif()
endfunction()

# Compiles .cu files and adds their objects to the target.
function(komuz_cuda_sources target)
  set(launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
  foreach(source ${ARGN})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    set(flags ${KOMUZ_NVCC_FLAGS})
    if(name IN_LIST KOMUZ_LARGE_KERNELS)
      list(APPEND flags ${KOMUZ_LARGE_KERNEL_FLAGS})
    endif()
    string(REPLACE "/" "." name ${name})
    set(object ${PROJECT_BINARY_DIR}/cuda/${name}.o)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/cuda)
    add_custom_command(
      OUTPUT ${object}
      BYPRODUCTS ${PROJECT_BINARY_DIR}/cuda/${name}.ptxas
      COMMAND ${CMAKE_COMMAND} -DREPORT=${PROJECT_BINARY_DIR}/cuda/${name}.ptxas
        -P ${PROJECT_SOURCE_DIR}/scripts/cmake/compile_cuda.cmake --
        ${launcher} ${KOMUZ_NVCC} ${flags} -ccbin ${CMAKE_CXX_COMPILER}
        -I${PROJECT_SOURCE_DIR} -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} ${PROJECT_SOURCE_DIR}/scripts/cmake/compile_cuda.cmake
        ${PROJECT_SOURCE_DIR}/scripts/cmake/given_command.cmake
      DEPFILE ${object}.d
      COMMENT "Building CUDA object cuda/${name}.o"
      VERBATIM)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE ${object})
  endforeach()
endfunction()
