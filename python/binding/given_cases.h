// SPDX-License-Identifier: Apache-2.0
// Cases and tables as Python gives them in place of a path: as columns, or as a text of CSV or JSONL.
#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>

#include "engine/cases/given_columns.h"

namespace komuz::python {

struct GivenCases {
  std::string name;  // for messages
  std::string text;  // if there are no columns
  // Holds the object of Python whose memory it refers to. It may end on any thread.
  std::shared_ptr<const engine::GivenColumns> columns;
};
// Of None, or a tuple of a name and either a text or NumberColumns.
[[nodiscard]] std::optional<GivenCases> given_cases(const pybind11::object& given);

}  // namespace komuz::python
