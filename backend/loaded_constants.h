// SPDX-License-Identifier: Apache-2.0
// Constants that compiled code loads from a table, which comes with each job. So codes that differ in such constants
// alone are one compiled code. All others stand in it as numbers, which LLVM can use.
#pragma once
#include <span>
#include <vector>

#include "lang/code.h"

namespace komuz::backend {

// Whose numbers a table has. With those of a case, jobs of many variants are one, whose cases are theirs.
enum class ConstantsOf : u8 { Job, Case };

struct LoadedConstants {
  // Rows of CodeView::constants, each more than the one before. loadable_types() and complete() say which may be together.
  std::span<const u32> numbers = {};
  ConstantsOf of = ConstantsOf::Job;
};

// The type of each constant that may be loaded; None of those that instructions load as several types. One that no
// instruction loads counts as an i64.
[[nodiscard]] std::vector<Scalar> loadable_types(const CodeView& code);

// Adds what has to be loaded with the constants that are marked: of the constants of a LOAD_CONSTS, all or none are.
void complete(const CodeView& code, std::vector<bool>& is_loaded);

}  // namespace komuz::backend
