// SPDX-License-Identifier: Apache-2.0
#include "lang/text/text_signature.h"

#include <algorithm>

namespace komuz {
namespace {

u16 cells_of(const u8* codes, size_t size) {
  return static_cast<u16>(std::min<size_t>(count_cells(as_codes(codes, size)), 0xFFFF));
}

// Appends the codes of one type. In the codes, names and numbers stand before the elements of a type; in the text
// they may follow. So the parts of open types are kept until these end.
class TypeReader {
 public:
  TypeReader(TextLine& line, std::vector<u8>& out) : line_(line), out_(out) {}

  std::string read() {
    for (;;) {
      if (std::string reason = one(); !reason.empty()) return reason;
      if (is_inside_) continue;
      if (std::string reason = close(); !reason.empty()) return reason;
      if (open_.empty()) return add_checked();
    }
  }

 private:
  static constexpr size_t kMaxDepth = 64;
  struct Open {
    u8 code;
    u32 elements = 0;        // so far; in a sum: of its current alternative
    u32 count = 0;           // for a sum: alternatives so far; for an array or list: elements
    std::string names = {};  // for a record or sum
    size_t fields_at = 0;  // for a sum: where its names count the fields of the current alternative
    std::string types = {};
  };

  // A scalar, `()`, `Bytes[n]`, or the opening of another type: is_inside_ is then set.
  std::string one() {
    is_inside_ = false;
    const std::string name(line_.word());
    const Scalar scalar = scalar_from_name(name);
    if (scalar != Scalar::None) return add(std::string(1, static_cast<char>(scalar)));
    if (name.size() > kMaxTypeName) return kLongName;
    if (line_.take("[")) {
      if (name == "Bytes") {
        const std::optional<u64> capacity = line_.number(kMaxTypeCells);
        if (!capacity || !line_.take("]")) return "expected `Bytes[n]`";
        return add(counted_code(kListCode, *capacity) + static_cast<char>(Scalar::U8));
      }
      if (name != "" && name != "List" && name != "Option") return "expected a type";
      return open({.code = name.empty() ? kArrayCode : name == "List" ? kListCode : kOptionCode});
    }
    if (!line_.take("(")) return "expected a type";
    if (name.empty()) return line_.take(")") ? add({kTupleCode, 0}) : open({.code = kTupleCode});
    Open of{.code = kRecordCode};
    append_type_name(of.names, name);
    return line_.take(")") ? add(std::string{kRecordCode, 0} + of.names) : open(std::move(of));
  }
  std::string open(Open of) {
    if (open_.size() == kMaxDepth) return "types nest deeper than 64";
    open_.push_back(std::move(of));
    return inside();
  }
  // Called before an element.
  std::string inside() {
    is_inside_ = true;
    Open& of = open_.back();
    if (of.code != kRecordCode && of.code != kSumCode) return "";
    const std::optional<std::string> name = line_.name();
    if (name && of.code == kRecordCode && of.elements == 0 && !line_.next_is(":")) {
      of.code = kSumCode;  // the name is an alternative's
      return alternative(*name);
    }
    if (!name || !line_.take(":")) return "a field is a name, `:` and a type";
    if (name->size() > kMaxTypeName) return kLongName;
    append_type_name(of.names, *name);
    return "";
  }
  // Called behind the name of an alternative: reads its fields, or further alternatives up to one with fields or the
  // end of the sum.
  std::string alternative(std::string name) {
    Open& of = open_.back();
    for (;;) {
      if (of.count++ == kMaxTypeElements) return "a sum has more than 255 alternatives";
      if (name.size() > kMaxTypeName) return kLongName;
      append_type_name(of.names, name);
      of.fields_at = of.names.size();
      of.names += '\0';
      of.elements = 0;
      if (line_.take("(")) return inside();
      if (!line_.take("|")) break;
      std::optional<std::string> next = line_.name();
      if (!next) return kNoAlternative;
      name = std::move(*next);
    }
    is_inside_ = false;
    return line_.take(")") ? complete() : "expected `|` or `)` in a sum";
  }
  std::string add(const std::string& codes) {
    if (open_.empty()) {
      type_ = codes;
      return "";
    }
    Open& of = open_.back();
    if (of.elements == kMaxTypeElements) return "a type has more than 255 elements";
    ++of.elements;
    of.types += codes;
    if (of.code == kSumCode) of.names[of.fields_at] = static_cast<char>(of.elements);
    return "";
  }
  // The innermost open type has all its elements.
  std::string complete() {
    const Open of = std::move(open_.back());
    open_.pop_back();
    std::string codes(1, static_cast<char>(of.code));
    if (of.code == kTupleCode || of.code == kRecordCode) codes += static_cast<char>(of.elements);
    if (of.code == kSumCode) codes += static_cast<char>(of.count);
    if (of.code == kArrayCode || of.code == kListCode) codes = counted_code(of.code, of.count);
    return add(codes + of.names + of.types);
  }
  // A type ends here, and perhaps those around it.
  std::string close() {
    while (!open_.empty()) {
      if (std::string reason = behind_element(); !reason.empty() || is_inside_) return reason;
    }
    return "";
  }
  // Goes on with the next element (is_inside_ is then set), or completes the type.
  std::string behind_element() {
    Open& of = open_.back();
    switch (of.code) {
      case kArrayCode:
        if (line_.take("]")) {
          of.code = kSliceCode;
          return complete();
        }
        return line_.take(";") ? number_and_end(of) : "expected `;` or `]` in a type";
      case kListCode: return line_.take(",") ? number_and_end(of) : "expected `,` in `List[T, n]`";
      case kOptionCode: return line_.take("]") ? complete() : "expected `]` in a type";
      case kSumCode: {
        if (line_.take(",")) return inside();
        if (!line_.take(")")) return "expected `,` or `)` in a type";
        if (!line_.take("|")) return line_.take(")") ? complete() : "expected `|` or `)` in a sum";
        std::optional<std::string> next = line_.name();
        return next ? alternative(std::move(*next)) : kNoAlternative;
      }
    }
    const bool comma = line_.take(",");
    const bool ends = line_.take(")");
    if (comma && !ends) return inside();
    if (!ends) return "expected `,` or `)` in a type";
    if (of.code == kTupleCode && of.elements == 1 && !comma)
      return "a tuple of one element ends in `,)`";
    return complete();
  }
  std::string number_and_end(Open& of) {
    const std::optional<u64> count = line_.number(kMaxTypeCells);
    if (!count) return "expected a number up to 65535 in a type";
    of.count = static_cast<u32>(*count);
    return line_.take("]") ? complete() : "expected `]` in a type";
  }
  static std::string counted_code(u8 code, u64 count) {
    return {static_cast<char>(code), static_cast<char>(count), static_cast<char>(count >> 8)};
  }
  std::string add_checked() {
    if (skip_type(type_, 0) != type_.size())
      return "this is no type: it has more than 65,535 cells, a name that is none, a slice in "
             "another type, or more "
             "than 32 arrays, lists, sums and Options in one another";
    out_.insert(out_.end(), type_.begin(), type_.end());
    return "";
  }

  static constexpr const char* kLongName = "a name has more than 255 bytes";
  static constexpr const char* kNoAlternative = "an alternative has a name";
  TextLine& line_;
  std::vector<u8>& out_;
  std::string type_;  // being read
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

Scalar take_cell_type(TextLine& line) {
  const bool is_reference = line.take("&");
  const Scalar scalar = scalar_from_name(line.word());
  return is_reference && scalar != Scalar::None ? reference_to(scalar) : scalar;
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
