# SPDX-License-Identifier: Apache-2.0
# cmake -DFILES=folder/*.md -DOUT=… -DHEADER=… -DSPACE=… -DROW=… -DNAME=… -P embed_texts.cmake: writes the files as a C++
# source, which defines `std::span<const ROW> NAME()` of HEADER. A row is a file's name and its text; PART says what of the
# name: NAME_WE or NAME.
file(GLOB paths ${FILES})
list(SORT paths)
set(rows "")
foreach(path IN LISTS paths)
  get_filename_component(name ${path} ${PART})
  file(READ ${path} text)
  string(APPEND rows "    {\"${name}\", R\"embedded(${text})embedded\"sv},\n")
endforeach()
file(WRITE ${OUT} "// Made by scripts/cmake/embed_texts.cmake.\n#include \"${HEADER}\"\n
namespace ${SPACE} {\nnamespace {\n\n// Its length is that of the literal: nothing is counted.\nusing std::string_view_literals::operator\"\"sv;\nconstexpr ${ROW} kTexts[] = {\n${rows}};\n
}  // namespace\n
std::span<const ${ROW}> ${NAME}() { return kTexts; }\n
}  // namespace ${SPACE}\n")
