// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_set>

#include "frontend_gpu/expand.h"
#include "lang/diagnostic_types.h"
#include "mend/function_head.h"
#include "mend/habits/from_uses.h"
#include "mend/mend.h"
#include "mend/near_miss.h"
#include "mend/source_text.h"
#include "mend/standard_uses.h"

namespace komuz::frontend {

namespace {

// The path that stands in [begin, end), without its blanks.
std::string path_at(std::string_view text, u32 begin, u32 end) {
  std::string path;
  for (u32 k = begin; k < end && k < text.size(); ++k) {
    const char byte = text[k];
    if (is_word(byte) || byte == '.') path += byte;
  }
  return path;
}
u32 path_end(std::string_view text, u32 begin) {
  const size_t end = text.find_first_of(";\n", begin);
  return static_cast<u32>(end == std::string_view::npos ? text.size() : end);
}

class ExplainModules {
 public:
  ExplainModules(const Library& library, u32 harness, std::string& text)
      : library_(library), harness_(harness), text_(text) {}

  // Returns false if the diagnostic follows from another one.
  [[nodiscard]] bool operator()(Diagnostic& d) {
    if (is_unknown(d.code()) && imported_.contains(text_.substr(d.begin, d.length))) return false;
    if (is_unknown(d.code()) && d.begin == behind_harness_) return false;
    if (harness_ != kNoModule && is_unknown(d.code()) && find_in_harness(d)) return true;
    if (harness_ != kNoModule && is_of_head(d.code()))
      if (const Module::OpenFunction* const open = find_open(d); open != nullptr)
        return explain_head(*open, d);
    if (d.code() == DiagnosticCode::HoleType && space_behind_hole(d.begin)) return false;
    if (d.code() == DiagnosticCode::UnknownFunction && d.begin > 0 && text_[d.begin - 1] == '.')
      space_of_hole(d);
    if (d.code() == DiagnosticCode::UnknownModule) unknown_module(d);
    if (d.code() == DiagnosticCode::BrokenModule &&
        !told_broken_.insert(path_at(text_, d.begin, d.end())).second)
      return false;
    if (d.code() == DiagnosticCode::UnknownSpace &&
        wrong_imports_.contains(text_.substr(d.begin + 1, d.length - 1)))
      return false;
    if (d.code() == DiagnosticCode::UnknownImport) unknown_import(d);
    return true;
  }

