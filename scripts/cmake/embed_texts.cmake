# SPDX-License-Identifier: Apache-2.0
# cmake -DFILES=folder/*.md -DOUT=… -DHEADER=… -DSPACE=… -DROW=… -DNAME=… -P embed_texts.cmake: writes the files as a C++
# source, which defines `std::span<const ROW> NAME()` of HEADER. A row is a file's name and its text.
file(GLOB paths ${FILES})
list(SORT paths)
set(rows "")
foreach(path IN LISTS paths)
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} text)
  string(APPEND rows "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE ${OUT} "// Made by scripts/cmake/embed_texts.cmake.\n#include \"${HEADER}\"\n
namespace ${SPACE} {\nnamespace {\n\nconstexpr ${ROW} kTexts[] = {\n${rows}};\n
}  // namespace\n
std::span<const ${ROW}> ${NAME}() { return kTexts; }\n
}  // namespace ${SPACE}\n")
