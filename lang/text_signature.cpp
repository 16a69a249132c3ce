// SPDX-License-Identifier: Apache-2.0
#include "lang/text_signature.h"

#include <algorithm>

namespace komuz {
namespace {

u16 cells_of(const u8* codes, size_t size) {
  return static_cast<u16>(std::min<size_t>(count_cells(as_codes(codes, size)), 0xFFFF));
}

// Appends the codes of one type. A record's names stand before the types of its fields, which follow in the text: the
// fields of open types are kept until these end.
class TypeReader {
 public:
  TypeReader(TextLine& line, std::vector<u8>& out) : line_(line), out_(out) {}

  std::string read() {
    for (;;) {
      if (std::string reason = one(); !reason.empty()) return reason;
      if (is_inside_) continue;
      if (std::string reason = close(); !reason.empty()) return reason;
      if (open_.empty()) return "";
    }
  }

 private:
  static constexpr size_t kMaxDepth = 64;
  struct Open {
    bool is_record;
    u32 elements = 0;
    std::string names;  // of a record
    std::string types;
  };

  // A scalar, `()`, or what opens a tuple or record: is_inside_ then.
  std::string one() {
    is_inside_ = false;
    std::string name(line_.word());
    const Scalar scalar = scalar_from_name(name);
    if (scalar != Scalar::None) return add(std::string(1, static_cast<char>(scalar)));
    if (name.size() > kMaxTypeName) return "a name has more than 255 bytes";
    if (!line_.take("(")) return "expected a type";
    if (open_.size() == kMaxDepth) return "types nest deeper than 64";
    Open open{.is_record = !name.empty(), .names = {}, .types = {}};
    if (open.is_record) append_type_name(open.names, name);
    if (line_.take(")")) return open.is_record ? "a record has fields" : add({kTupleCode, 0});
    open_.push_back(std::move(open));
    return inside();
  }
  // Before an element.
  std::string inside() {
    is_inside_ = true;
    Open& of = open_.back();
    if (!of.is_record) return "";
    const std::optional<std::string> name = line_.name();
    if (!name || !line_.take(":")) return "a field is a name, `:` and a type";
    if (name->size() > kMaxTypeName) return "a name has more than 255 bytes";
    append_type_name(of.names, *name);
    return "";
  }
  std::string add(const std::string& codes) {
    if (open_.empty()) {
      out_.insert(out_.end(), codes.begin(), codes.end());
      return "";
    }
    if (open_.back().elements == kMaxTypeElements) return "a type has more than 255 elements";
    ++open_.back().elements;
    open_.back().types += codes;
    return "";
  }
  // A type ends here; so may those around it.
  std::string close() {
    while (!open_.empty()) {
      const bool comma = line_.take(",");
      const bool ends = line_.take(")");
      if (comma && !ends) return inside();
      if (!ends) return "expected `,` or `)` in a type";
      const Open of = std::move(open_.back());
      if (!of.is_record && of.elements == 1 && !comma) return "a tuple of one element ends in `,)`";
      open_.pop_back();
      std::string codes(1, static_cast<char>(of.is_record ? kRecordCode : kTupleCode));
      codes += static_cast<char>(of.elements);
      if (std::string reason = add(codes + of.names + of.types); !reason.empty()) return reason;
    }
    return "";
  }

  TextLine& line_;
  std::vector<u8>& out_;
  std::vector<Open> open_;
  bool is_inside_ = false;
};

std::string read_parameters(TextLine& line, Signature& out) {
  out.types = {kTupleCode, 0};
  while (!line.take(")")) {
    if (!out.parameters.empty() && !line.take(",")) return "expected `,` or `)`";
    std::optional<std::string> name = line.name();
    if (!name || !line.take(":")) return "a parameter is a name, `:` and a type";
    if (out.parameters.size() == kMaxTypeElements) return "there are more than 255 parameters";
    out.parameters.push_back(std::move(*name));
    ++out.types[1];
    if (std::string reason = TypeReader(line, out.types).read(); !reason.empty()) return reason;
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
  return TypeReader(line, out.types).read();
}

u16 Signature::parameter_slots() const { return cells_of(types.data(), result_at); }

u16 Signature::result_cells() const {
  return cells_of(types.data() + result_at, types.size() - result_at);
}

}  // namespace komuz
