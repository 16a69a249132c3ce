// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/given_columns.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// Calls use(T) with the type of elements; a Bool is a byte.
template <class Use>
auto with_kind(NumberKind kind, const Use& use) {
  switch (kind) {
    case NumberKind::Bool: return use(u8{});
    case NumberKind::I8: return use(i8{});
    case NumberKind::I16: return use(i16{});
    case NumberKind::I32: return use(i32{});
    case NumberKind::I64: return use(i64{});
    case NumberKind::U8: return use(u8{});
    case NumberKind::U16: return use(u16{});
    case NumberKind::U32: return use(u32{});
    case NumberKind::U64: return use(u64{});
    case NumberKind::F32: return use(f32{});
    case NumberKind::F64: return use(f64{});
  }
  return use(f64{});
}

// Calls use(element, place) for each row, until it says false.
template <class From, class Use>
bool for_rows(const NumberColumn& column, std::span<const u32> rows, const Use& use) {
  const size_t count = rows.empty() ? column.rows : rows.size();
  for (size_t k = 0; k < count; ++k)
    if (!use(load<From>(column.at(rows.empty() ? k : rows[k])), k)) return false;
  return true;
}

template <class To, class From>
bool fits(From value) {
  if constexpr (std::is_floating_point_v<To>) {
    // Digits of an f64 are read as the f32 next to them, which may be another one than that next to the number.
    return sizeof(To) >= sizeof(From) || !std::is_floating_point_v<From>;
  } else if constexpr (std::is_floating_point_v<From>) {
    return false;
  } else {
    return std::in_range<To>(value);
  }
}

template <class To>
bool take_as(const NumberColumn& column, std::span<const u32> rows, const NumbersAs& as,
             std::byte* out) {
  const bool is_canonical = as.width == CellWidth::Canonical;
  return with_kind(column.kind, [&]<class From>(From) {
    if constexpr (std::is_same_v<To, From>) {
      const bool is_dense = column.stride == sizeof(From) && rows.empty();
      if (is_dense && (!is_canonical || sizeof(To) == sizeof(u64)) &&
          column.kind != NumberKind::Bool) {
        if (column.rows != 0) std::memcpy(out, column.data, column.rows * sizeof(To));
        return true;
      }
    }
    const bool is_bool = column.kind == NumberKind::Bool;
    return for_rows<From>(column, rows, [&](From value, size_t k) {
      if (is_bool) value = static_cast<From>(value != 0);
      if (!fits<To>(value)) return false;
      const auto made = static_cast<To>(value);
      if (!is_canonical) {
        std::memcpy(out + k * sizeof(To), &made, sizeof(To));
        return true;
      }
      u64 cell = 0;
      if constexpr (std::is_floating_point_v<To>)
        std::memcpy(&cell, &made, sizeof(To));
      else
        cell = static_cast<u64>(static_cast<i64>(made));
      if constexpr (std::is_same_v<To, u64>) cell = made;
      std::memcpy(out + k * sizeof(u64), &cell, sizeof(u64));
      return true;
    });
  });
}

void append_number(std::string& out, const NumberColumn& column, size_t row) {
  const auto print = [&](Scalar type, u64 cell) {
    print_scalar(out, type, cell, ValueStyle::Text);
  };
  if (is_float(column.kind)) return print(Scalar::F64, std::bit_cast<u64>(column.number(row)));
  if (column.kind == NumberKind::Bool) return print(Scalar::Bool, column.whole(row));
  print(is_signed(column.kind) ? Scalar::I64 : Scalar::U64, column.whole(row));
}

// A cell that holds what separates cells is put in quotes.
bool needs_quotes(std::string_view cell) {
  return cell.find_first_of(",\"\r\n") != std::string_view::npos;
}
void append_cell(std::string& out, std::string_view text, bool is_name) {
  if (!needs_quotes(text) && !(is_name && text.empty())) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

}  // namespace

std::string_view kind_name(NumberKind kind) {
  constexpr std::string_view kNames[] = {"bool",   "int8",   "int16",  "int32",   "int64",  "uint8",
                                         "uint16", "uint32", "uint64", "float32", "float64"};
  return kNames[static_cast<size_t>(kind)];
}

f64 NumberColumn::number(size_t row) const {
  const f64 read =
      with_kind(kind, [&]<class From>(From) { return static_cast<f64>(load<From>(at(row))); });
  return kind == NumberKind::Bool ? static_cast<f64>(read != 0) : read;
}

u64 NumberColumn::whole(size_t row) const {
  const u64 read = with_kind(kind, [&]<class From>(From) {
    const From value = load<From>(at(row));
    if constexpr (std::is_same_v<From, u64>)
      return value;
    else
      return static_cast<u64>(static_cast<i64>(value));
  });
  return kind == NumberKind::Bool ? u64{read != 0} : read;
}

