// SPDX-License-Identifier: Apache-2.0
#include "services/export/target_table.h"

#include <utility>

namespace komuz::services {
namespace {

using namespace type_set;
constexpr TypeSet kF32 = type_bit(Scalar::F32), kF64 = type_bit(Scalar::F64);

constexpr std::array<std::string_view, kScalarCount> type_names(
    std::span<const std::pair<Scalar, std::string_view>> rows) {
  std::array<std::string_view, kScalarCount> names = {};
  for (const auto& [type, name] : rows) names[static_cast<u8>(type)] = name;
  return names;
}

#define KOMUZ_TARGET python_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/python.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET numpy_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/numpy.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET c_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/c.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET cuda_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/cuda.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET julia_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/julia.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET rust_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/rust.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET latex_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/latex.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET mathml_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/mathml.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET sympy_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/sympy.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET excel_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/excel.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET sql_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/sql.def"
#include "services/export/rows_of_target.h"
#define KOMUZ_TARGET javascript_rows
#define KOMUZ_TARGET_ROWS "services/export/tables/javascript.def"
#include "services/export/rows_of_target.h"

}  // namespace

std::string_view TargetTable::form(SyntaxForm wanted) const {
  for (const SyntaxRow& row : syntax)
    if (row.form == wanted) return row.text;
  return {};
}

const TargetHelper* TargetTable::helper(std::string_view name) const {
  for (const TargetHelper& row : helpers)
    if (row.name == name) return &row;
  return nullptr;
}

const TargetTable& target_table(ExportTarget target) {
  switch (target) {
    case ExportTarget::Python: return python_rows::kTable;
    case ExportTarget::Numpy: return numpy_rows::kTable;
    case ExportTarget::C: return c_rows::kTable;
    case ExportTarget::Cuda: return cuda_rows::kTable;
    case ExportTarget::Julia: return julia_rows::kTable;
    case ExportTarget::Rust: return rust_rows::kTable;
    case ExportTarget::Latex: return latex_rows::kTable;
    case ExportTarget::Mathml: return mathml_rows::kTable;
    case ExportTarget::Sympy: return sympy_rows::kTable;
    case ExportTarget::Excel: return excel_rows::kTable;
    case ExportTarget::Sql: return sql_rows::kTable;
    case ExportTarget::Javascript: return javascript_rows::kTable;
  }
  return python_rows::kTable;
}

}  // namespace komuz::services
