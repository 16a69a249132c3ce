// SPDX-License-Identifier: Apache-2.0
// Harnesses, programs with functions that their candidates define: what is wrong with one, whether a text is one, and
// which one a program names. Knows no files: the caller says where others may lie.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "engine/candidates/load_modules.h"
#include "lang/diagnostics.h"

namespace komuz::services {

// True if functions lack bodies: the text is meant to be a harness. And if that is its only fault: it is one.
[[nodiscard]] bool lacks_bodies(std::span<const Diagnostic> diagnostics);
[[nodiscard]] bool only_lacks_bodies(std::span<const Diagnostic> diagnostics);
// Loads the modules that the text names.
[[nodiscard]] bool is_harness(std::string_view text, engine::ModuleLoader& modules);

// True if a text uses the harness, or defines a function that the harness leaves open. Looks at its tokens alone.
[[nodiscard]] bool is_meant_for(std::string_view text, const Module& harness);

// Why a harness cannot score candidates by its function `entry`.
struct HarnessProblem {
  enum class Kind : u8 {
    None,
    HasErrors,     // its diagnostics say more
    OpensNothing,  // it leaves nothing to its candidates
    OpenEntry,     // candidates define the function that should score them
    NoEntry,
  } kind = Kind::None;
  std::string message, remedy;
  std::string by_option = {};  // follows the remedy where `--entry` can name another function
};
// `harness`: as ModuleLoader::load_harness has compiled it.
[[nodiscard]] HarnessProblem check_harness(const Module& harness, std::string_view entry);

// A harness that a program names by `use`.
struct UsedHarness {
  std::string name;  // as the program names it
  std::string file;  // empty: there is none
};
// Where harnesses lie beside the modules: the file of one that has the name; empty: none has.
using FindHarness = std::function<std::string(const std::string& name)>;
// Among the modules that a program with errors was compiled with, else where `find` looks.
[[nodiscard]] UsedHarness find_used_harness(std::string_view source, const Library& library,
                                            const FindHarness& find);
// Does the diagnostic only say that this harness is no module of the program?
[[nodiscard]] bool is_about_harness(const Diagnostic& d, std::string_view source,
                                    const UsedHarness& harness);

}  // namespace komuz::services
