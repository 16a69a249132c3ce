// SPDX-License-Identifier: Apache-2.0
#include "lang/text_signature.h"

#include <algorithm>
#include <span>

namespace komuz {
namespace {

constexpr u32 kMaxElements = 255;

u16 count_scalars(std::span<const u8> types) {
  u32 scalars = 0;
  for (size_t at = 0; at < types.size(); ++at) {
    if (types[at] == kTupleCode)
      ++at;  // its number of elements
    else
      ++scalars;
  }
  return static_cast<u16>(std::min<u32>(scalars, 0xFFFF));
}

// Appends the codes of one type. `open` holds where the numbers of elements of the open tuples are.
std::string read_type(TextLine& line, std::vector<u8>& out) {
  std::vector<size_t> open;
  bool after_comma = false;
  while (true) {
    if (line.take("(")) {
      out.push_back(kTupleCode);
      open.push_back(out.size());
      out.push_back(0);
      after_comma = false;
      if (!line.take(")")) continue;
      open.pop_back();
    } else if (after_comma && line.take(")")) {
      open.pop_back();
    } else {
      const Scalar scalar = scalar_from_name(line.word());
      if (scalar == Scalar::None) return "expected a type";
      out.push_back(static_cast<u8>(scalar));
    }
    // A type ends here; so may tuples around it.
    while (true) {
      if (open.empty()) return "";
      u8& elements = out[open.back()];
      if (elements == kMaxElements) return "a tuple has more than 255 elements";
      ++elements;
      after_comma = line.take(",");
      if (after_comma) break;
      if (!line.take(")")) return "expected `,` or `)` in a tuple";
      if (elements == 1) return "a tuple of one element ends in `,)`";
      open.pop_back();
    }
  }
}

std::string read_parameters(TextLine& line, Signature& out) {
  out.types = {kTupleCode, 0};
  while (!line.take(")")) {
    if (!out.parameters.empty() && !line.take(",")) return "expected `,` or `)`";
    std::optional<std::string> name = line.name();
    if (!name || !line.take(":")) return "a parameter is a name, `:` and a type";
    if (out.parameters.size() == kMaxElements) return "there are more than 255 parameters";
    out.parameters.push_back(std::move(*name));
    ++out.types[1];
    if (std::string reason = read_type(line, out.types); !reason.empty()) return reason;
  }
  return "";
}

}  // namespace

Scalar scalar_from_name(std::string_view name) {
  for (u8 s = 1; s < kScalarCount; ++s)
    if (scalar_name(static_cast<Scalar>(s)) == name) return static_cast<Scalar>(s);
  return Scalar::None;
}

std::string read_signature(TextLine& line, Signature& out) {
  std::optional<std::string> name = line.name();
  if (!name) return "a function has a name";
  out.name = std::move(*name);
  if (!line.take("(")) return "expected `(` after the name of a function";
  if (std::string reason = read_parameters(line, out); !reason.empty()) return reason;
  if (!line.take("->")) return "expected `->` and the type of the result";
  out.result_at = out.types.size();
  return read_type(line, out.types);
}

u16 Signature::parameter_slots() const { return count_scalars(std::span(types).first(result_at)); }

u16 Signature::result_cells() const { return count_scalars(std::span(types).subspan(result_at)); }

}  // namespace komuz
