# SPDX-License-Identifier: Apache-2.0
# The package komuz of Python: python/komuz/ with the module _komuz (python/binding/). The target komuz_python makes build/…/python/komuz,
# so that PYTHONPATH=build/…/python works at once; scripts/python makes a wheel of it. Without Python's headers or pybind11
# (scripts/setup) it is left out.
#
# The static libraries are in the module as they are in executables, so neither executables nor their speed know of it. gcc makes
# position-independent code for executables (-fPIE) on all systems that we know. The linker takes it for a shared object, too, as long as all
# that the code looks at is part of the object, and nothing of it is seen outside (exports.map). Hence libstdc++ is in it as an archive,
# and glibc's one variable has a stand-in (python/binding/single_threaded.cpp). The few sources with variables of threads, and those that call std::call_once, are made for shared objects
# (CMakeLists.txt): else all such variables would have to lie in the little room that the first load of a program keeps for those of later
# shared objects, and those of CUDA's runtime have no room there.
option(KOMUZ_PYTHON_PACKAGE "Build the package of Python when its headers and pybind11 are found" ON)
set(KOMUZ_PYTHON_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "The Python that the package is built for")
set(KOMUZ_HAVE_PYTHON OFF)
set(why_no_python)
if(NOT KOMUZ_PYTHON_PACKAGE)
  set(why_no_python "off (KOMUZ_PYTHON_PACKAGE=OFF)")
elseif(KOMUZ_SANITIZE)
  set(why_no_python "not built with sanitizers")
elseif(NOT EXISTS ${KOMUZ_PYTHON_EXECUTABLE})
  set(why_no_python "there is no ${KOMUZ_PYTHON_EXECUTABLE}")
else()
  execute_process(COMMAND ${KOMUZ_PYTHON_EXECUTABLE} -c
    "import sysconfig; print(sysconfig.get_paths()['include'], sysconfig.get_config_var('EXT_SUFFIX'), sep=';', end='')"
    OUTPUT_VARIABLE python RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    list(GET python 0 python_include)
    list(GET python 1 KOMUZ_PYTHON_SUFFIX)
  endif()
  find_path(KOMUZ_PYBIND11_INCLUDE pybind11/pybind11.h HINTS /usr/lib/python3/dist-packages/pybind11/include)
  if(failed OR NOT EXISTS ${python_include}/Python.h)
    set(why_no_python "no Python.h of ${KOMUZ_PYTHON_EXECUTABLE} (python3-dev)")
  elseif(NOT KOMUZ_PYBIND11_INCLUDE)
    set(why_no_python "no pybind11 (pybind11-dev)")
  endif()
endif()
if(why_no_python)
  message(STATUS "Python: ${why_no_python}; building without the package komuz")
else()
  set(KOMUZ_HAVE_PYTHON ON)
  message(STATUS "Python: ${KOMUZ_PYTHON_EXECUTABLE}")
endif()

# The package in FOLDER, with the module that TARGET makes.
function(komuz_python_package target folder)
  set(package ${PROJECT_BINARY_DIR}/${folder}/komuz)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/binding/*.cpp)
  add_library(${target} MODULE ${sources})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME _komuz SUFFIX ${KOMUZ_PYTHON_SUFFIX}
    LIBRARY_OUTPUT_DIRECTORY ${package} BUILD_RPATH "\$ORIGIN" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/python/binding/exports.map)
  target_include_directories(${target} SYSTEM PRIVATE ${python_include} ${KOMUZ_PYBIND11_INCLUDE})
  target_link_libraries(${target} PRIVATE services nlohmann_json::nlohmann_json komuz_rtti)
  target_compile_definitions(${target} PRIVATE KOMUZ_VERSION="${PROJECT_VERSION}")
  # Most of what each takes are headers of pybind11.
  if(KOMUZ_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL -Wl,--gc-sections
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/python/binding/exports.map)
  # What the module opens on first use lies beside it, as it lies beside executables.
  file(MAKE_DIRECTORY ${package})
  set(beside small.safetensors proposals.safetensors)
  if(KOMUZ_HAVE_LLVM)
    list(APPEND beside komuz_backend.so)
    add_dependencies(${target} komuz_backend)
  endif()
  if(KOMUZ_HAVE_Z3)
    list(APPEND beside komuz_prover.so)
    add_dependencies(${target} komuz_prover)
  endif()
  foreach(file ${beside})
    file(CREATE_LINK ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${file} ${package}/${file} SYMBOLIC)
  endforeach()
  file(GLOB modules CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/komuz/*.py ${PROJECT_SOURCE_DIR}/python/komuz/*.pyi
    ${PROJECT_SOURCE_DIR}/python/komuz/py.typed)
  foreach(file ${modules})
    get_filename_component(name ${file} NAME)
    file(CREATE_LINK ${file} ${package}/${name} SYMBOLIC)
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/python/_version.py.in ${package}/_version.py @ONLY)
endfunction()

function(komuz_python)
  if(NOT KOMUZ_HAVE_PYTHON)
    return()
  endif()
  # pybind11 asks for the types of what it is given. Options of what is linked come in its order, and the last one counts.
  add_library(komuz_rtti INTERFACE)
  target_compile_options(komuz_rtti INTERFACE -frtti)
  komuz_python_package(komuz_python python)
  target_link_options(komuz_python PRIVATE -s)
  # The binding under sanitizers, for tests alone; the rest is linked as it is. Python has to load the runtime of AddressSanitizer first.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(BUILD_TESTING AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND IS_ABSOLUTE ${asan})
    komuz_python_package(komuz_python_sanitized python_sanitized)
    target_compile_options(komuz_python_sanitized PRIVATE
      -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-sanitize=vptr -Wno-maybe-uninitialized)
    target_link_options(komuz_python_sanitized PRIVATE -fsanitize=address,undefined)
    set(KOMUZ_ASAN_LIBRARY ${asan} PARENT_SCOPE)
  endif()
endfunction()
