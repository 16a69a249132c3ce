// SPDX-License-Identifier: Apache-2.0
// Prints values of all types as text, without recursion. Also holds the functions of value_text.h that lead to
// readers and printers.
#include <algorithm>

#include "engine/support/shown.h"
#include "engine/values/bytes_text.h"
#include "engine/values/decimal_commas.h"
#include "engine/values/foreign_numbers.h"
#include "engine/values/value_reader.h"

namespace komuz::engine {
namespace {

class ValuePrinter {
 public:
  ValuePrinter(std::string& out, const ValueShape& shape, std::span<const u64> cells,
               ValueStyle style)
      : out_(out),
        shape_(shape),
        cells_(cells),
        json_(style == ValueStyle::Json),
        style_(style),
        cursor_(shape) {}

  void print() {
    cursor_.reset();
    for (;;) {
      if (value()) continue;
      close();
      if (open_.empty()) return;
    }
  }

 private:
  struct Open {
    u32 node = 0;
    std::span<const ShapeField> fields = {};  // of a record or an alternative
    u32 count = 0, given = 0;                 // parts: all, and those that have begun
    u32 part = 0;                             // the node of the current part
    std::string_view closer;
    CellCursor::Region outer = {};
    bool is_region = false;
  };

  [[nodiscard]] const ShapeNode& node() const { return shape_.nodes[node_]; }

  // One function for each kind of type. True if a part comes next.
  bool value() {
    switch (node().code) {
      case kTupleCode:
        return open(json_ ? "[" : "(", {.count = node().count, .closer = tuple_end()});
      case kRecordCode: return record();
      case kArrayCode: return elements(node().count);
      case kListCode: return list();
      case kOptionCode:
      case kSumCode: return sum();
      case kSliceCode: return false;
    }
    print_scalar(out_, node().scalar(), cells_[cursor_.cell(node_)], style_);
    return false;
  }
  [[nodiscard]] std::string_view tuple_end() const {
    return json_ ? "]" : node().count == 1 ? ",)" : ")";
  }

  bool record() {
    const Constructor& of = shape_.constructors[node().first_constructor];
    if (!json_) out_ += of.name;
    return open(json_ ? "{" : "(",
                {.fields = shape_.fields_of(of), .count = of.fields, .closer = json_ ? "}" : ")"});
  }

  bool list() {
    const u64 length = cells_[cursor_.cell(node_)];
    const u32 count = static_cast<u32>(std::min<u64>(length, node().count));
    if (!shape_.is_bytes(node_)) return elements(count);
    bytes_.clear();
    for (u32 k = 0; k < count; ++k) bytes_ += static_cast<char>(cells_[cursor_.cell(node_, 1) + k]);
    append_quoted(out_, bytes_, style_);
    return false;
  }
  bool elements(u32 count) {
    Open of = {.count = count, .closer = "]"};
    if (count != 0) {
      of.outer = cursor_.enter_elements(node_);
      of.is_region = true;
    }
    return open("[", of);
  }

  bool sum() {
    const bool is_option = node().code == kOptionCode;
    const u64 alternative = cells_[cursor_.cell(node_)];
    if (alternative >= node().count) {
      const std::string name = shape_.text_of(node_) + '#' + std::to_string(alternative);
      if (json_)
        append_quoted(out_, name, style_);
      else
        out_ += name;
      return false;
    }
    const Constructor& of = shape_.constructors[node().first_constructor + alternative];
    if (of.fields == 0) {
      out_ += !json_ ? of.name : is_option ? "null" : '"' + std::string(of.name) + '"';
      return false;
    }
    Open parts = {
        .fields = shape_.fields_of(of), .count = of.fields, .closer = ")", .is_region = true};
    std::string opener = std::string(of.name) + '(';
    if (json_ && is_option) {
      const bool is_nested = shape_.nodes[node_ + 1].code == kOptionCode;
      opener = is_nested ? "{\"Some\": " : "";
      parts.closer = is_nested ? "}" : "";
    } else if (json_) {
      opener = "{\"" + std::string(of.name) + "\": {";
      parts.closer = "}}";
    }
    parts.outer = cursor_.enter_alternative(node_, static_cast<u32>(alternative));
    return open(opener, parts);
  }

