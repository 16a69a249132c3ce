# SPDX-License-Identifier: Apache-2.0
# cmake -DFILES=folder/*.md -DOUT=… -DHEADER=… -DSPACE=… -DROW=… -DNAME=… -P embed_texts.cmake: writes the files as a C++
# source, which defines `std::span<const ROW> NAME()` of HEADER. A row is a file's name and its text; PART says what of the
# name: NAME_WE or NAME; MODULE: its path from the folder of the first pattern, with dots, as modules are named.
file(GLOB paths ${FILES})
list(GET FILES 0 first)
get_filename_component(FOLDER ${first} DIRECTORY)
list(SORT paths)
set(rows "")
foreach(path IN LISTS paths)
  if(PART STREQUAL MODULE)
    file(RELATIVE_PATH name ${FOLDER} ${path})
    string(REGEX REPLACE "\\.[a-z]+$" "" name ${name})
    string(REPLACE "/" "." name ${name})
  else()
    get_filename_component(name ${path} ${PART})
  endif()
  file(READ ${path} text)
  string(APPEND rows "    {\"${name}\", R\"embedded(${text})embedded\"sv},\n")
endforeach()
file(WRITE ${OUT} "// Made by scripts/cmake/embed_texts.cmake.\n#include \"${HEADER}\"\n
namespace ${SPACE} {\nnamespace {\n\n// Its length is that of the literal: nothing is counted.\nusing std::string_view_literals::operator\"\"sv;\nconstexpr ${ROW} kTexts[] = {\n${rows}};\n
}  // namespace\n
std::span<const ${ROW}> ${NAME}() { return kTexts; }\n
}  // namespace ${SPACE}\n")
