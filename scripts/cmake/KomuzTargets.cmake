# SPDX-License-Identifier: Apache-2.0
# komuz_library(folder deps…): one target for a folder, of the same name, from all its sources, for plain x86-64.
# Sources named *_cuda.cpp, and .cu files, belong to builds with CUDA. Sources named *_no_cuda.cpp belong to builds without.

# Rebuilds go through ccache where it is installed and nothing else was asked for.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(KOMUZ_CCACHE ccache)
  if(KOMUZ_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${KOMUZ_CCACHE})
    message(STATUS "ccache: ${KOMUZ_CCACHE}")
  endif()
endif()

add_library(komuz_options INTERFACE)
target_include_directories(komuz_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
# -Wno-restrict: gcc 12 warns of its own std::string (GCC bug 105329).
# -Wno-psabi: SIMD vectors wider than a register are passed in memory; they cross no boundary of ours.
# -fmacro-prefix-map: places in the sources are named from the root: no executable says where it was built.
# Floating point: the same bits everywhere. No contraction, no reassociation; the two -fno- flags keep values as they
# are and let loops vectorise.
target_compile_options(komuz_options INTERFACE
  -Wall -Wextra -Wswitch -Wshadow -Wconversion -Wno-sign-conversion -Wno-psabi -Wno-restrict -Werror
  "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/="
  -ffp-contract=off -fwrapv -fno-math-errno -fno-trapping-math -fno-rtti)
if(KOMUZ_SANITIZE)
  # -g1: reports need lines, not variables, which take gcc minutes to track through code that is one large function.
  # -Wno-maybe-uninitialized: with sanitizers gcc 12 warns of its own std::regex (gcc bug 105616).
  target_compile_options(komuz_options INTERFACE
    -g1 -Wno-maybe-uninitialized -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(komuz_options INTERFACE -fsanitize=address,undefined)
endif()

set(KOMUZ_AVX2_FLAGS -mavx2 -mfma -mbmi -mbmi2 -mlzcnt -mpopcnt)
set(KOMUZ_AVX512_FLAGS ${KOMUZ_AVX2_FLAGS} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)
# The intrinsics of gcc 12 start from registers that are deliberately undefined, and warn of it themselves (gcc bug 105593).
list(APPEND KOMUZ_AVX512_FLAGS -Wno-uninitialized -Wno-maybe-uninitialized)

# Sources named *_avx2.cpp and *_avx512.cpp are compiled for that instruction set.
# The machine for processors without AVX2 is large, and only has to be right. -O1 compiles it in three quarters of the time.
function(komuz_instruction_sets)
  foreach(source ${ARGN})
    if(source MATCHES "_avx2\\.cpp$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${KOMUZ_AVX2_FLAGS}")
    elseif(source MATCHES "_avx512\\.cpp$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${KOMUZ_AVX512_FLAGS}")
    elseif(source MATCHES "/batch_portable\\.cpp$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O1>")
    endif()
  endforeach()
endfunction()

# Small sources of a room are compiled together, eight at a time, as most of what each takes are headers that all of them include.
# A change then compiles eight sources; whoever works on a room turns it off (docs/style.md). Sources of an instruction set or of a
# device are not compiled together, nor are the runners of the passes, which are large.
option(KOMUZ_UNITY "Compile small sources of a room together" ON)
function(komuz_unity target)
  if(NOT KOMUZ_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # gcc takes a source that is included for a header, and warns where a type in it uses what is local to that source.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  foreach(source ${ARGN})
    if(source MATCHES "_(avx2|avx512|portable|cuda|runner|device)\\.cpp$" OR source MATCHES "/cli/(commands|manual)/")
      continue()
    endif()
    get_filename_component(room ${source} DIRECTORY)
    file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${room})
    string(MAKE_C_IDENTIFIER ${room} room)
    if(NOT DEFINED count_${room})
      set(count_${room} 0)
    endif()
    math(EXPR number "${count_${room}} / 8")
    math(EXPR count_${room} "${count_${room}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${number})
  endforeach()
endfunction()

# komuz_quick(target): for code that never runs long, such as a face. It is optimised less, so that it compiles sooner.
function(komuz_quick target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# komuz_own_module(name exports sources…): a shared object beside all executables that one of them opens on first use
# (base/machine/opened_library.h). It shows what the file `exports` says. A process may have the library in it already, as a driver's or
# Python's: none of ours is seen outside of the file. What it takes is what that library does: nothing of ours in it runs long.
function(komuz_own_module name exports)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON LINK_DEPENDS ${PROJECT_SOURCE_DIR}/${exports})
  komuz_quick(${name})
  komuz_unity(${name} ${ARGN})
  target_link_options(${name} PRIVATE -s -Wl,--build-id=sha1 -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,-z,defs
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/${exports})
endfunction()

# komuz_first(folder pattern…): sources of a folder that take longest to compile, as FOLDER_first. Of what can be built, Ninja begins
# what is declared first, so these calls stand before all libraries: at the end no processor waits for one of them.
function(komuz_first folder)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  add_library(${folder}_first OBJECT ${sources})
  target_link_libraries(${folder}_first PRIVATE komuz_options)
  komuz_instruction_sets(${sources})
endfunction()

# Sources named emulated_*.cpp and permuted_*.cpp stand in for devices and groups, and only tests need them. They are a library of
# their own, FOLDER_stand_ins, so the executable is built without them.
function(komuz_library folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  # What belongs to a module that is opened (KomuzProver.cmake).
  list(FILTER sources EXCLUDE REGEX "/proof/z3/")
  file(GLOB_RECURSE device_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cu)
  set(stand_ins ${sources})
  list(FILTER stand_ins INCLUDE REGEX "/(emulated|permuted)_[^/]*\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "/(emulated|permuted)_[^/]*\\.cpp$")
  if(TARGET ${folder}_first)
    get_target_property(first ${folder}_first SOURCES)
    list(REMOVE_ITEM sources ${first})
  endif()
  set(without_cuda ${sources})
  list(FILTER without_cuda INCLUDE REGEX "_no_cuda\\.cpp$")
  if(KOMUZ_HAVE_CUDA)
    list(FILTER sources EXCLUDE REGEX "_no_cuda\\.cpp$")
  else()
    list(FILTER sources EXCLUDE REGEX "_cuda\\.cpp$")
    list(APPEND sources ${without_cuda})
    set(device_sources)
  endif()
  if(sources)
    add_library(${folder} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${folder} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(${folder} ${scope} komuz_options ${ARGN})
  if(TARGET ${folder}_first)
    target_sources(${folder} PRIVATE $<TARGET_OBJECTS:${folder}_first>)
  endif()
  komuz_instruction_sets(${sources})
  komuz_cuda_headers(${sources})
  komuz_unity(${folder} ${sources})
  komuz_cuda_sources(${folder} ${device_sources})
  if(stand_ins)
    add_library(${folder}_stand_ins STATIC ${stand_ins})
    target_link_libraries(${folder}_stand_ins PUBLIC ${folder})
  endif()
endfunction()

# The files of a list of patterns become part of a library; the header says by which function they are found. A text goes by the name of
# its file without the ending, or with it, if NAME follows.
function(komuz_embed_texts library patterns header space row name)
  set(part NAME_WE)
  if(ARGN)
    set(part ${ARGN})
  endif()
  set(files ${patterns})
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB texts CONFIGURE_DEPENDS ${files})
  set(made ${PROJECT_BINARY_DIR}/embedded/${name}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/scripts/cmake/embed_texts.cmake)
  add_custom_command(OUTPUT ${made} DEPENDS ${texts} ${script}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DOUT=${made} -DHEADER=${header}
      -DSPACE=${space} -DROW=${row} -DNAME=${name} -DPART=${part} -P ${script}
    COMMENT "Embedding ${patterns}" VERBATIM)
  target_sources(${library} PRIVATE ${made})
endfunction()

# Handlers of one lane (vm/one_lane_handlers.h) end with calls. Where KOMUZ_SIBLING_CALLS is defined, they may count on the compiler
# to make these calls jumps. gcc makes no such jumps with -O0 and -Og, and sanitizers need the calls.
function(komuz_sibling_calls target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(REGEX MATCHALL "-O[0-3gsz]?" levels "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  list(POP_BACK levels level)
  string(FIND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" -fsanitize sanitizer)
  set(makes_jumps -O -O1 -O2 -O3 -Os)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT KOMUZ_SANITIZE AND sanitizer EQUAL -1 AND level IN_LIST makes_jumps)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-foptimize-sibling-calls>)
    target_compile_definitions(${target} PRIVATE KOMUZ_SIBLING_CALLS=1)
  endif()
endfunction()
