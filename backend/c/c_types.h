// SPDX-License-Identifier: Apache-2.0
// Types of Komuz as types of C.
//
//   scalar           bool, int32_t, int64_t, uint8_t, uint32_t, uint64_t, float, double
//   tuple, record    a struct; a tuple's members are e0, e1, …
//   array            an array
//   list             a struct of `count` and the array `items`
//   Option           a struct of `some`, which is 0 or 1, and `value`
//   sum              the number of the alternative, if none has fields
//
// Where such an object has no bytes, as `()` has none, C does not see it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "backend/c/c_layout.h"
#include "backend/c/c_names.h"

namespace komuz::backend {

// A type in C.
struct CType {
  std::string name;     // "double", "struct Vec2"; of an array that of its innermost element
  std::string extents;  // "[3][2]"; empty: no array
  u64 elements = 1;     // of all extents together
  u32 bytes = 0, alignment = 1;
  u32 cells = 0;
  std::vector<CellRun> runs;
};

// The types of one header. Each struct is defined once, before what needs it.
class CTypes {
 public:
  // `prefix` stands before the names of structs and constants, which `names` has too; it outlives the types.
  CTypes(std::string prefix, CNames& names) : prefix_(std::move(prefix)), names_(names) {}

  // The type with these codes (lang/type_codes.h). If C cannot have it, `refusal` says why.
  [[nodiscard]] CType type(std::string_view codes, std::string& refusal);
  // Of all structs and enumerations that were needed so far.
  [[nodiscard]] const std::string& definitions() const { return definitions_; }

 private:
  friend class CTypeWriter;
  struct Named {
    std::string codes, name;
  };
  // The name of a type that has to be defined, made of `wish`; `is_new` if it is not defined yet.
  std::string name_of(std::string_view codes, std::string_view wish, bool& is_new,
                      std::string& refusal);
  // Adds a definition. Headers of several programs may have the same one.
  void define(const std::string& name, const std::string& text);

  std::string prefix_;
  CNames& names_;
  std::string definitions_;
  std::vector<Named> types_;
};

}  // namespace komuz::backend
