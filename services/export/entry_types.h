// SPDX-License-Identifier: Apache-2.0
// How callers see the entry in targets with statements: parameters that are slices of numbers and records, a result that
// is a record. Inside, the functions have the cells of such values (script.h).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lang/code.h"

namespace komuz::services {

inline constexpr u32 kNoRecord = ~0u;

struct RecordField {
  std::string name;
  Scalar type = Scalar::None;
  u32 length = 0;          // of an array of numbers; 0: no array
  u32 record = kNoRecord;  // the field is a record, which stands before this one
  u32 cells = 0;
};
struct RecordType {
  std::string name;
  std::vector<RecordField> fields;
  u32 cells = 0;
};
struct EntryParameter {
  std::string name;
  u32 first = 0, cells = 0;  // of the entry's slots
  u32 record = kNoRecord;
  bool is_slice = false;  // of numbers: its length, and a reference
};
struct EntryTypes {
  std::vector<RecordType> records;         // those that others hold stand before these
  std::vector<EntryParameter> parameters;  // all of them
  u32 result_record = kNoRecord;

  [[nodiscard]] bool has_records() const { return !records.empty(); }
};

// Records are those of numbers, of arrays of numbers and of such records; others stay cells, as tuples do.
[[nodiscard]] EntryTypes read_entry_types(const CodeView& code, const Function& f);

// A cell of a record: how it is written behind the record's name, `.p.x` or `.xs[2]`, and its field.
struct RecordCell {
  std::string path;
  std::string array_path;  // … without the index of an array
  Scalar type = Scalar::None;
  u32 length = 0, index = 0;
};
[[nodiscard]] std::vector<RecordCell> cells_of_record(const EntryTypes& types, u32 record);

// How the cells of a parameter are called that is no record of the target: `p_x` for the field x of a record p of scalars;
// else numbers: `p_1`.
[[nodiscard]] std::vector<std::string> cell_names(std::string_view type, const std::string& name,
                                                  u32 cells);

// An argument of the exported entry, and which slots of the entry it fills.
enum class ArgumentKind : u8 {
  Number,
  Array,   // `cells` numbers
  Slice,   // its length and a reference, as one
  Length,  // of the references behind it, where a target does not know it
  Reference,
  Record,
};
struct EntryArgument {
  ArgumentKind kind = ArgumentKind::Number;
  u32 slot = 0, cells = 1;
  u32 record = kNoRecord;
};

// Where the cells of an entry's slots lie in a case, which holds slices as lists (engine/cases/slice_cases.h).
struct SlotInCase {
  u32 first = 0;
  u32 per_element = 0;  // of a reference: the cells of an element; 0: it is a number
  u32 length_at = 0;    // … and the cell of the slice's length
};
// `case_types`: the parameters as cases have them; empty: as the entry does. Empty where slices lie inside of tuples.
[[nodiscard]] std::vector<SlotInCase> slots_in_case(std::string_view parameter_types,
                                                    std::string_view case_types);

}  // namespace komuz::services