bool GivenColumn::has_value(size_t row) const {
  if (texts) return static_cast<i64>(parts[0].whole(row)) >= 0;
  for (const NumberColumn& part : parts)
    if (is_float(part.kind) && std::isnan(part.number(row))) return false;
  return true;
}

void GivenColumn::append_text(std::string& out, size_t row) const {
  if (!has_value(row)) return;
  if (texts) {
    out += (*texts)[parts[0].whole(row)];
    return;
  }
  const bool is_tuple = parts.size() > 1;
  if (is_tuple) out += '(';
  for (const NumberColumn& part : parts) {
    if (&part != parts.data()) out += ", ";
    append_number(out, part, row);
  }
  if (is_tuple) out += ')';
}

void GivenColumns::append_header(std::string& out) const {
  for (const GivenColumn& column : columns) {
    if (&column != columns.data()) out += ',';
    append_cell(out, column.name, true);
  }
  out += '\n';
}

void GivenColumns::append_cells(std::string& out, size_t row, size_t count) const {
  std::string text;
  for (const GivenColumn& column : std::span(columns).first(count)) {
    if (&column != columns.data()) out += ',';
    if (column.is_of_numbers()) {
      column.append_text(out, row);
      continue;
    }
    text.clear();
    column.append_text(text, row);
    append_cell(out, text, false);
  }
}

void GivenColumns::append_line(std::string& out, size_t row) const {
  append_cells(out, row, columns.size());
  out += '\n';
}

u32 GivenColumns::place_in_line(size_t row, size_t column) const {
  std::string before;
  append_cells(before, row, column);
  return static_cast<u32>(before.size() + (column == 0 ? 1 : 2));  // behind the comma
}

u32 GivenColumns::value_place_in_line(size_t row, size_t column) const {
  std::string cell;
  columns[column].append_text(cell, row);
  return place_in_line(row, column) + (needs_quotes(cell) ? 1 : 0);
}

std::shared_ptr<const GivenColumns> copy_of(const GivenColumns& columns) {
  const auto memory = std::make_shared<std::vector<std::vector<std::byte>>>();
  const auto copy = std::make_shared<GivenColumns>(columns);
  copy->memory = memory;
  for (GivenColumn& column : copy->columns)
    for (NumberColumn& part : column.parts) {
      const size_t bytes = with_kind(part.kind, [](auto number) { return sizeof(number); });
      const size_t rows = part.stride == 0 ? 1 : part.rows;
      std::vector<std::byte>& to = memory->emplace_back(bytes * rows);
      for (size_t row = 0; row < rows; ++row)
        std::memcpy(to.data() + row * bytes, part.at(row), bytes);
      part.data = to.data();
      if (part.stride != 0) part.stride = static_cast<std::ptrdiff_t>(bytes);
    }
  return copy;
}

std::optional<GivenPlace> find_nan(const GivenColumns& columns) {
  std::optional<GivenPlace> found;
  for (size_t k = 0; k < columns.columns.size(); ++k) {
    if (columns.columns[k].texts) continue;
    for (const NumberColumn& part : columns.columns[k].parts) {
      if (!is_float(part.kind)) continue;
      const auto look = [&](auto value, size_t row) {
        if (!std::isnan(value)) return true;
        if (!found || row < found->row) found = {row, k};
        return false;
      };
      part.kind == NumberKind::F64 ? for_rows<f64>(part, {}, look) : for_rows<f32>(part, {}, look);
    }
  }
  return found;
}

void read_numbers(const NumberColumn& column, std::span<const u32> rows, std::span<f64> out) {
  const bool is_bool = column.kind == NumberKind::Bool;
  with_kind(column.kind, [&]<class From>(From) {
    return for_rows<From>(column, rows, [&](From value, size_t k) {
      out[k] = is_bool ? static_cast<f64>(value != 0) : static_cast<f64>(value);
      return true;
    });
  });
}

bool take_numbers(const NumberColumn& column, std::span<const u32> rows, const NumbersAs& as,
                  std::byte* out) {
  const bool is_bool = column.kind == NumberKind::Bool;
  const bool is_of_bools = as.type == Scalar::Bool;
  if (is_bool != is_of_bools && !(is_bool && as.takes_bools)) return false;
  switch (as.type) {
    case Scalar::F64: return take_as<f64>(column, rows, as, out);
    case Scalar::F32: return take_as<f32>(column, rows, as, out);
    case Scalar::I64: return take_as<i64>(column, rows, as, out);
    case Scalar::I32: return take_as<i32>(column, rows, as, out);
    case Scalar::U64: return take_as<u64>(column, rows, as, out);
    case Scalar::U32: return take_as<u32>(column, rows, as, out);
    case Scalar::Bool:
    case Scalar::U8: return take_as<u8>(column, rows, as, out);
    default: return false;
  }
}

}  // namespace komuz::engine
