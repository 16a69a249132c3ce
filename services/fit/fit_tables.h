// SPDX-License-Identifier: Apache-2.0
// The tables of a request. Whoever asks has read their bytes.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/problem.h"
#include "engine/fit/fit_data.h"
#include "engine/support/watch.h"
#include "services/fit/fit_request.h"

namespace komuz::services {

// A table as a text, CSV or JSONL, or as columns, with the name that messages have for it.
struct TableText {
  std::string name, bytes;
  std::shared_ptr<const engine::GivenColumns> columns = nullptr;
};

struct FitTables {
  engine::FitData data;
  std::optional<engine::FitData> held_out;
  std::string made_names;  // which columns have other names in programs; empty: none
  std::string unnamed;     // which columns have no name in the header; empty: none
};

// `held_out`: null: rows of the table are held out, or none.
Result<FitTables> read_fit_tables(TableText table, TableText* held_out, const FitRequest& request,
                                  const engine::Watch& watch);

}  // namespace komuz::services
