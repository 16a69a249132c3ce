// SPDX-License-Identifier: Apache-2.0
// Scripts as functions of targets with statements.
#pragma once
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

}  // namespace komuz::services
