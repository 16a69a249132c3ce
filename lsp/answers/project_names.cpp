// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/project_names.h"

#include <algorithm>
#include <map>

#include "frontend_gpu/expand.h"
#include "services/editor/item_tokens.h"

namespace komuz::lsp {
namespace {

bool is_standard(std::string_view module) { return module.starts_with(engine::kStandardPrefix); }

class Gather {
 public:
  Gather(const Question& question, const services::SharedName& shared, std::string home,
         const std::vector<std::string_view>& words, bool is_open)
      : question_(question),
        shared_(shared),
        home_(std::move(home)),
        words_(words),
        is_open_(is_open) {}

  // Its `names` are empty if the text does not see what is looked for.
  NamingText look_at(const DocumentRef& document) {
    NamingText out{
        document, {}, services::keep_items_naming(lexer_, document->text, words_), nullptr};
    const bool is_home = document->path == home_;
    // A candidate that defines it, or a sketch of one.
    const bool fills = is_open_ && !is_home && question_.workspace.harness_of(*document) == home_;
    if (is_home || fills) {
      out.names.push_back(shared_);
      out.names.back().module.clear();
    } else if (out.kept.modules.empty()) {
      return out;
    }
    const Library& library =
        question_.workspace.modules_for(*document, services::uses_of(out.kept.modules)).library();
    std::shared_ptr<services::Analysis>& analysis = analyses_[&library];
    if (analysis == nullptr)
      analysis = std::make_shared<services::Analysis>(&library, services::Examples::Tests);
    out.analysis = analysis;
    if (is_home) return out;
    for (const u32 number : frontend::needed_modules(library, out.kept.modules)) {
      if (home_of(library[number]) != home_) continue;
      out.names.push_back(shared_);
      out.names.back().module = library[number].path;
    }
    return out;
  }

 private:
  // A path through all links, or that of a module of the standard library.
  const std::string& home_of(const Module& module) {
    if (is_standard(module.path)) return module.path;
    const auto [known, is_new] = real_.try_emplace(module.file);
    if (is_new) known->second = question_.workspace.files().real_path(module.file);
    return known->second;
  }

  const Question& question_;
  const services::SharedName& shared_;
  std::string home_;
  const std::vector<std::string_view>& words_;
  bool is_open_;  // candidates define it
  frontend::Compiler lexer_;
  std::map<std::string, std::string> real_;
  std::map<const Library*, std::shared_ptr<services::Analysis>> analyses_;
};

bool is_left_open(const Question& question, const std::string& home,
                  const services::SharedName& shared) {
  if (shared.kind != services::SharedName::Kind::Function) return false;
  const DocumentRef open = question.workspace.documents().find_path(home);
  const std::optional<std::string> text =
      open != nullptr ? open->text : question.workspace.files().read(home);
  frontend::Compiler lexer;
  return text && std::ranges::count(services::open_functions(lexer, *text), shared.name) != 0;
}

}  // namespace

bool fills_open(const Question& question, const Document& document,
                const services::SharedName& shared) {
  if (shared.kind != services::SharedName::Kind::Function || !shared.module.empty()) return false;
  const auto* const open = question.workspace.open_functions_of(document);
  return open != nullptr &&
         std::ranges::count(*open, shared.name, &Module::OpenFunction::name) != 0;
}

std::optional<NamingTexts> texts_naming(const Question& question, const Document& document,
                                        const services::SharedName& shared,
                                        std::vector<std::string_view> words) {
  NamingTexts out;
  if (fills_open(question, document, shared))
    out.home = question.workspace.harness_of(document);
  else if (shared.module.empty())
    out.home = document.path;
  else if (is_standard(shared.module))
    out.home = shared.module;
  else
    out.home = question.workspace.file_of_module(document, shared.module);
  // No other text can name what is no file: nobody asks for such a name here.
  if (out.home.empty()) return out;
  const auto has_words = [&](std::string_view text) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return services::has_word(text, word); });
  };
  Gather gather(question, shared, out.home, words, is_left_open(question, out.home, shared));
  for (const DocumentRef& text : question.workspace.project_texts(document, has_words)) {
    if (question.stop.stop_requested()) return std::nullopt;
    NamingText found = gather.look_at(text);
    if (found.names.empty()) continue;
    out.has_home |= text->path == out.home;
    out.list.push_back(std::move(found));
  }
  return out;
}

}  // namespace komuz::lsp