 private:
  static bool is_unknown(DiagnosticCode code) {
    return code == DiagnosticCode::UnknownType || code == DiagnosticCode::UnknownConstructor ||
           code == DiagnosticCode::UnknownFunction || code == DiagnosticCode::UnknownName ||
           code == DiagnosticCode::UnknownModule;
  }
  // A candidate sees no name of its harness without a `use`. Rewrites `d` if it is about a name that the candidate
  // may use, or about the harness itself; returns whether it was.
  [[nodiscard]] bool find_in_harness(Diagnostic& d) {
    const Module& harness = library_[harness_];
    const std::string name = text_.substr(d.begin, d.length);
    const bool has_name =
        std::ranges::find(harness.public_names, name) != harness.public_names.end();
    const bool is_path = name == harness.path && text_.substr(d.end()).starts_with('.');
    if (!has_name && !is_path) return false;
    const std::string whole = "use " + harness.path + ";";
    const std::string remedy = is_path              ? whole
                               : has_line_of(whole) ? last_name(harness.path) + "." + name
                                                    : use_with(harness.path, name, text_);
    if (is_path) behind_harness_ = d.end() + 1;
    d = make_diagnostic(DiagnosticCode::HarnessName, d.begin, d.length, word(remedy),
                        static_cast<u32>(remedy.size()));
    return true;
  }
  static bool is_of_head(DiagnosticCode code) {
    return code == DiagnosticCode::MissingResultType || code == DiagnosticCode::ParameterType ||
           code == DiagnosticCode::ForeignFunction || code == DiagnosticCode::UnknownType;
  }
  // The open function whose head the diagnostic is about; null: none is, or the diagnostic says more than the
  // harness could.
  [[nodiscard]] const Module::OpenFunction* find_open(const Diagnostic& d) const {
    for (const Module::OpenFunction& open : library_[harness_].open) {
      const std::optional<FunctionHead> head = find_head(text_, open.name);
      if (!head || d.begin < head->keyword || d.begin >= head->end) continue;
      const bool is_mended = diagnostic_fix(d, text_).has_value();
      const u32 name_end = head->name + static_cast<u32>(open.name.size());
      const bool lacks_types = head_edit(name_end, open.text, text_).has_value();
      if (d.code() == DiagnosticCode::UnknownType ? !is_mended : lacks_types || !is_mended)
        return &open;
    }
    return nullptr;
  }
  // Returns false if the function has been explained before.
  [[nodiscard]] bool explain_head(const Module::OpenFunction& open, Diagnostic& d) {
    if (!explained_heads_.insert(open.name).second) return false;
    const u32 name = find_head(text_, open.name)->name;
    d = make_diagnostic(DiagnosticCode::OpenSignature, name, static_cast<u32>(open.name.size()),
                        word(open.text), static_cast<u32>(open.text.size()));
    return true;
  }
  // The `packing` of `lib.packing`.
  static std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }
  // True if a line starts with `item`.
  [[nodiscard]] bool has_line_of(const std::string& item) const {
    return text_.starts_with(item) || text_.find("\n" + item) != std::string::npos;
  }
  void unknown_module(Diagnostic& d) {
    if (d.a == kOfOtherLanguage) return;
    const std::string path = path_at(text_, d.begin, d.end());
    const auto become = [&d](DiagnosticCode code) { d = make_diagnostic(code, d.begin, d.length); };
    // The library may hold modules that other programs have loaded; only a `use` gives access to them.
    const bool is_used = is_behind_use(d.begin);
    const u32 number = is_used ? library_.find(path) : kNoModule;
    const bool is_harness = number != kNoModule && !library_[number].open.empty();
    if (is_harness || means_harness(path, d.end())) {
      d.a = kOfHarness;
      d.b = harness_ == kNoModule ? 0 : word(library_[harness_].path);
      return;
    }
    if (number != kNoModule)
      return become(uses_itself(path) ? DiagnosticCode::CyclicModule
                                      : DiagnosticCode::BrokenModule);
    if (is_used && std::ranges::find(library_.cyclic, path) != library_.cyclic.end())
      return become(DiagnosticCode::CyclicModule);
    if (names_known(path) && has_use(d)) {
      imported_.insert(last_name(path));
      return;
    }
    if (is_standard_module(path))
      d.b = word("std." + path);
    else if (is_used)
      d.b = word(nearest(path, library_.paths));
  }
  [[nodiscard]] bool is_behind_use(u32 place) const {
    std::string_view before = std::string_view(text_).substr(0, place);
    const size_t end = before.find_last_not_of(" \t\r\n");
    before = before.substr(0, end + 1);
    return before.ends_with("use") && (before.size() == 3 || !is_word(before[before.size() - 4]));
  }
  // True for `harness.{Job}` and for a path with a list of names that the harness has. `end` is the end of the
  // path.
  [[nodiscard]] bool means_harness(std::string_view path, u32 end) const {
    if (harness_ == kNoModule) return false;
    if (path == "harness") return true;
    if (!source_at(text_, end, 2).starts_with(".{")) return false;
    const std::vector<std::string>& names = library_[harness_].public_names;
    u32 at = end + 2, found = 0;
    for (;; ++found) {
      at = behind_gap(text_, at);
      const std::string name(word_at(text_, at));
      if (name.empty()) break;
      if (std::ranges::find(names, name) == names.end()) return false;
      at = behind_gap(text_, at + static_cast<u32>(name.size()));
      if (source_at(text_, at, 1) == ",") ++at;
    }
    return found != 0 && source_at(text_, at, 1) == "}";
  }
  // True for `lib.packing.first_fit` where there is a module `lib.packing`.
  [[nodiscard]] bool names_known(std::string_view path) const {
    const std::string module(path.substr(0, path.rfind('.')));
    return module.size() != path.size() &&
           (library_.find(module) != kNoModule ||
            std::ranges::find(library_.paths, module) != library_.paths.end());
  }
  // If the path stands in a `use` that lacks braces, turns the diagnostic into one about all of that `use`.
  [[nodiscard]] bool has_use(Diagnostic& d) const {
    constexpr std::string_view kUse = "use ";
    const u32 begin = d.begin - std::min(d.begin, static_cast<u32>(kUse.size()));
    const u32 stop = path_end(text_, d.end());
    const u32 end = stop + (source_at(text_, stop, 1) == ";" ? 1 : 0);
    if (use_of_name(between(text_, begin, end)).empty()) return false;
    d = make_diagnostic(DiagnosticCode::ImportBraces, begin, end - begin);
    return true;
  }
  // True if this program is one of the modules that the module at `path` needs, and the module is broken for that
  // reason.
  [[nodiscard]] bool uses_itself(const std::string& path) const {
    return std::ranges::any_of(needed_modules(library_, {path}), [&](u32 k) {
      const Module& module = library_[k];
      return !module.ok && !module.text.empty() && text_.starts_with(module.text);
    });
  }
  static bool has_space(const Module& module, std::string_view name) {
    return std::ranges::any_of(module.shared, [name](const CopiedItem& item) {
      return item.is_space && item.is_public && item.name == name;
    });
  }
  void list_space(const Module& module, Diagnostic& d) const {
    const std::string use = use_with(module.path, text_.substr(d.begin, d.length), text_);
    d = make_diagnostic(DiagnosticCode::SpaceOfModule, d.begin, d.length, word(use),
                        static_cast<u32>(use.size()));
  }
  // The module whose space `?m.s` means, from the `?` on; null: it means none.
  [[nodiscard]] const Module* space_behind_hole(u32 begin) const {
    if (source_at(text_, begin, 1) != "?") return nullptr;
    const std::string_view name = word_at(text_, begin + 1);
    const u32 dot = begin + 1 + static_cast<u32>(name.size());
    if (name.empty() || source_at(text_, dot, 1) != ".") return nullptr;
    for (u32 k = 0; k < library_.size(); ++k)
      if (last_name(library_[k].path) == name && has_line_of("use " + library_[k].path) &&
          has_space(library_[k], word_at(text_, dot + 1)))
        return &library_[k];
    return nullptr;
  }
  void space_of_hole(Diagnostic& d) const {
    u32 begin = d.begin - 1;
    while (begin > 0 && is_word(text_[begin - 1])) --begin;
    if (begin == 0) return;
    if (const Module* const module = space_behind_hole(begin - 1)) list_space(*module, d);
  }
  void unknown_import(Diagnostic& d) {
    wrong_imports_.insert(text_.substr(d.begin, d.length));
    const u32 number = library_.find(path_at(text_, d.a, path_end(text_, d.a)));
    if (number == kNoModule) return;
    const Module& module = library_[number];
    const std::string name = text_.substr(d.begin, d.length);
    const auto has = [&name](const std::vector<std::string>& names) {
      return std::ranges::find(names, name) != names.end();
    };
    const bool is_open =
        std::ranges::any_of(module.open, [&name](const auto& open) { return open.name == name; });
    if (has_space(module, name))
      list_space(module, d);
    else if (has(module.private_names))
      d = make_diagnostic(DiagnosticCode::PrivateName, d.begin, d.length, d.a);
    else if (is_open || has(module.waiting_names))
      d = make_diagnostic(DiagnosticCode::CandidateImport, d.begin, d.length, d.a);
    else
      d.b = word(nearest(name, module.public_names));
  }

