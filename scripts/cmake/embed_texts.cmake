# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=… -DOUT=… -P embed_texts.cmake: the .md files of services/explanations as a C++ source.
file(GLOB paths ${FOLDER}/*.md)
list(SORT paths)
set(rows "")
foreach(path IN LISTS paths)
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} text)
  string(APPEND rows "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE ${OUT} "// Made by scripts/cmake/embed_texts.cmake.\n#include \"services/explanation_texts.h\"\n
namespace komuz::services {\nnamespace {\n\nconstexpr ExplanationText kTexts[] = {\n${rows}};\n
}  // namespace\n
std::span<const ExplanationText> explanation_texts() { return kTexts; }\n
}  // namespace komuz::services\n")
