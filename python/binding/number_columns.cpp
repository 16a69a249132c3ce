// SPDX-License-Identifier: Apache-2.0
#include "python/binding/number_columns.h"

#include <optional>
#include <tuple>
#include <utility>

#include "python/binding/problems.h"

namespace komuz::python {
namespace {

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

void NumberColumns::add_texts(const std::string& name, const py::buffer& numbers,
                              std::vector<std::string> texts, bool are_texts) {
  add("`" + name + "`", {name}, numbers);
  texts_[columns_.size() - 1] = {std::move(texts), are_texts};
}

engine::GivenColumns NumberColumns::given() const {
  engine::GivenColumns out;
  out.rows = rows();
  for (size_t k = 0; k < columns_.size(); ++k) {
    const bool goes_on = k != 0 && columns_[k].name == columns_[k - 1].name;
    if (!goes_on) out.columns.push_back({columns_[k].name, {}});
    out.columns.back().parts.push_back(columns_[k]);
    if (const auto found = texts_.find(k); found != texts_.end())
      std::tie(out.columns.back().texts, out.columns.back().are_texts) = found->second;
  }
  return out;
}

std::string NumberColumns::csv_text() const {
  const engine::GivenColumns table = given();
  std::string text;
  table.append_header(text);
  for (size_t row = 0; row < table.rows; ++row) table.append_line(text, row);
  return text;
}

void NumberColumns::refuse_nan(const std::string& what) const {
  const engine::GivenColumns all = given();
  const std::optional<engine::GivenPlace> found = engine::find_nan(all);
  if (!found) return;
  refuse(what + ": row " + std::to_string(found->row) + " has a NaN in `" +
             all.columns[found->column].name + "`",
         "leave such rows out by `skip_missing=True`, or write a number there");
}

void NumberColumns::spread(size_t rows) {
  for (NumberColumn& column : columns_) {
    if (column.rows != 1 || rows == 1) continue;
    column.rows = rows;
    column.stride = 0;
  }
}

}  // namespace komuz::python