  bool open(std::string_view opener, Open of) {
    out_ += opener;
    of.node = node_;
    open_.push_back(of);
    return next_part();
  }
  // False: there is no further part.
  bool next_part() {
    Open& of = open_.back();
    if (of.given == of.count) return false;
    if (of.given != 0) out_ += ", ";
    if (!of.fields.empty()) {
      const ShapeField& field = of.fields[of.given];
      if (!field.name.empty()) name_field(field.name);
      of.part = field.node;
    } else if (of.given == 0) {
      of.part = of.node + 1;
    } else if (shape_.nodes[of.node].has_elements()) {
      cursor_.next_element(of.node);
    } else {
      of.part = shape_.nodes[of.part].next;
    }
    node_ = of.part;
    ++of.given;
    return true;
  }
  void name_field(std::string_view name) {
    if (json_)
      ((out_ += '"') += name) += "\": ";
    else
      (out_ += name) += ": ";
  }
  // A complete value is a part of the open one around it.
  void close() {
    for (; !open_.empty(); open_.pop_back()) {
      if (next_part()) return;
      const Open& of = open_.back();
      out_ += of.closer;
      if (of.is_region) cursor_.leave(of.outer);
    }
  }

  std::string& out_;
  const ValueShape& shape_;
  std::span<const u64> cells_;
  bool json_;
  ValueStyle style_;
  CellCursor cursor_;
  u32 node_ = 0;  // what comes next
  std::vector<Open> open_;
  std::string bytes_;
};

}  // namespace

struct ValueFormat::Parts {
  explicit Parts(std::string_view type_code) : shape(type_code), reader(shape) {}
  ValueShape shape;
  ValueReader reader;
};

ValueFormat::ValueFormat(std::string_view type_code) : parts_(std::make_unique<Parts>(type_code)) {}
ValueFormat::~ValueFormat() = default;
ValueFormat::ValueFormat(ValueFormat&&) noexcept = default;
ValueFormat& ValueFormat::operator=(ValueFormat&&) noexcept = default;

std::optional<ValueError> ValueFormat::parse(std::string_view text, ValueStyle style,
                                             std::span<u64> cells) {
  const std::vector<ShapeNode>& nodes = parts_->shape.nodes;
  const bool is_number =
      !nodes.empty() && nodes.back().is_scalar() && nodes.back().scalar() != Scalar::Bool;
  const bool is_scalar = is_number && nodes.size() == 1;
  const bool is_option = is_number && nodes.size() == 2 && nodes[0].code == kOptionCode;
  std::string with_point;
  std::string_view number = text;
  if (style == ValueStyle::CommaText && (is_scalar || is_option)) {
    if (auto error = with_decimal_point(text, with_point)) return error;
    number = with_point;
  }
  const ValueStyle spelling = style == ValueStyle::CommaText ? ValueStyle::Text : style;
  std::optional<ValueError> error = parts_->reader.read(number, spelling, cells);
  if (!error || !is_scalar || spelling != ValueStyle::Text) return error;
  // The user has never seen the point.
  const std::string point = shown(number);
  if (const size_t at = error->message.find(point); at != std::string::npos)
    error->message.replace(at, point.size(), shown(text));
  std::optional<ValueError> foreign = foreign_number_error(text, style);
  return foreign ? foreign : error;
}

void ValueFormat::print(std::string& out, std::span<const u64> cells, ValueStyle style) const {
  ValuePrinter(out, parts_->shape, cells, style).print();
}

std::optional<ValueError> parse_value(std::string_view type_code, std::string_view text,
                                      ValueStyle style, std::span<u64> cells) {
  return ValueFormat(type_code).parse(text, style, cells);
}

void print_value(std::string& out, std::string_view type_code, std::span<const u64> cells,
                 ValueStyle style) {
  if (const TypeHead head = read_type_head(type_code, 0); head.is_scalar())
    return print_scalar(out, head.scalar(), cells[0], style);
  ValueFormat(type_code).print(out, cells, style);
}

}  // namespace komuz::engine
