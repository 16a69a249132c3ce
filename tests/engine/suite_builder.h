// SPDX-License-Identifier: Apache-2.0
// Signatures and suites for tests, without a program.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/cases/suite.h"

namespace komuz::engine::test {

struct NamedType {
  std::string name;
  Scalar type;
};

inline Signature make_signature(const std::vector<NamedType>& parameters,
                                const std::vector<Scalar>& results) {
  Signature out;
  out.parameter_types = {static_cast<char>(kTupleCode), static_cast<char>(parameters.size())};
  for (const NamedType& parameter : parameters) {
    out.parameter_types += static_cast<char>(parameter.type);
    out.names.push_back(parameter.name);
  }
  if (results.size() != 1)
    out.result_type = {static_cast<char>(kTupleCode), static_cast<char>(results.size())};
  for (const Scalar type : results) out.result_type += static_cast<char>(type);
  return out;
}

// A suite from the text of a CSV file, which must be valid.
inline Suite csv_suite(const std::string& csv, const Signature& signature) {
  CasesTable table;
  const Problem table_error = read_csv_cases("cases.csv", csv, {}, table);
  EXPECT_FALSE(table_error) << table_error.text();
  Suite suite;
  const Problem error = make_suite(table, signature, suite);
  EXPECT_FALSE(error) << error.text();
  return suite;
}

}  // namespace komuz::engine::test
