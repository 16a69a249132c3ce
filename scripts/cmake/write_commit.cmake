# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=folder -DOUT=… -P write_commit.cmake: writes which commit is checked out, as a C++ source of
# cli/process/version.h. Where there is no git, as in an archive, the commit is unknown, and the date is that of the archive's files.
cmake_minimum_required(VERSION 3.25)
find_program(git git)
set(commit "")
set(date "")
# Only this folder's own repository counts: an archive may lie in a repository of somebody else.
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} -C ${SOURCE} log -1 --format=%H WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TZ=UTC ${git} -C ${SOURCE} log -1 --format=%cd --date=format-local:%Y-%m-%d
    OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT date)
  file(TIMESTAMP ${SOURCE}/CMakeLists.txt date "%Y-%m-%d" UTC)
endif()
# The file is written only if it changes: else its users would be compiled and linked again.
file(CONFIGURE OUTPUT ${OUT} CONTENT "// Made by scripts/cmake/write_commit.cmake.
#include \"cli/process/version.h\"

namespace komuz::cli {

constinit const Commit kCommit = {\"${commit}\", \"${date}\"};

}  // namespace komuz::cli
" @ONLY)
