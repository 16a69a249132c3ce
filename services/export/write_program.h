// SPDX-License-Identifier: Apache-2.0
// Scripts as functions of targets with statements.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "services/export/export.h"
#include "services/export/script.h"
#include "services/export/term_writer.h"

namespace komuz::services {

struct WrittenText {
  std::string text;
  std::string entry;    // the name of the entry there
  std::string refusal;  // what cannot be written
  u32 function = 0;     // … and the function of the script
  EntryTypes types;     // of the entry, with the target's names
};
// Functions only: helpers and the first lines are put before them.
[[nodiscard]] WrittenText write_program(const Script& script, ExportTarget target,
                                        TermWriter& terms);

// A record of the entry's types, of the texts of its cells.
[[nodiscard]] std::string record_value(const EntryTypes& types, u32 record,
                                       std::span<const std::string> cells, TermWriter& terms);

// Names that a target takes for something else get a `_`, and no two of a list are the same.
[[nodiscard]] std::vector<std::string> target_names(const std::vector<std::string>& wanted,
                                                    std::string_view reserved,
                                                    std::vector<std::string> taken = {});

}  // namespace komuz::services
