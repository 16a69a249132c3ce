// SPDX-License-Identifier: Apache-2.0
#include "services/export/entry_types.h"

#include <algorithm>
#include <map>

#include "lang/layout.h"
#include "lang/type_heads.h"
#include "lang/type_walk.h"

namespace komuz::services {
namespace {

class RecordReader {
 public:
  explicit RecordReader(EntryTypes& out) : out_(out) {}

  // The number of the record of this type; kNoRecord: it has fields of other types. A record takes the fields that its
  // parts leave open, so they are read from the innermost outwards.
  u32 read(std::string_view type) {
    struct Open {
      size_t begin = 0, at = 0, names = 0;
      u32 left = 0;
      RecordType record;
    };
    if (read_type_head(type, 0).code != kRecordCode) return kNoRecord;
    std::vector<Open> open;
    const size_t known = out_.records.size();
    const auto enter = [&](size_t at) {
      const TypeHead head = read_type_head(type, at);
      Open& top = open.emplace_back();
      top.begin = at;
      top.at = head.end;
      top.names = head.names;
      top.left = head.elements;
      top.record.name = std::string(take_type_name(type, top.names));
    };
    enter(0);
    const auto give_up = [&] {
      // Nothing that was read for it is needed.
      for (size_t k = known; k < out_.records.size(); ++k)
        std::erase_if(numbers_, [&](const auto& row) { return row.second == k; });
      out_.records.resize(known);
      return kNoRecord;
    };
    for (;;) {
      Open& top = open.back();
      // Not every target has a type without fields.
      if (top.left == 0 && top.record.fields.empty()) return give_up();
      if (top.left == 0) {
        const u32 number =
            finish(std::move(top.record), type.substr(top.begin, top.at - top.begin));
        const size_t end = top.at;
        open.pop_back();
        if (open.empty()) return number;
        RecordField& field = open.back().record.fields.back();
        field.record = number;
        field.cells = out_.records[number].cells;
        open.back().record.cells += field.cells;
        open.back().at = end;
        continue;
      }
      --top.left;
      RecordField field;
      field.name = std::string(take_type_name(type, top.names));
      const TypeHead head = read_type_head(type, top.at);
      if (head.code == kRecordCode) {
        top.record.fields.push_back(std::move(field));
        enter(top.at);
        continue;
      }
      const bool is_array =
          head.code == kArrayCode && head.count != 0 && read_type_head(type, head.end).is_scalar();
      if (!head.is_scalar() && !is_array) return give_up();
      field.type = is_array ? read_type_head(type, head.end).scalar() : head.scalar();
      field.length = is_array ? head.count : 0;
      field.cells = is_array ? head.count : 1;
      top.record.cells += field.cells;
      top.at = skip_type(type, top.at);
      top.record.fields.push_back(std::move(field));
    }
  }

 private:
  u32 finish(RecordType record, std::string_view type) {
    const auto [at, is_new] =
        numbers_.emplace(std::string(type), static_cast<u32>(out_.records.size()));
    if (is_new) out_.records.push_back(std::move(record));
    return at->second;
  }

  EntryTypes& out_;
  std::map<std::string, u32> numbers_;  // of records, by their types
};

}  // namespace

std::vector<std::string> cell_names(std::string_view type, const std::string& name, u32 cells) {
  const TypeHead head = read_type_head(type, 0);
  std::vector<std::string> out;
  if (head.is_scalar()) return {name};
  if (head.code == kRecordCode && head.elements == cells) {
    size_t at = head.names;
    (void)take_type_name(type, at);
    for (u32 k = 0; k < cells; ++k)
      out.push_back(name + "_" + std::string(take_type_name(type, at)));
    return out;
  }
  // A slice is its length and a reference for each part of an element, as a list is its length and arrays.
  const bool is_list = head.code == kListCode || head.code == kSliceCode;
  if (is_list || head.code == kArrayCode) {
    u32 block = 0;
    for_each_block(type, [&](LayoutBlock of) {
      const std::string number = block < 2 ? "" : "_" + std::to_string(block);
      const bool is_length = is_list && block == 0;
      for (u32 k = 0; k < of.cells; ++k) out.push_back(name + (is_length ? "_len" : number));
      block += is_list || block != 0 ? 1 : 2;
    });
    return out;
  }
  for (u32 k = 0; k < cells; ++k) out.push_back(name + "_" + std::to_string(k + 1));
  return out;
}

EntryTypes read_entry_types(const CodeView& code, const Function& f) {
  EntryTypes out;
  RecordReader records(out);
  const std::string_view types = code.parameter_types(f);
  size_t at = 2;
  for (u32 parameter = 0, slot = 0; at < types.size(); ++parameter) {
    const size_t end = skip_type(types, at);
    const std::string_view type = types.substr(at, end - at);
    const NameRange range = code.parameter_names[f.parameters_begin + parameter];
    EntryParameter one;
    one.name = std::string(code.names.substr(range.begin, range.end - range.begin));
    one.first = slot;
    one.cells = static_cast<u32>(count_cells(type));
    const TypeHead head = read_type_head(type, 0);
    one.is_slice = head.code == kSliceCode && read_type_head(type, head.end).is_scalar();
    if (one.cells != 0) one.record = records.read(type);
    slot += one.cells;
    out.parameters.push_back(std::move(one));
    at = end;
  }
  if (count_cells(code.result_type(f)) != 0) out.result_record = records.read(code.result_type(f));
  return out;
}

std::vector<RecordCell> cells_of_record(const EntryTypes& types, u32 record) {
  struct Open {
    u32 record;
    size_t field;
    std::string path;
  };
  std::vector<RecordCell> cells;
  std::vector<Open> open = {{record, 0, {}}};
  while (!open.empty()) {
    Open& top = open.back();
    const RecordType& of = types.records[top.record];
    if (top.field == of.fields.size()) {
      open.pop_back();
      continue;
    }
    const RecordField& field = of.fields[top.field++];
    const std::string path = top.path + "." + field.name;
    if (field.record != kNoRecord) {
      open.push_back({field.record, 0, path});
      continue;
    }
    if (field.length == 0) cells.push_back({path, path, field.type, 0, 0});
    for (u32 k = 0; k < field.length; ++k)
      cells.push_back({path + "[" + std::to_string(k) + "]", path, field.type, field.length, k});
  }
  return cells;
}

std::vector<SlotInCase> slots_in_case(std::string_view parameter_types,
                                      std::string_view case_types) {
  std::vector<SlotInCase> slots;
  u32 cell = 0;
  size_t own = 2, other = 2;
  if (case_types.empty()) case_types = parameter_types;
  while (own < parameter_types.size()) {
    const size_t own_end = skip_type(parameter_types, own), end = skip_type(case_types, other);
    const std::string_view type = parameter_types.substr(own, own_end - own);
    const std::string_view in_case = case_types.substr(other, end - other);
    if (read_type_head(type, 0).code == kSliceCode) {
      const u32 capacity = std::max(read_type_head(in_case, 0).count, 1u), length_at = cell;
      bool is_length = true;
      for_each_block(in_case, [&](LayoutBlock block) {
        slots.push_back({cell, is_length ? 0 : block.cells / capacity, length_at});
        cell += block.cells;
        is_length = false;
      });
    } else {
      // Lists stand for slices in no other type.
      if (type != in_case) return {};
      for (size_t k = count_cells(type); k > 0; --k) slots.push_back({cell++});
    }
    own = own_end;
    other = end;
  }
  return slots;
}

}  // namespace komuz::services
