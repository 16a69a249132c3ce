// SPDX-License-Identifier: Apache-2.0
// Tables for tests of fits.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "engine/fit/fit_data.h"
#include "tests/engine/evaluations.h"

namespace komuz::engine::test {

// Of CSV whose columns may play any role.
inline CasesTable fit_table(const std::string& csv) { return table_of(csv, false); }
inline Result<FitData> read_fit(const std::string& csv, const FitFields& fields = {}) {
  const CasesTable table = fit_table(csv);
  return fit_data_of(table, fields);
}
// The data, where nothing is wrong with them.
inline FitData fit_of(const std::string& csv, const FitFields& fields = {}) {
  Result<FitData> read = read_fit(csv, fields);
  EXPECT_FALSE(read.problem()) << read.problem().text();
  return read.problem() ? FitData() : std::move(read).value();
}
// What is wrong with them.
inline std::string fit_fault(const std::string& csv, const FitFields& fields = {}) {
  return read_fit(csv, fields).problem().text();
}

}  // namespace komuz::engine::test
