// SPDX-License-Identifier: Apache-2.0
// What the generated text may use at a place: visible variables, constants, functions. A type is given by its type
// code (lang/type_codes.h).
#pragma once
#include <string>
#include <vector>

#include "base/random.h"
#include "lang/type_codes.h"

namespace komuz::gen {

using TypeCode = std::string;

inline TypeCode scalar_code(Scalar s) { return TypeCode(1, static_cast<char>(s)); }
inline bool is_scalar_code(const TypeCode& type) { return type.size() == 1; }
inline Scalar scalar_of(const TypeCode& type) { return static_cast<Scalar>(type[0]); }
inline bool is_record_code(const TypeCode& type) { return static_cast<u8>(type[0]) == kRecordCode; }
inline bool is_sum_code(const TypeCode& type) { return static_cast<u8>(type[0]) == kSumCode; }
inline bool is_option_code(const TypeCode& type) { return static_cast<u8>(type[0]) == kOptionCode; }
inline bool is_array_code(const TypeCode& type) { return static_cast<u8>(type[0]) == kArrayCode; }
inline bool is_list_code(const TypeCode& type) { return static_cast<u8>(type[0]) == kListCode; }
inline bool is_slice_code(const TypeCode& type) { return static_cast<u8>(type[0]) == kSliceCode; }
inline bool has_alternatives(const TypeCode& type) {
  return is_sum_code(type) || is_option_code(type);
}
inline bool has_elements(const TypeCode& type) {
  return is_array_code(type) || is_list_code(type) || is_slice_code(type);
}
inline bool is_container(const TypeCode& type) {
  return is_option_code(type) || has_elements(type);
}
// The type that an array, list, slice or Option holds.
[[nodiscard]] inline TypeCode held_of(const TypeCode& type) {
  return type.substr(read_type_head(type, 0).end);
}
// The number of elements of an array, or the most that a list can hold; 0 for a slice.
[[nodiscard]] inline u32 capacity_of(const TypeCode& type) { return read_type_head(type, 0).count; }
inline TypeCode option_code(const TypeCode& held) {
  return TypeCode(1, static_cast<char>(kOptionCode)) + held;
}
inline TypeCode pair_of(const TypeCode& first, const TypeCode& second) {
  return TypeCode{static_cast<char>(kTupleCode), 2} + first + second;
}
inline TypeCode slice_code(const TypeCode& held) {
  return TypeCode(1, static_cast<char>(kSliceCode)) + held;
}
// The type of an array or list.
inline TypeCode counted_code(u8 code, u32 count, const TypeCode& held) {
  return TypeCode{static_cast<char>(code), static_cast<char>(count), 0} + held;
}
// The types of the elements of a tuple, or of a record's fields. Other types have none.
[[nodiscard]] std::vector<TypeCode> elements_of(const TypeCode& type);
// What stands behind a `.` for each of them.
[[nodiscard]] std::vector<std::string> fields_of(const TypeCode& type);
// The type as a program writes it.
[[nodiscard]] inline std::string spelled(const TypeCode& type) {
  return type_text(type, RecordText::Name);
}
struct Alternative {
  std::string name;
  std::vector<std::string> fields;
  std::vector<TypeCode> types;
};
// The alternatives of a sum or an Option.
[[nodiscard]] std::vector<Alternative> alternatives_of(const TypeCode& type);
[[nodiscard]] std::string joined(const std::vector<std::string>& parts, std::string_view between);
[[nodiscard]] Scalar random_scalar(Random& random, TypeSet allowed = type_set::kAny);
// A tuple of one to three elements, some of them pairs.
[[nodiscard]] TypeCode random_tuple(Random& random);

struct Variable {
  std::string name;
  TypeCode type;
  bool changes = false;  // a `var`
};

struct Signature {
  std::string name;
  std::vector<TypeCode> parameters;
  TypeCode result;
  u32 cycle =
      0;  // > 0: calls itself through functions of the same number; its first parameter counts down
};

// A space from which holes may take expressions.
struct SpaceSignature {
  std::string name;
  std::vector<TypeCode> parameters;
  TypeCode result;
};

struct Scope {
  std::vector<Variable> variables;  // a later one hides an earlier one of the same name
  std::vector<Signature> functions;
  std::vector<TypeCode> made;  // records and sums of the program
  u32 cycle = 0;               // the cycle of the function that is being written
  bool containers = false;     // Options::containers
  bool chains = false;         // Options::chains
  bool holes = false;          // Options::holes
  std::vector<SpaceSignature> spaces;
  u32 holes_named = 0;

  // Variables of the type that no later one hides. With `only_changing`, just those that may be assigned to.
  [[nodiscard]] std::vector<const Variable*> visible(const TypeCode& type,
                                                     bool only_changing = false) const;
  // A scalar, and sometimes a small tuple, a type that the program defines, or a small container.
  [[nodiscard]] TypeCode random_type(Random& random) const;
  // A type for the elements of a container that has room for `cells` cells.
  [[nodiscard]] TypeCode random_held(Random& random, u32 cells) const;
  // An array, a list or an Option.
  [[nodiscard]] TypeCode random_container(Random& random, u32 cells) const;
  // All variables that no later one hides.
  [[nodiscard]] std::vector<const Variable*> visible() const;
};

}  // namespace komuz::gen
