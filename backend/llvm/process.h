// SPDX-License-Identifier: Apache-2.0
// What holds for all code of this process: its settings, and what went wrong beside compiling. May be used by several
// threads at once.
#pragma once
#include <string>
#include <vector>

#include "backend/settings.h"

namespace komuz::backend {

void configure_process(const BackendSettings& settings);
[[nodiscard]] BackendSettings process_settings();
// Each note is kept once, and a hundred at most, until settings change.
void note_problem(const std::string& note);
[[nodiscard]] std::vector<std::string> noted_problems();

// What this file, komuz_backend.so, was built of; empty if it does not say so.
[[nodiscard]] std::string build_id();

}  // namespace komuz::backend