  static std::string nearest(const std::string& text, const std::vector<std::string>& words) {
    const std::vector<std::string_view> choices(words.begin(), words.end());
    return std::string(nearest_word(text, choices));
  }
  // Appends a word that a message quotes, and returns its position.
  [[nodiscard]] u32 word(const std::string& spelled) const {
    if (spelled.empty()) return 0;
    if (!text_.ends_with('\n')) text_ += '\n';
    const u32 at = static_cast<u32>(text_.size()) + 3;
    text_ += "// " + spelled + "\n";
    return at;
  }

  const Library& library_;
  u32 harness_;
  std::string& text_;
  // The position behind the `.` of the harness's own name, where its `use` is missing; 0: there is none.
  u32 behind_harness_ = 0;
  std::unordered_set<std::string> explained_heads_;  // names of open functions
  std::unordered_set<std::string>
      wrong_imports_;  // names that a `use` lists and their modules do not show
  std::unordered_set<std::string> told_broken_;  // paths of modules
  std::unordered_set<std::string> imported_;  // names that a `use` without braces is meant to give
};

}  // namespace

void explain_modules(const Library& library, u32 harness, std::string& text,
                     std::vector<Diagnostic>& diagnostics) {
  ExplainModules explain(library, harness, text);
  std::vector<Diagnostic> kept;
  for (Diagnostic& d : diagnostics)
    if (explain(d)) kept.push_back(d);
  diagnostics = std::move(kept);
}

}  // namespace komuz::frontend
