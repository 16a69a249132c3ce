// SPDX-License-Identifier: Apache-2.0
#include "services/quick/quick_check.h"

#include <algorithm>

#include "frontend_gpu/view.h"
#include "lang/cases.h"
#include "lang/source_places.h"
#include "mend/mend.h"
#include "services/front_end_names.h"
#include "services/harness.h"
#include "services/item_text.h"
#include "services/quick/gathered_findings.h"

namespace komuz::services {
namespace {

// Far from what a program may have at most (frontend.cpp), so that no edit reaches it.
constexpr size_t kMostBytes = size_t{8} << 20;
constexpr u64 kMostCode = u64{1} << 21;
constexpr u64 kMostEntries = 1 << 15;

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& d) {
    return diagnostic_row(d.code()).severity == Severity::Error;
  });
}

// Whoever reads them sees the same: places and words, not the numbers by which words are found.
bool are_same(const std::vector<Diagnostic>& a, std::string_view text_a,
              const std::vector<Diagnostic>& b, std::string_view text_b) {
  return std::ranges::equal(a, b, [&](const Diagnostic& one, const Diagnostic& other) {
    return one.begin == other.begin && one.length == other.length && one.code() == other.code() &&
           diagnostic_message(one, text_a) == diagnostic_message(other, text_b);
  });
}

// Is it found in code, which there is only where nothing else is wrong?
bool is_of_code(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::NotConstant:
    case DiagnosticCode::ConstantTrap:
    case DiagnosticCode::CyclicConstant:
    case DiagnosticCode::EmptyRange:
    case DiagnosticCode::RecRange:
    case DiagnosticCode::RecDiffers:
    case DiagnosticCode::SpaceCycle:
    case DiagnosticCode::StackLimit:
    case DiagnosticCode::FrameTooLarge:
    case DiagnosticCode::TooMuchCode:
    case DiagnosticCode::TooManyEntries:
    case DiagnosticCode::InternalRefused: return true;
    default: return false;
  }
}
// Is all that is wrong found before names are looked up? Then no name that is near matters.
bool is_of_syntax(const Columns& c, const frontend::Compilation& compilation) {
  const auto is_syntax = [](DiagnosticCode code) {
    const DiagnosticRow& row = diagnostic_row(code);
    return row.severity != Severity::Error ||
           (row.code.starts_with("K01") && code != DiagnosticCode::MisspeltKeyword);
  };
  for (Index i = 0; i < c.nodes; ++i)
    if (c.error[i] != 0 && !is_syntax(static_cast<DiagnosticCode>(c.error[i]))) return false;
  return c.nodes != 0 && has_errors(compilation.diagnostics) &&
         std::ranges::all_of(compilation.diagnostics,
                             [&](const Diagnostic& d) { return is_syntax(d.code()); });
}

// Does a bracket close nothing? Whoever looks back for the bracket around it comes into the items before, whatever they are
// (frontend_gpu/findings/habits/refine_text.h).
bool has_unopened(const Columns& c) {
  for (u32 b = 0; b < c.brackets; ++b)
    if (static_cast<DiagnosticCode>(c.bracket_error[b]) == DiagnosticCode::UnopenedBracket)
      return true;
  return false;
}

// May what is wrong be a name of a function that is misspelled?
bool may_be_function(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::UnknownName:
    case DiagnosticCode::UnknownType:
    case DiagnosticCode::UnknownConstructor:
    case DiagnosticCode::AssignedUnknown: return false;
    default: return true;
  }
}
// Is what is wrong the same whatever other names there are?
bool is_found_alone(DiagnosticCode code) { return code == DiagnosticCode::FunctionAsValue; }
// Words that something is wrong with, whatever it is.
std::vector<SoughtWord> sought_words(const Columns& c, const frontend::Compilation& compilation,
                                     std::string_view text) {
  std::vector<SoughtWord> words;
  const auto add = [&](u32 begin, DiagnosticCode code) {
    if (is_found_alone(code)) return;
    if (begin < text.size() && text[begin] == '?') ++begin;
    u32 end = begin;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    if (begin >= end) return;
    const std::string_view word = text.substr(begin, end - begin);
    const auto known = std::ranges::find(words, word, &SoughtWord::word);
    SoughtWord& one = known == words.end() ? words.emplace_back(std::string(word), false) : *known;
    one.is_called |= may_be_function(code);
  };
  for (Index i = 0; i < c.nodes; ++i)
    if (c.error[i] != 0) add(c.token_start[c.token[i]], static_cast<DiagnosticCode>(c.error[i]));
  for (const Diagnostic& d : compilation.diagnostics) add(d.begin, d.code());
  return words;
}

