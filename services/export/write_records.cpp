// SPDX-License-Identifier: Apache-2.0
#include "services/export/write_records.h"

#include <algorithm>

namespace komuz::services {
namespace {

bool is_reserved(const std::string& name, std::string_view reserved) {
  const size_t at = (" " + std::string(reserved) + " ").find(" " + name + " ");
  return at != std::string::npos;
}

}  // namespace

std::vector<std::string> target_names(const std::vector<std::string>& wanted,
                                      std::string_view reserved, std::vector<std::string> taken) {
  std::vector<std::string> out;
  for (const std::string& word : wanted) {
    std::string name;
    for (const char c : word)
      name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    while (is_reserved(name, reserved) || name.starts_with("km_") || name == "_" ||
           name.starts_with("__"))
      name = name.starts_with("km_") || name.starts_with("_") ? "v" + name : name + "_";
    std::string unique = name;
    for (u32 k = 2; std::ranges::find(taken, unique) != taken.end(); ++k)
      unique = name + "_" + std::to_string(k);
    taken.push_back(unique);
    out.push_back(std::move(unique));
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

// The entry's types with names that the target can have. Fields of a NamedTuple of Python begin with a letter.
EntryTypes types_in_target(EntryTypes types, ExportTarget target, const TermWriter& terms,
                           const std::vector<std::string>& functions) {
  const std::string_view reserved = terms.table().form(SyntaxForm::Reserved);
  std::vector<std::string> wanted;
  for (const RecordType& record : types.records) wanted.push_back(record.name);
  const std::vector<std::string> names = target_names(wanted, reserved, functions);
  for (size_t k = 0; k < names.size(); ++k) {
    RecordType& record = types.records[k];
    record.name = names[k];
    wanted.clear();
    for (const RecordField& field : record.fields)
      wanted.push_back((target == ExportTarget::Python && field.name.starts_with('_') ? "v" : "") +
                       field.name);
    const std::vector<std::string> fields = target_names(wanted, reserved);
    for (size_t n = 0; n < fields.size(); ++n) record.fields[n].name = fields[n];
  }
  return types;
}

std::string record_types(const EntryTypes& types, TermWriter& terms) {
  std::string out;
  for (const RecordType& record : types.records) {
    out += terms.line(SyntaxForm::RecordHead, {{'n', record.name}}) + "\n";
    for (const RecordField& field : record.fields) {
      Words words = {{'n', field.name}, {'l', std::to_string(field.length)}};
      if (field.record != kNoRecord) words['T'] = types.records[field.record].name;
      out += terms.line(field.length != 0 ? SyntaxForm::RecordArray : SyntaxForm::RecordField,
                        words, {field.type}) +
             "\n";
    }
    out += terms.line(SyntaxForm::RecordEnd, {{'n', record.name}}) + "\n";
  }
  return out;
}

std::string record_value(const EntryTypes& types, u32 record, std::span<const std::string> cells,
                         TermWriter& terms) {
  struct Open {
    u32 record;
    size_t field = 0;
    std::vector<std::string> items = {};
  };
  std::vector<Open> open = {{record}};
  size_t cell = 0;
  for (;;) {
    Open& top = open.back();
    const RecordType& of = types.records[top.record];
    const auto put = [&](Open& to, const std::string& value) {
      const RecordField& field = types.records[to.record].fields[to.field++];
      to.items.push_back(terms.line(SyntaxForm::RecordItem, {{'n', field.name}, {'v', value}}));
    };
    if (top.field == of.fields.size()) {
      std::string value =
          terms.line(SyntaxForm::RecordValue, {{'n', of.name}, {'v', joined(top.items)}});
      open.pop_back();
      if (open.empty()) return value;
      put(open.back(), value);
      continue;
    }
    const RecordField& field = of.fields[top.field];
    if (field.record != kNoRecord) {
      open.push_back({field.record});
    } else if (field.length == 0) {
      put(top, cells[cell++]);
    } else {
      const std::vector<std::string> values(
          cells.begin() + static_cast<std::ptrdiff_t>(cell),
          cells.begin() + static_cast<std::ptrdiff_t>(cell + field.length));
      cell += field.length;
      put(top, terms.line(SyntaxForm::ArrayOf, {{'v', joined(values)}}, {field.type}));
    }
  }
}

}  // namespace komuz::services
