// SPDX-License-Identifier: Apache-2.0
// Records of the entry's types as a target has them, and names that a target can have.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "services/export/entry_types.h"
#include "services/export/term_writer.h"

namespace komuz::services {

// Names that a target takes for something else get a `_`, and no two of a list are the same.
[[nodiscard]] std::vector<std::string> target_names(const std::vector<std::string>& wanted,
                                                    std::string_view reserved,
                                                    std::vector<std::string> taken = {});

// "a, b"
[[nodiscard]] std::string joined(const std::vector<std::string>& words);

// The entry's types with names that the target can have. `functions`: names that are taken.
[[nodiscard]] EntryTypes types_in_target(EntryTypes types, ExportTarget target,
                                         const TermWriter& terms,
                                         const std::vector<std::string>& functions);

// The definitions of the records.
[[nodiscard]] std::string record_types(const EntryTypes& types, TermWriter& terms);

// A record, of the texts of its cells.
[[nodiscard]] std::string record_value(const EntryTypes& types, u32 record,
                                       std::span<const std::string> cells, TermWriter& terms);

}  // namespace komuz::services