// Is it on a line that is an example, or is meant as one?
bool is_in_example(std::string_view text, u32 byte) {
  const size_t before = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
  const std::string_view line = text.substr(before == std::string_view::npos ? 0 : before + 1);
  const size_t begin = line.find_first_not_of(" \t");
  return begin != std::string_view::npos && line.substr(begin).starts_with("///");
}

}  // namespace

const CheckedText& QuickCheck::check(std::string_view text, engine::ModuleLoader& modules,
                                     const CheckOptions& how, const std::stop_token& stop) {
  if (knows(text, modules)) return checked_;
  const bool is_edit = known_ && is_usable_ && modules.library().size() == library_size_ &&
                       text.size() <= kMostBytes;
  if (is_edit && check_edit(text, modules.library(), stop)) {
    ++quick_;
    return checked_;
  }
  check_all(text, modules, how, stop);
  return checked_;
}

std::optional<QuickCheck::TextAround> QuickCheck::text_around(std::string_view text,
                                                              u32 byte) const {
  if (!known_ || !is_usable_ || text != text_) return std::nullopt;
  const bool has_errors = std::ranges::any_of(checked_.diagnostics, [&](const Diagnostic& d) {
    return diagnostic_row(d.code()).severity == Severity::Error && !is_in_example(text, d.begin);
  });
  return TextAround{parts_.around(text, byte, LeftOut::Blank).text(), has_errors};
}

void QuickCheck::check_all(std::string_view text, engine::ModuleLoader& modules,
                           const CheckOptions& how, const std::stop_token& stop) {
  known_ = is_usable_ = false;
  // Its columns take much memory, and are needed no more afterwards.
  frontend::Compiler compiler({.examples = true, .library = &modules.library()});
  checked_ = check_text(text, modules, how, compiler, stop, compilation_);
  if (checked_.was_stopped) return;
  known_ = true;
  text_ = text;
  library_size_ = modules.library().size();
  parts_.clear();
  const bool has_harness = how.harness != kNoModule || !checked_.used_harness.name.empty();
  if (!checked_.is_harness && !has_harness && text.size() <= kMostBytes)
    read_parts(compiler.columns(), compilation_);
}

void QuickCheck::read_parts(const Columns& c, const frontend::Compilation& compilation) {
  parts_.read(c, text_);
  std::vector<TextPart>& parts = parts_.all();
  has_code_ = compilation.ok;
  code_size_ = compilation.code.instructions.size();
  entries_ = compilation.code.functions.size();
  is_usable_ = !parts.empty() && code_size_ < kMostCode && entries_ < kMostEntries;
  if (!is_usable_) return;
  const auto keep_around = [&](u32 byte) {
    const u32 k = parts_.first_behind(byte);
    if (k == parts.size()) return;
    if (parts[k].begin <= byte)
      parts[k].is_kept = true;
    else
      parts[k].has_plain_gap = false;
  };
  for (const Diagnostic& d : checked_.diagnostics) {
    keep_around(d.begin);
    keep_around(d.end());
  }
  // Also of findings that are not told because others say it all.
  for (Index i = 0; i < c.nodes; ++i)
    if (c.error[i] != 0) keep_around(c.token_start[c.token[i]]);
  for (u32 b = 0; b < c.brackets; ++b)
    if (c.bracket_error[b] != 0) keep_around(c.token_start[c.bracket_token[b]]);
  most_stack_ = 0;
  for (const Function& function : compilation.code.functions) {
    most_stack_ = std::max<u64>(most_stack_, function.stack_bytes);
    if (file_of(function.place) != 0) continue;
    const u32 k = parts_.first_behind(function.place);
    if (k < parts.size() && parts[k].name == function.place)
      parts[k].stack_bytes = function.stack_bytes;
  }
  is_proven_ = checked_.diagnostics.empty();
}

template <class Gather, class IsWanted>
bool QuickCheck::find(const Look& look, Gather gather, IsWanted is_wanted) {
  for (const LeftOut how : {LeftOut::Gone, LeftOut::Blank}) {
    gathered_ = gather(how);
    look.compiler.compile(gathered_.text(), compilation_);
    if (compilation_.stopped || !is_wanted()) return false;
    const std::string& told = compilation_.text;
    const size_t size = gathered_.text().size();
    modules_text_ = told.size() > size ? told.substr(size) : "";
    if (tell_in_whole(look.options, look.stop, gathered_, compilation_)) return true;
  }
  return false;
}

