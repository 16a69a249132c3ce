// SPDX-License-Identifier: Apache-2.0
#include "lang/code.h"

#include <algorithm>

namespace komuz {
namespace {

// The bytes of the type at `at`; empty if there is none.
std::string_view type_at(std::string_view codes, size_t at) {
  const size_t end = at <= codes.size() ? skip_type(codes, at) : codes.size() + 1;
  return end <= codes.size() ? codes.substr(at, end - at) : std::string_view();
}

}  // namespace

std::string_view CodeView::parameter_types(const Function& f) const {
  return type_at(type_codes(), f.types_begin);
}

std::string_view CodeView::result_type(const Function& f) const {
  return type_at(type_codes(), f.types_begin + parameter_types(f).size());
}

size_t CodeView::function_at(u32 instruction) const {
  // Functions are in the order of their code.
  const auto after =
      std::partition_point(functions.begin(), functions.end(),
                           [&](const Function& f) { return f.code_end <= instruction; });
  if (after == functions.end() || instruction < after->code_begin) return functions.size();
  return static_cast<size_t>(after - functions.begin());
}

size_t CodeView::find_function(std::string_view wanted) const {
  for (size_t i = 0; i < functions.size(); ++i)
    if (functions[i].kind == FunctionKind::Function && name(functions[i]) == wanted) return i;
  return functions.size();
}

void Code::clear() {
  instructions.clear();
  places.clear();
  constants.clear();
  functions.clear();
  types.clear();
  slot_types.clear();
  names.clear();
  parameter_names.clear();
}

}  // namespace komuz
