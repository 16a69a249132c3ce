// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "frontend_gpu/expand.h"
#include "lang/near_miss.h"
#include "lang/standard_uses.h"

namespace komuz::frontend {

namespace {

// The path that stands there, without the blanks in it.
std::string path_at(std::string_view text, u32 begin, u32 end) {
  std::string path;
  for (u32 k = begin; k < end && k < text.size(); ++k) {
    const char byte = text[k];
    const bool is_name = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                         (byte >= '0' && byte <= '9') || byte == '_';
    if (is_name || byte == '.') path += byte;
  }
  return path;
}
u32 path_end(std::string_view text, u32 begin) {
  const size_t end = text.find_first_of(";\n", begin);
  return static_cast<u32>(end == std::string_view::npos ? text.size() : end);
}

class ExplainModules {
 public:
  ExplainModules(const Library& library, std::string& text) : library_(library), text_(text) {}

  void operator()(Diagnostic& d) const {
    if (d.code() == DiagnosticCode::UnknownModule) unknown_module(d);
    if (d.code() == DiagnosticCode::UnknownImport) unknown_import(d);
  }

 private:
  void unknown_module(Diagnostic& d) const {
    const std::string path = path_at(text_, d.begin, d.end());
    const auto become = [&d](DiagnosticCode code) { d = make_diagnostic(code, d.begin, d.length); };
    if (library_.find(path) != kNoModule)
      return become(uses_itself() ? DiagnosticCode::CyclicModule : DiagnosticCode::BrokenModule);
    if (std::ranges::find(library_.cyclic, path) != library_.cyclic.end())
      return become(DiagnosticCode::CyclicModule);
    d.b = word(is_standard_module(path) ? "std." + path : nearest(path, library_.paths));
  }
  // Is the program one of the modules that were loaded for it, and broken for that?
  [[nodiscard]] bool uses_itself() const {
    for (u32 k = 0; k < library_.size(); ++k)
      if (!library_[k].ok && !library_[k].text.empty() && text_.starts_with(library_[k].text))
        return true;
    return false;
  }
  void unknown_import(Diagnostic& d) const {
    const u32 number = library_.find(path_at(text_, d.a, path_end(text_, d.a)));
    if (number == kNoModule) return;
    const Module& module = library_[number];
    const std::string name = text_.substr(d.begin, d.length);
    const auto has = [&name](const std::vector<std::string>& names) {
      return std::ranges::find(names, name) != names.end();
    };
    const bool is_open =
        std::ranges::any_of(module.open, [&name](const auto& open) { return open.name == name; });
    if (has(module.private_names))
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
  // Where a message finds it.
  [[nodiscard]] u32 word(const std::string& spelled) const {
    if (spelled.empty()) return 0;
    const u32 at = static_cast<u32>(text_.size()) + 3;
    text_ += "// " + spelled + "\n";
    return at;
  }

  const Library& library_;
  std::string& text_;
};

}  // namespace

void explain_modules(const Library& library, std::string& text,
                     std::vector<Diagnostic>& diagnostics) {
  const ExplainModules explain(library, text);
  for (Diagnostic& d : diagnostics) explain(d);
}

}  // namespace komuz::frontend
