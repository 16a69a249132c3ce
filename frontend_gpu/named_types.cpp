// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/named_types.h"

#include "frontend_gpu/names/names.h"
#include "frontend_gpu/types/put_type_codes.h"

namespace komuz::frontend {

std::string name_text(const Columns& c, Index node) {
  const SpelledName name = spelled_name(c, node);
  return {reinterpret_cast<const char*>(name.text), name.length};
}

std::string written_type(const Columns& c, TypeId type) {
  if (type == kTypeUnit || type == kTypeStatement) return "()";
  if (!is_value(settled(type))) return {};
  std::string codes;
  put_type_codes(c, type, [&](u8 byte) { codes += static_cast<char>(byte); });
  return type_text(codes, RecordText::Name);
}

}  // namespace komuz::frontend
