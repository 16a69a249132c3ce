// SPDX-License-Identifier: Apache-2.0
// A program that Python calls: compiled once, then run on scalars, on columns of numbers, or on values as JSON.
#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/cases/signature.h"
#include "lang/code.h"
#include "python/binding/number_columns.h"
#include "python/binding/program_tier.h"
#include "python/binding/session.h"
#include "services/files/project.h"

namespace komuz::python {

// The first row that trapped, and how many did.
struct RowTraps {
  u64 count = 0;
  u64 row = 0;
  Trap trap = Trap::None;
  u32 instruction = 0, depth = 0;

  void add(u64 of, Trap what, u32 at, u32 frames) {
    if (count++ != 0 && row < of) return;
    row = of, trap = what, instruction = at, depth = frames;
  }
  void add(const RowTraps& other);
};

// Where a column of results goes, in memory of Python: numbers one behind the other.
struct ResultColumn {
  Scalar type = Scalar::None;
  std::byte* data = nullptr;
};

class Program {
 public:
  // `path`: modules are looked for beside it; empty: in the current folder.
  Program(std::string source, std::string entry, const std::string& path);

  [[nodiscard]] bool is_compiled() const { return is_compiled_; }
  // An array of objects (services/render.h).
  [[nodiscard]] const std::string& diagnostics_json() const { return diagnostics_; }
  // Not empty: why there is no entry.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  [[nodiscard]] std::string name() const;
  [[nodiscard]] const engine::Signature& signature() const { return signature_; }
  // The types of all cells of parameters; empty if some parameter is no scalar. The same of the result, which may be a tuple of them.
  [[nodiscard]] const std::vector<Scalar>& parameter_scalars() const { return parameters_; }
  // Of a call; none: it depends on the arguments.
  [[nodiscard]] std::optional<u64> most_ticks() const { return most_ticks_; }
  [[nodiscard]] const std::vector<Scalar>& result_scalars() const { return results_; }

  struct RowsOptions {
    u64 fuel = kDefaultFuel;
    u32 threads = 0;  // 0: one for each processor
    std::shared_ptr<engine::NativeTier> native = nullptr;
  };
  // Runs it on each row of the columns, one for each parameter, all scalars. `traps` has a byte for each row, or is null.
  RowTraps run_rows(std::span<const NumberColumn> columns, size_t rows,
                    std::span<const ResultColumn> results, u8* traps, const RowsOptions& options,
                    const std::stop_token& stop) const;
  // Runs it on rows of any values, a line `{"args": [...]}` for each, whose results are appended as JSON; null where a row trapped.
  RowTraps run_json(std::string lines, std::vector<std::string>& results,
                    const RowsOptions& options, const std::stop_token& stop) const;

  // Where an instruction stands: the function, the file, which is empty for the program itself, and the place in it.
  struct SourcePlace {
    std::string function, file;
    u32 line = 0, column = 0;
  };
  [[nodiscard]] SourcePlace place_of(u32 instruction) const;
  // Do rows run natively?
  [[nodiscard]] bool is_native() const { return tier_.way().native != nullptr; }
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] engine::ModuleLoader& modules() const { return project_->modules(); }

 private:
  std::string source_, diagnostics_, refusal_;
  std::unique_ptr<services::Project> project_;
  Code code_;
  u32 function_ = 0;
  bool is_compiled_ = false;
  engine::Signature signature_;
  std::vector<Scalar> parameters_, results_;
  std::optional<u64> most_ticks_;
  mutable ProgramTier tier_;
};

void register_program(py::module_& module);

}  // namespace komuz::python
