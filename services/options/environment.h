// SPDX-License-Identifier: Apache-2.0
// The environment variables that affect how programs run. Every command refuses a meaningless value: a user who sets
// a variable must not wonder whether it had an effect.
#pragma once
#include <string>
#include <string_view>

namespace komuz::services {

inline constexpr const char* kDeviceVariable = "KOMUZ_DEVICE";

struct EnvironmentRow {
  std::string_view name;
  std::string_view meaning;
};
// docs/cli.md and `komuz help environment` show this table.
inline constexpr EnvironmentRow kEnvironmentRows[] = {
    {"KOMUZ_SIMD", "portable, avx2 or avx512: a lower SIMD level; results are the same"},
    {kDeviceVariable, "auto, cpu, cuda or GPUs such as cuda:0,1: the default of `--device`"},
    {"KOMUZ_NATIVE", "never, auto or always: the default of `--native`"},
    {"KOMUZ_TIER", "traditional, neural or hybrid: the default of `--tier`"},
    {"KOMUZ_BACKEND", "the file komuz_backend.so, which makes native code, if it lies elsewhere"},
    {"KOMUZ_PROVER", "the file komuz_prover.so, which proves programs equal, if it lies elsewhere"},
    {"KOMUZ_MODEL",
     "the file small.safetensors, the model that proposes code, if it lies elsewhere"},
    {"KOMUZ_PROPOSALS",
     "the file proposals.safetensors, the network of `--propose neural`, if it lies elsewhere"},
    {"KOMUZ_NATIVE_MAPS", "perf or gdb: tells it where native code lies (docs/native.md)"},
    {"KOMUZ_NATIVE_CACHE",
     "on, off or a folder: keeps native code there for other processes (docs/native.md)"},
    {"NO_COLOR", "if set and not empty: no colours on a terminal"},
    {"VISUAL", "the editor for the input of a session"},
    {"EDITOR", "the same, if VISUAL is not set"},
    {"XDG_STATE_HOME", "the folder for the history of sessions; default: .local/state below HOME"},
    {"TMPDIR", "the folder for the text that an editor changes; default: /tmp"},
    {"XDG_CACHE_HOME",
     "the folder for texts that `komuz lsp` opens in an editor, and for native code that is kept; "
     "default: .cache below HOME"},
};

// Empty if it is not set.
[[nodiscard]] std::string_view environment_value(const char* variable);

// The fault of the first wrong variable; empty if there is none.
[[nodiscard]] std::string environment_error();

}  // namespace komuz::services
