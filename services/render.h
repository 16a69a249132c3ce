// SPDX-License-Identifier: Apache-2.0
// Diagnostics and traps in words: rows and their source in, text for people or JSON for programs out. Knows neither
// files nor terminals: the caller gives the file's name, and says whether colours are wanted.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/values/compared_text.h"
#include "lang/diagnostics.h"
#include "lang/traps.h"
#include "services/excerpt.h"

namespace komuz::services {

// A source text and the name under which it is shown.
struct NamedSource {
  std::string_view name;
  std::string_view text;
  // If only a part of the text has the name: the part's first byte, and the number of the line that starts there.
  u32 first_byte = 0, first_line = 1;

  // Added to the number of a line of the text.
  [[nodiscard]] i32 lines_more() const;
  [[nodiscard]] Place place(u32 byte) const;
};

// The diagnostic's message. Lines in it are those of the source under its name.
[[nodiscard]] std::string message_text(const Diagnostic& d, NamedSource source);

// `file:line:column: error[K0301]: message`, the line with carets, and the fix as a suggestion. `message`: replaces
// the diagnostic's own, for callers that know more.
[[nodiscard]] std::string render_diagnostic(const Diagnostic& d, NamedSource source,
                                            const RenderStyle& style,
                                            std::string_view message = {});
[[nodiscard]] std::string render_diagnostics(std::span<const Diagnostic> diagnostics,
                                             NamedSource source, const RenderStyle& style);

// {"file", "line", "column", "end_line", "end_column", "code", "severity", "message", "fix"}; the fix is null or
// {"line", "column", "end_line", "end_column", "begin", "end", "text"}. Lines and columns count from 1, columns in
// bytes; the end is the place behind the last byte.
[[nodiscard]] nlohmann::ordered_json diagnostic_json(const Diagnostic& d, NamedSource source,
                                                     std::string_view message = {});

// Where and how a run ended.
struct TrapSite {
  Trap trap = Trap::None;
  std::string_view function;
  u32 place = 0;                                      // byte offset in the source
  u32 depth = 0;                                      // live frames
  u64 fuel = 0;                                       // ticks used
  std::optional<engine::ComparedText> compared = {};  // operands of a failed assertion
};
// `file:line:column: trap DIV_ZERO: sentence`, then the compared operands, the line with a caret, and the function,
// depth and ticks. Without a source text (code from a file) the place is only the byte offset.
[[nodiscard]] std::string render_trap(const TrapSite& site, NamedSource source,
                                      const RenderStyle& style);
// Adds "operator", "actual" and "expected" to an object, if something was compared.
void add_compared(nlohmann::ordered_json& object,
                  const std::optional<engine::ComparedText>& compared);

}  // namespace komuz::services
