// SPDX-License-Identifier: Apache-2.0
// The environment variables that say how programs are run. Every command refuses a value that means nothing: who sets a
// variable and reads results must not wonder whether it was heard.
#pragma once
#include <string>
#include <string_view>

namespace komuz::cli {

struct EnvironmentRow {
  std::string_view name;
  std::string_view meaning;
};
// docs/cli.md and `komuz help environment` show this table.
inline constexpr EnvironmentRow kEnvironmentRows[] = {
    {"KOMUZ_SIMD", "portable, avx2 or avx512: a lower level of vector code; results are the same"},
    {"KOMUZ_DEVICE", "auto, cpu or cuda: the default of `--device`"},
    {"NO_COLOR", "if it is set, and not empty: no colours on a terminal"},
    {"VISUAL", "the editor that a session hands its input to"},
    {"EDITOR", "… if VISUAL is not set"},
    {"XDG_STATE_HOME", "where a session keeps what was typed; default: .local/state below HOME"},
    {"TMPDIR", "where it keeps what an editor is to change; default: /tmp"},
    {"XDG_CACHE_HOME",
     "where `komuz lsp` keeps texts that an editor opens; default: .cache below HOME"},
};

// Empty: it is not set.
[[nodiscard]] std::string_view environment_value(const char* variable);

// What is wrong with the first of them that is; empty: nothing.
[[nodiscard]] std::string environment_error();

}  // namespace komuz::cli
