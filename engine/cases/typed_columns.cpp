// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/typed_columns.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/characters.h"
#include "base/counts.h"
#include "engine/cases/column_names.h"
#include "engine/cases/read_cases.h"
#include "engine/cases/slice_cases.h"
#include "mend/source_text.h"

namespace komuz::engine {
namespace {

// The option that declares these columns as inputs, if it is short.
std::string inputs_text(std::span<const std::string> columns) {
  constexpr size_t kMost = 6;
  if (columns.size() > kMost) return {};
  std::string text;
  for (const std::string& column : columns)
    text += (text.empty() ? ", as `--input " : " --input ") + shell_word(column);
  return text + "`";
}

bool is_only(std::string_view type, Scalar scalar) {
  return type.size() == 1 && static_cast<Scalar>(type[0]) == scalar;
}

// A cell of a column of bools, for a parameter that is a number: 1 or 0.
std::optional<ValueError> parse_bool(std::string_view text, ValueStyle style, u64& cell) {
  u64 is_true = 0;
  if (auto error = parse_scalar(Scalar::Bool, text, style, is_true)) return error;
  cell = std::bit_cast<u64>(is_true != 0 ? 1.0 : 0.0);
  return {};
}

}  // namespace

TypedColumns::TypedColumns(const CasesTable& table) : table_(table) {
  // A name that several columns have means the first of them.
  for (size_t k = 0; k < table.columns.size(); ++k) by_names_.emplace(table.columns[k], k);
}

Problem TypedColumns::take(const Signature& signature, const Limits& limits, CaseArguments& out) {
  Sources sources;
  if (Problem error = match(signature, sources)) return error;
  return take(signature, sources, limits, out);
}

Problem TypedColumns::take(const Signature& signature, const Sources& sources, const Limits& limits,
                           CaseArguments& out) {
  out = {};
  out.signature = signature;
  out.by_name = sources.by_name;
  out.count = static_cast<u32>(table_.rows.size());
  const std::string_view types = signature.parameter_types;
  out.has_slices = has_slices(types);
  out.case_types = types.substr(0, kTupleHead);
  size_t at = kTupleHead;
  for (size_t parameter = 0; parameter < sources.columns.size(); ++parameter) {
    const size_t end = skip_type(types, at);
    const std::string_view type = types.substr(at, end - at);
    const bool may_be_indicator = parameter < sources.indicators.size();
    const std::optional<Indicator> none;
    const std::optional<Indicator>& indicator =
        may_be_indicator ? sources.indicators[parameter] : none;
    const std::shared_ptr<const TypedColumn> column =
        find(sources.columns[parameter], indicator ? &*indicator : nullptr, type, limits);
    if (limits.stop.stop_requested()) return stopped();
    if (column->error) {
      const CellAt cell = {column->row, sources.columns[parameter]};
      return value_problem(table_, cell, '`' + signature.names[parameter] + '`', *column->error);
    }
    if (column->block == nullptr)
      return misfit(signature,
                    "the type " + type_text(type) + " has too much room for " +
                        counted(table_.rows.size(), "case"),
                    "let it have no more than the cases need");
    out.case_types += column->case_type;
    out.argument_types.insert(out.argument_types.end(), column->types.begin(), column->types.end());
    out.slots_.insert(out.slots_.end(), column->columns.begin(), column->columns.end());
    out.columns_.push_back(column);
    if (indicator) out.indicators.push_back(*indicator);
    at = end;
  }
  if (out.argument_types.size() <= kMaxTypeCells) return {};
  return misfit(signature, "the cases hold more than " + grouped(kMaxTypeCells) + " values each",
                "shorten their lists");
}

Problem TypedColumns::misfit(const Signature& signature, std::string message,
                             std::string remedy) const {
  return input_problem({table_.file, table_.names_line},
                       std::move(message) + " (the entry is " + bounded(signature.text()) + ")",
                       std::move(remedy));
}

bool TypedColumns::names_column(std::span<const std::string> names) const {
  if (table_.by_name) return true;
  return std::ranges::any_of(names, [&](const std::string& name) {
    return std::ranges::find(table_.fields, name) != table_.fields.end();
  });
}

Problem TypedColumns::match(const Signature& signature, Sources& out) const {
  out = {};
  const bool takes_none = signature.names.empty() && !table_.fields.empty();
  out.by_name = takes_none || names_column(signature.names);
  if (!out.by_name) return match_in_order(signature, out.columns);
  const std::string_view types = signature.parameter_types;
  size_t at = kTupleHead;
  for (const std::string& name : signature.names) {
    const size_t end = skip_type(types, at);
    const bool is_f64 = is_only(types.substr(at, end - at), Scalar::F64);
    at = end;
    std::optional<Indicator>& indicator = out.indicators.emplace_back();
    if (const auto found = by_names_.find(name); found != by_names_.end()) {
      out.columns.push_back(found->second);
      continue;
    }
    if (is_f64) {
      Result<std::optional<Indicator>> made = find_indicator(table_, name);
      if (made.problem()) return std::move(made).problem();
      indicator = std::move(made).value();
    }
    if (!indicator) return unknown_name(signature, name);
    out.columns.push_back(indicator->column);
  }
  return {};
}

Problem TypedColumns::match_in_order(const Signature& signature, std::vector<size_t>& out) const {
  const size_t columns = table_.columns.size(), parameters = signature.names.size();
  if (columns != parameters)
    return misfit(signature,
                  "the cases have " + counted(columns, "argument") + ", the entry takes " +
                      grouped(parameters),
                  "give each case one argument for each parameter");
  for (size_t k = 0; k < parameters; ++k) out.push_back(k);
  return {};
}

Problem TypedColumns::unknown_name(const Signature& signature, const std::string& name) const {
  const std::vector<std::string>& columns = table_.columns;
  const std::vector<std::string_view> given(columns.begin(), columns.end());
  if (std::ranges::find(table_.fields, name) != table_.fields.end())
    return misfit(signature,
                  "the parameter " + shown(name) + " has the name of a column that is no `--input`",
                  "add `--input " + shell_word(name) + "`, or call the parameter otherwise");
  // Another tool's cases: `{"inputs": [1, 2], "expected": 3}`.
  if (columns.size() == 1 && table_.file.find(".csv") == std::string::npos &&
      is_among(columns[0],
               {"arg", "argument", "arguments", "in", "input", "inputs", "params", "parameters"}))
    return misfit(
        signature,
        "the cases have no column for the parameter " + shown(name) + ", but " + shown(columns[0]),
        "did you mean `args`? it holds the arguments, as {\"args\": [1, 2]} or {\"args\": "
        "{\"x\": 1}}");
  const bool may_go_in_order = table_.by_name && columns.size() == signature.names.size();
  const std::string otherwise =
      table_.by_name
          ? "name the columns after the parameters, or say which columns are the inputs" +
                (may_go_in_order ? inputs_text(columns) : "")
          : "where one parameter is named after a column all are";
  std::vector<std::string_view> possible;
  for (const std::string_view column : given)
    if (is_program_name(column)) possible.push_back(column);
  return misfit(
      signature,
      "the cases have no column for the parameter " + shown(name) + names_there_are(given),
      near_name(name, possible, otherwise));
}

std::shared_ptr<const TypedColumn> TypedColumns::find(size_t column, const Indicator* indicator,
                                                      std::string_view type, const Limits& limits) {
  const Key key(column, indicator != nullptr ? indicator->name : std::string(), type);
  if (const auto known = columns_.find(key); known != columns_.end()) {
    const bool is_whole = known->second->block != nullptr || known->second->error;
    if (is_whole || known->second->room > limits.room) return known->second;
    bytes_ -= known->second->bytes;
    columns_.erase(known);  // a second attempt may have more room
  }
  std::shared_ptr<const TypedColumn> read_now = read(column, indicator, type, limits);
  if (limits.stop.stop_requested()) return read_now;
  bytes_ += read_now->bytes;
  return columns_.emplace(key, std::move(read_now)).first->second;
}

void TypedColumns::add_indicator(const Indicator& indicator, const Limits& limits, CaseCells& cells,
                                 TypedColumn& out) const {
  const auto rows = static_cast<u32>(table_.rows.size());
  std::string room;
  for (u32 row = 0; row < rows && !limits.stop.stop_requested(); ++row) {
    const CellAt cell = {row, indicator.column};
    out.row = row;
    if (is_missing(table_, cell)) {
      out.error = {0,
                   "the cell is missing of the column " + shown(table_.columns[indicator.column]),
                   "write a value"};
      return;
    }
    const bool is_one = !indicator.category.empty() &&
                        category_of(table_.text_of(cell, room)) == indicator.category;
    const u64 bits[] = {std::bit_cast<u64>(is_one ? 1.0 : 0.0)};
    cells.add(bits);
  }
}

// Numbers in memory become numbers in memory, where the type holds them as they are.
bool TypedColumns::take_given(size_t column, std::string_view type, const Limits& limits,
                              TypedColumn& out) {
  const NumberColumn* const numbers = table_.numbers_of(column);
  const auto rows = static_cast<u32>(table_.rows.size());
  if (numbers == nullptr || type.size() != 1 || rows > limits.room) return false;
  const auto scalar = static_cast<Scalar>(type[0]);
  CellColumn made(scalar, rows);
  const NumbersAs as = {.type = scalar, .takes_bools = scalar == Scalar::F64};
  if (!take_numbers(*numbers, table_.given.rows, as, made.data())) return false;
  out.room = rows;
  out.case_type = type;
  out.types = {scalar};
  out.zeros = zeros();
  out.block = made.take(out.zeros.get(), out.columns);
  out.bytes += made.bytes();
  return true;
}

std::shared_ptr<const TypedColumn> TypedColumns::read(size_t column, const Indicator* indicator,
                                                      std::string_view type, const Limits& limits) {
  auto out = std::make_shared<TypedColumn>();
  out->bytes = sizeof *out;
  const auto rows = static_cast<u32>(table_.rows.size());
  if (indicator == nullptr && take_given(column, type, limits, *out)) return out;
  std::string room;
  const auto text_of = [&](u32 row) { return table_.text_of(CellAt{row, column}, room); };
  // The texts decide how long slices are, so they are read with room for the longest. Given columns hold no slices: the first says so.
  std::vector<std::string_view> texts;
  size_t longest = 0;
  const u32 looked_at = table_.given.source ? std::min(rows, 1u) : rows;
  for (u32 row = 0; has_slices(type) && row < looked_at; ++row) {
    texts.push_back(text_of(row));
    longest = std::max(longest, texts.back().size());
  }
  out->room = u64{rows} * (count_cells(type) + longest);
  if (out->room > limits.room) return out;
  CaseType as_held = case_type(type, texts, table_.style, limits.stop);
  out->case_type = std::move(as_held.code);
  if (as_held.error) {
    out->row = static_cast<u32>(as_held.text);
    out->error = std::move(as_held.error);
    return out;
  }
  append_cell_types(out->case_type, out->types);
  ValueFormat format(out->case_type);
  std::vector<u64> parsed(out->types.size());
  CaseCells cells(out->types);
  u64 bits = 0;
  const bool is_of_bools =
      is_only(type, Scalar::F64) && rows != 0 && !parse_bool(text_of(0), table_.style, bits);
  if (indicator != nullptr) add_indicator(*indicator, limits, cells, *out);
  if (out->error) return out;
  for (u32 row = 0; indicator == nullptr && row < rows && !limits.stop.stop_requested(); ++row) {
    out->row = row;
    out->error = is_of_bools ? parse_bool(text_of(row), table_.style, parsed[0])
                             : format.parse(text_of(row), table_.style, parsed);
    if (out->error) return out;
    cells.add(parsed);
  }
  if (limits.stop.stop_requested()) return out;
  out->zeros = zeros();
  const size_t block = cells.bytes();
  out->block = cells.write(out->zeros.get(), out->columns);
  out->bytes += block + out->case_type.capacity() + out->types.capacity() * sizeof(Scalar) +
                out->columns.capacity() * sizeof(const std::byte*);
  return out;
}

const std::shared_ptr<const std::byte>& TypedColumns::zeros() {
  if (zeros_ == nullptr) zeros_ = make_zeros(static_cast<u32>(table_.rows.size()));
  return zeros_;
}

bool TypedColumns::are_same(const CaseArguments& a, const CaseArguments& b) {
  return a.slots_ == b.slots_;
}

u64 TypedColumns::room_of(const CaseArguments& arguments) {
  u64 most = 0;
  for (const auto& column : arguments.columns_) most = std::max(most, column->room);
  return most;
}

void TypedColumns::forget_unused() {
  std::erase_if(columns_, [this](const auto& known) {
    const bool is_unused = known.second.use_count() == 1;
    if (is_unused) bytes_ -= known.second->bytes;
    return is_unused;
  });
}

size_t CaseArguments::bytes() const {
  size_t names = 0;
  for (const std::string& name : signature.names) names += sizeof name + name.capacity();
  return names + signature.parameter_types.capacity() + case_types.capacity() +
         argument_types.capacity() * sizeof(Scalar) + columns_.capacity() * sizeof columns_[0] +
         slots_.capacity() * sizeof slots_[0];
}

CasesView CaseArguments::view(u32 begin, u32 rows, std::vector<ArgumentColumn>& columns) const {
  columns.clear();
  for (size_t i = 0; i < argument_types.size(); ++i)
    columns.push_back(
        {argument_types[i], slots_[i] + size_t{begin} * scalar_bytes(argument_types[i])});
  return {columns, rows};
}

u64 CaseArguments::argument_cell(u32 slot, u32 case_index) const {
  const Scalar type = argument_types[slot];
  const u32 bytes = scalar_bytes(type);
  u64 cell = 0;
  std::memcpy(&cell, slots_[slot] + size_t{case_index} * bytes, bytes);
  // Sign extension; the 64-bit types need none.
  if (type == Scalar::I32) cell = static_cast<u64>(i64{static_cast<i32>(cell)});
  return cell;
}

}  // namespace komuz::engine