bool QuickCheck::find_with_names(std::string_view text, const Look& look,
                                 const std::vector<SoughtWord>* sought) {
  const auto gather = [&](LeftOut how) { return parts_.with_names(text, how, sought); };
  return find(look, gather, [&] {
    if (has_unopened(look.compiler.columns())) return false;
    bool finds = false;
    for (const Diagnostic& d : compilation_.diagnostics) {
      const DiagnosticRow& row = diagnostic_row(d.code());
      if (row.severity != Severity::Error) continue;
      // What is wrong with a number may depend on the words near it, whose ever they are.
      if (row.code.starts_with("K00")) return false;
      finds |= !is_of_code(d.code());
    }
    return finds;
  });
}
bool QuickCheck::find_in_code(std::string_view text, const Look& look) {
  const auto gather = [&](LeftOut how) { return parts_.only_needed(text, how); };
  return find(look, gather,
              [&] { return compilation_.ok && !has_errors(compilation_.diagnostics); });
}
bool QuickCheck::find_in_syntax(std::string_view text, const Look& look) {
  const auto gather = [&](LeftOut how) { return parts_.with_users(text, how); };
  return find(look, gather, [&] {
    const Columns& c = look.compiler.columns();
    sought_ = sought_words(c, compilation_, gathered_.text());
    return !has_unopened(c) && is_of_syntax(c, compilation_);
  });
}

// What is kept must give the findings that there were, before any can be said to be those of what is kept.
bool QuickCheck::is_proven(const Look& look) {
  if (is_proven_) return true;
  const bool finds = has_errors(checked_.diagnostics) ? find_with_names(text_, look, nullptr)
                                                      : find_in_code(text_, look);
  const std::string text = text_ + modules_text_;
  std::erase_if(compilation_.diagnostics,
                [&](const Diagnostic& d) { return d.begin > text_.size(); });
  is_proven_ =
      finds && are_same(checked_.diagnostics, checked_.text, compilation_.diagnostics, text);
  is_usable_ = is_proven_;
  return is_proven_;
}

void QuickCheck::keep(std::string_view text) {
  text_ = text;
  checked_.text = text;
  checked_.text += modules_text_;
  checked_.diagnostics = compilation_.diagnostics;
  std::erase_if(checked_.diagnostics, [&](const Diagnostic& d) { return d.begin > text.size(); });
}

bool QuickCheck::check_edit(std::string_view text, const Library& library,
                            const std::stop_token& stop) {
  const std::optional<BodyEdit> edit = parts_.find_edit(text_, text);
  if (!edit) return false;
  const frontend::Options options{.examples = true, .library = &library};
  frontend::Compiler compiler(options);
  compiler.stop_when(stop);
  const Look look{options, compiler, stop};
  if (!is_proven(look)) return false;
  parts_.take(*edit);
  std::vector<TextPart>& parts = parts_.all();
  parts[edit->part].is_kept = true;
  if (edit->is_broken || !find_in_code(text, look)) {
    const bool finds = find_in_syntax(text, look) ||
                       (!compilation_.stopped && find_with_names(text, look, &sought_));
    // What leaves a body open makes a harness of the whole text, which is checked by other rules.
    if (!finds || lacks_bodies(compilation_.diagnostics)) return false;
    keep(text);
    return true;
  }
  if (!has_code_ || code_size_ + compilation_.code.instructions.size() >= 2 * kMostCode ||
      entries_ + compilation_.code.functions.size() >= 2 * kMostEntries)
    return false;
  for (const Function& function : compilation_.code.functions) {
    if (file_of(function.place) != 0) continue;
    const u32 k = parts_.first_behind(function.place);
    if (k == parts.size() || parts[k].name != function.place || !parts[k].is_kept) continue;
    if (function.stack_bytes > parts[k].stack_bytes)
      most_stack_ += function.stack_bytes - parts[k].stack_bytes;
    parts[k].stack_bytes = function.stack_bytes;
  }
  if (most_stack_ > kDefaultStackLimit) return false;
  keep(text);
  // All is well but for what is said.
  for (TextPart& part : parts) {
    TextParts::settle(part);
    part.is_kept = std::ranges::any_of(checked_.diagnostics, [&](const Diagnostic& d) {
      return d.begin <= part.end && d.end() >= part.begin;
    });
  }
  return true;
}

}  // namespace komuz::services
