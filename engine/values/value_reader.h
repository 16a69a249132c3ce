// SPDX-License-Identifier: Apache-2.0
// Reads a value of any type by walking through the type and the text together, without recursion. Not part of the
// engine's door.
#pragma once
#include <string>
#include <vector>

#include "engine/values/value_shape.h"
#include "engine/values/value_text.h"

namespace komuz::engine {

class ValueReader {
 public:
  using ReadError = std::optional<ValueError>;

  // A workspace that allocates nothing once it is warm. The shape outlives it.
  explicit ValueReader(const ValueShape& shape) : shape_(shape), cursor_(shape) {}

  [[nodiscard]] ReadError read(std::string_view text, ValueStyle style, std::span<u64> cells);

 private:
  static constexpr u32 kNoConstructor = ~u32{0};

  // The open values, innermost last. Their parts are elements, or the fields of a constructor.
  struct Open {
    u32 node = 0;
    u32 constructor = kNoConstructor;
    u32 given = 0, count = 0;   // parts; in an array or list: so far, and at most
    u32 part = 0;               // the node of the current part
    char closer = 0;            // 0: nothing closes it
    bool is_in_braces = false;  // {"Circle": { … }}: another `}` closes it
    bool is_region = false;     // then `outer` is the surrounding region
    CellCursor::Region outer = {};
    size_t flags = 0;  // in a constructor: where its fields' flags start in is_given_
    size_t at = 0;     // where it opens in the text
  };

  // One function for each form. Each reads a value without parts completely, and opens any other up to its first
  // part: is_open_ is then set.
  ReadError value();
  ReadError scalar();
  ReadError tuple();
  ReadError record();
  ReadError elements();
  ReadError bytes();
  ReadError plain_bytes();
  ReadError option();
  ReadError sum();

  ReadError sum_in_braces();
  ReadError open_alternative(u32 alternative, Open of);
  ReadError open(Open of);
  // Goes on with the next element, or with the field whose name comes next.
  ReadError next_part();
  ReadError next_element(Open& of);
  ReadError next_field(Open& of);
  [[nodiscard]] ReadError no_field(std::span<const ShapeField> fields, std::string_view key) const;
  // Closes a complete value, which is a part of the open one around it.
  ReadError close();
  ReadError close_elements(Open& of);
  ReadError close_fields(Open& of);

  [[nodiscard]] bool is_whole_text() const;
  void skip_blanks();
  [[nodiscard]] bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  [[nodiscard]] bool take(char c);
  [[nodiscard]] std::string_view word() const;
  // Takes a name in quotes, which has no escapes. Empty if there is none.
  [[nodiscard]] std::string_view take_name();
  [[nodiscard]] const ShapeNode& node() const { return shape_.nodes[node_]; }
  // Finds an alternative by its name; returns the number of alternatives if there is none.
  [[nodiscard]] u32 find_alternative(std::string_view name) const;
  [[nodiscard]] u64 count_elements(size_t at) const;

  [[nodiscard]] ValueError expected(std::string what) const;
  [[nodiscard]] ValueError wrong(std::string message) const;
  [[nodiscard]] ValueError no_alternative(std::string_view name) const;
  [[nodiscard]] ValueError wrong_count(u32 node, size_t at, u64 found) const;

  const ValueShape& shape_;
  std::string_view text_;
  ValueStyle style_ = ValueStyle::Text;
  std::span<u64> cells_;
  CellCursor cursor_;
  size_t at_ = 0;         // in text_
  u32 node_ = 0;          // what comes next
  bool is_open_ = false;  // a part comes next
  std::vector<Open> open_;
  std::vector<bool> is_given_;  // fields of the constructors that are open
  std::string bytes_;
};

}  // namespace komuz::engine
