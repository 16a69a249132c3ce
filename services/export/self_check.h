// SPDX-License-Identifier: Apache-2.0
// Lines by which an exported file compares itself with the results of Komuz.
#pragma once
#include <string>

#include "services/export/export.h"
#include "services/export/script.h"
#include "services/export/term_writer.h"

namespace komuz::services {

// By how much, of a number itself, a result may differ where functions of the target's library are used.
inline constexpr std::string_view kCheckTolerance = "1e-12", kCheckTolerance32 = "1e-5";

// True if files of the target run by themselves.
[[nodiscard]] bool checks_itself(ExportTarget target);

// `slots`: where the cells of the entry's parameters lie in cases. `is_exact`: results are the same to the bit.
[[nodiscard]] std::string self_check(const ScriptFunction& entry, const Exported& exported,
                                     std::span<const SlotInCase> slots,
                                     const ExportOptions& options, bool is_exact,
                                     TermWriter& terms);

}  // namespace komuz::services
