// SPDX-License-Identifier: Apache-2.0
#include "python/binding/number_columns.h"

#include <cstring>
#include <optional>
#include <utility>

#include "python/binding/problems.h"

namespace komuz::python {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// Calls use(value) with the element.
template <class Use>
auto with_element(const NumberColumn& column, size_t row, const Use& use) {
  const std::byte* const at = column.at(row);
  switch (column.kind) {
    case NumberKind::Bool: return use(static_cast<u64>(load<u8>(at) != 0));
    case NumberKind::I8: return use(load<i8>(at));
    case NumberKind::I16: return use(load<i16>(at));
    case NumberKind::I32: return use(load<i32>(at));
    case NumberKind::I64: return use(load<i64>(at));
    case NumberKind::U8: return use(load<u8>(at));
    case NumberKind::U16: return use(load<u16>(at));
    case NumberKind::U32: return use(load<u32>(at));
    case NumberKind::U64: return use(load<u64>(at));
    case NumberKind::F32: return use(load<f32>(at));
    case NumberKind::F64: return use(load<f64>(at));
  }
  return use(u64{0});
}

// The kind of a format of the module `struct`; none: it is no number that Komuz reads.
std::optional<NumberKind> kind_of(std::string format, py::ssize_t size) {
  if (!format.empty() && std::string_view("@=<").find(format.front()) != std::string_view::npos)
    format.erase(0, 1);
  if (format.size() != 1) return std::nullopt;
  const bool is_signed = std::string_view("bhilqn").find(format) != std::string_view::npos;
  const bool is_whole =
      is_signed || std::string_view("BHILQN").find(format) != std::string_view::npos;
  if (format == "?") return NumberKind::Bool;
  if (format == "f") return NumberKind::F32;
  if (format == "d") return NumberKind::F64;
  if (!is_whole) return std::nullopt;
  switch (size) {
    case 1: return is_signed ? NumberKind::I8 : NumberKind::U8;
    case 2: return is_signed ? NumberKind::I16 : NumberKind::U16;
    case 4: return is_signed ? NumberKind::I32 : NumberKind::U32;
    case 8: return is_signed ? NumberKind::I64 : NumberKind::U64;
    default: return std::nullopt;
  }
}

std::string shape_text(const py::buffer_info& array) {
  std::string text = "(";
  for (py::ssize_t k = 0; k < array.ndim; ++k)
    text += (k == 0 ? "" : ", ") + std::to_string(array.shape[static_cast<size_t>(k)]);
  return text + (array.ndim == 1 ? ",)" : ")");
}

[[noreturn]] void refuse(std::string message, std::string remedy) {
  throw Raised{input_problem({}, std::move(message), std::move(remedy))};
}

}  // namespace

f64 NumberColumn::number(size_t row) const {
  return with_element(*this, row, [](auto value) { return static_cast<f64>(value); });
}

u64 NumberColumn::whole(size_t row) const {
  return with_element(*this, row,
                      [](auto value) { return static_cast<u64>(static_cast<i64>(value)); });
}

std::string_view kind_name(NumberKind kind) {
  constexpr std::string_view kNames[] = {"bool",   "int8",   "int16",  "int32",   "int64",  "uint8",
                                         "uint16", "uint32", "uint64", "float32", "float64"};
  return kNames[static_cast<size_t>(kind)];
}

void NumberColumns::add(const std::string& what, const std::vector<std::string>& names,
                        const py::buffer& array) {
  py::buffer_info info = array.request();
  const std::optional<NumberKind> kind = kind_of(info.format, info.itemsize);
  if (!kind)
    refuse(what + " holds elements of the format `" + info.format +
               "`, which are no numbers that Komuz reads",
           "give float64, float32, integers or booleans, such as by `.astype('float64')`");
  const bool is_table = info.ndim == 2;
  const size_t columns = is_table ? static_cast<size_t>(info.shape[1]) : 1;
  if (info.ndim != 1 && !is_table)
    refuse(what + " has the shape " + shape_text(info),
           "it has rows, or rows and columns: one dimension or two");
  if (names.size() != columns)
    refuse(what + " has the shape " + shape_text(info) + ", and " + std::to_string(names.size()) +
               (names.size() == 1 ? " column is named" : " columns are named"),
           "name each column once");
  for (size_t k = 0; k < columns; ++k) {
    NumberColumn column;
    column.name = names[k];
    column.kind = *kind;
    column.rows = static_cast<size_t>(info.shape[0]);
    column.stride = info.strides[0];
    column.data = static_cast<const std::byte*>(info.ptr) +
                  (is_table ? static_cast<std::ptrdiff_t>(k) * info.strides[1] : 0);
    columns_.push_back(std::move(column));
  }
  buffers_.push_back(std::move(info));
}

void NumberColumns::spread(size_t rows) {
  for (NumberColumn& column : columns_) {
    if (column.rows != 1 || rows == 1) continue;
    column.rows = rows;
    column.stride = 0;
  }
}

}  // namespace komuz::python
