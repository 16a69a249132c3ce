// SPDX-License-Identifier: Apache-2.0
#include "services/render.h"

#include <algorithm>
#include <utility>

#include "base/counts.h"
#include "mend/mend.h"
#include "mend/source_text.h"
#include "services/display_text.h"

namespace komuz::services {
namespace {

std::string_view severity_color(Severity severity, const Palette& p) {
  switch (severity) {
    case Severity::Error: return p.error;
    case Severity::Warning: return p.warning;
    case Severity::Note: return p.note;
  }
  return p.plain;
}

// `file:line:column: ` and a coloured kind.
std::string head(NamedSource source, u32 begin, std::string_view kind, std::string_view color,
                 const Palette& p) {
  const Place at = source.place(begin);
  std::string out(p.strong);
  out += printable(source.name) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  out += ": ";
  out += p.plain;
  out += color;
  out += kind;
  out += p.plain;
  return out + ": ";
}

std::string fix_text(const Edit& fix, NamedSource source, const Palette& p) {
  constexpr u32 kMostColumns = 60;
  const auto quoted = [](std::string_view text) {
    return "`" + printable(text, kMostColumns) + "`";
  };
  const std::string_view old = source.text.substr(fix.begin, fix.end - fix.begin);
  std::string_view trimmed = fix.text;  // a line without its end
  if (trimmed.ends_with('\n')) trimmed.remove_suffix(1);
  std::string out = "  ";
  out += p.note;
  out += "fix";
  out += p.plain;
  if (fix.begin < source.first_byte) return out + ": first " + quoted(trimmed) + "\n";
  if (old.empty()) {
    const std::string_view behind =
        source.text.substr(fix.begin, token_end(source.text, fix.begin) - fix.begin);
    const bool at_word =
        !behind.empty() && behind.find_first_of(" \t\r\n") == std::string_view::npos;
    return out + ": insert " + quoted(trimmed) + (at_word ? " before " + quoted(behind) : "") +
           "\n";
  }
  // If a fix replaces several lines, the first and the last are shown.
  if (old.find('\n') != std::string_view::npos && !fix.text.empty()) {
    out += ": rewrite " + counted(1 + static_cast<u64>(std::ranges::count(old, '\n')), "line");
    const std::string_view text = fix.text;
    if (text.find('\n') == std::string_view::npos) return out + " as " + quoted(text) + "\n";
    return out + ", from " + quoted(text.substr(0, text.find('\n'))) + " to " +
           quoted(text.substr(text.rfind('\n') + 1)) + "\n";
  }
  if (fix.text.empty()) {
    const std::string_view lines = komuz::trimmed(old);  // without what ends the last one
    if (lines.find('\n') == std::string_view::npos) return out + ": remove " + quoted(lines) + "\n";
    return out + ": remove " +
           counted(1 + static_cast<u64>(std::ranges::count(lines, '\n')), "line") + ", from " +
           quoted(lines.substr(0, lines.find('\n'))) + " to " +
           quoted(lines.substr(lines.rfind('\n') + 1)) + "\n";
  }
  return out + ": replace " + quoted(old) + " with " + quoted(fix.text) + "\n";
}

std::string excerpt(NamedSource source, u32 begin, u32 end, std::string_view color,
                    const RenderStyle& style) {
  return excerpt(source.text, begin, end, color, style, source.lines_more());
}

// Wraps sentences, if wanted.
std::string in_width(std::string text, const RenderStyle& style) {
  return style.wraps ? wrapped(text, style.width) : std::move(text);
}

}  // namespace

i32 NamedSource::lines_more() const {
  return static_cast<i32>(first_line) - static_cast<i32>(place_of(text, first_byte).line);
}

Place NamedSource::place(u32 byte) const {
  Place at = place_of(text, byte);
  at.line = static_cast<u32>(static_cast<i32>(at.line) + lines_more());
  return at;
}

// The text before the part is replaced by as many line ends as there are lines before the part in its file.
std::string message_text(const Diagnostic& d, NamedSource source) {
  const bool names_line =
      diagnostic_row(d.code()).message.find("{line a}") != std::string_view::npos;
  if (!names_line || source.lines_more() == 0 || d.a < source.first_byte ||
      d.begin < source.first_byte)
    return diagnostic_message(d, source.text);
  const u32 before = source.first_line - 1;
  const std::string text =
      std::string(before, '\n') + std::string(source.text.substr(source.first_byte));
  Diagnostic moved = d;
  moved.begin = d.begin - source.first_byte + before;
  moved.a = d.a - source.first_byte + before;
  return diagnostic_message(moved, text);
}

std::string render_diagnostic(const Diagnostic& d, NamedSource source, const RenderStyle& style,
                              std::string_view message) {
  const Palette& p = palette(style);
  const DiagnosticRow& row = diagnostic_row(d.code());
  const std::string_view color = severity_color(row.severity, p);
  const std::string kind =
      std::string(severity_name(row.severity)) + "[" + std::string(row.code) + "]";
  std::string out = head(source, d.begin, kind, color, p);
  out += p.strong;
  out += printable(message.empty() ? message_text(d, source) : std::string(message));
  out += p.plain;
  out = in_width(out + "\n", style) + excerpt(source, d.begin, d.end(), color, style);
  if (const auto fix = diagnostic_fix(d, source.text))
    out += in_width(fix_text(*fix, source, p), style);
  return out;
}

std::string render_diagnostics(std::span<const Diagnostic> diagnostics, NamedSource source,
                               const RenderStyle& style) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += render_diagnostic(d, source, style);
  return out;
}

std::string render_trap(const TrapSite& site, NamedSource source, const RenderStyle& style) {
  const Palette& p = palette(style);
  const std::string kind = "trap " + std::string(trap_name(site.trap));
  std::string out;
  if (source.text.empty()) {
    out = printable(source.name) + ": " + std::string(p.error) + kind + std::string(p.plain) + ": ";
  } else {
    out = head(source, site.place, kind, p.error, p);
  }
  out += trap_sentence(site.trap);
  if (site.compared) out += ": " + printable(site.compared->brief());
  out = in_width(out + "\n", style);
  if (!source.text.empty())
    out += excerpt(source, site.place, token_end(source.text, site.place), p.error, style);
  std::string where = "  in `" + printable(site.function) + "`";
  if (source.text.empty()) where += " at byte " + std::to_string(site.place) + " of its source";
  where += ", " + counted(site.depth, "frame") + " deep, after " + counted(site.fuel, "tick");
  return out + in_width(where + "\n", style);
}

}  // namespace komuz::services
