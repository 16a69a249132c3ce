// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lang/standard_modules.h"
#include "lang/tokens.h"
#include "services/completion/sources.h"
#include "services/doc.h"
#include "services/item_text.h"

namespace komuz::services {

namespace {

std::string path_of(const StandardModule& module) { return "std." + std::string(module.name); }

// The word behind `word` and a blank at the start of a text; empty if the text does not start so.
std::string_view word_behind(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return {};
  text.remove_prefix(word.size());
  if (!text.starts_with(' ')) return {};
  text.remove_prefix(1);
  size_t end = 0;
  while (end < text.size() && is_word_byte(text[end])) ++end;
  return text.substr(0, end);
}

struct ItemWord {
  Token token;
  NameKind kind;
};
constexpr ItemWord kItemWords[] = {{Token::Fn, NameKind::Function},
                                   {Token::Const, NameKind::Constant},
                                   {Token::Type, NameKind::Type},
                                   {Token::Space, NameKind::Space}};

void add_item(const Module& module, std::string_view text, Candidates& out, u32 order) {
  const std::string_view pub = token_row(Token::Pub).spelling;
  if (!text.starts_with(pub) || text.size() == pub.size()) return;
  const std::string_view behind = text.substr(pub.size() + 1);
  for (const auto& [token, kind] : kItemWords) {
    const std::string_view name = word_behind(behind, token_row(token).spelling);
    if (!out.wants(name)) continue;
    while (text.ends_with(';')) text.remove_suffix(1);
    const size_t arrow = text.rfind("-> ");
    std::string type;
    const bool has_type = kind == NameKind::Function || kind == NameKind::Space;
    if (has_type && arrow != std::string_view::npos) {
      type = text.substr(arrow + 3);
      type = type.substr(0, type.rfind(" depth "));
    }
    const size_t at = module.text.find(text);
    const std::string comment =
        at == std::string::npos ? "" : comment_above(module.text, static_cast<u32>(at));
    out.add({std::string(name), kind, std::string(text), type, first_sentence(comment), comment},
            Nearness::Imported, order);
  }
}

void add_path(std::string_view path, std::string_view before, const std::string& summary,
              Candidates& out) {
  if (!path.starts_with(before) || path.size() == before.size()) return;
  const std::string_view rest = path.substr(before.size());
  const std::string part(rest.substr(0, rest.find('.')));
  if (out.wants(part)) {
    const bool is_whole = part.size() == rest.size();
    out.add({part, NameKind::Module,
             std::string(is_whole ? path : path.substr(0, before.size() + part.size())), "",
             is_whole ? first_sentence(summary) : "", is_whole ? summary : ""},
            Nearness::Imported);
  }
}

}  // namespace

void add_module_names(const Module& module, Candidates& out) {
  u32 order = 0;
  for (const InterfaceItem& item : module.interface) add_item(module, item.text, out, order++);
  // Constructors have no items of their own.
  for (const std::string& name : module.public_names)
    if (out.wants(name))
      out.add({name, NameKind::Constructor, name, "", ""}, Nearness::Imported, order++);
}

bool add_names_of(const Library* library, const std::string& path, Candidates& out) {
  if (const u32 module = library == nullptr ? kNoModule : library->find(path);
      module != kNoModule) {
    add_module_names((*library)[module], out);
    return true;
  }
  for (const StandardModule& standard : standard_modules()) {
    if (path_of(standard) != path) continue;
    Module module;
    module.path = module.file = path;
    module.text = standard.text;
    frontend::Compiler compiler;
    compiler.compile_module(module);
    add_module_names(module, out);
    return true;
  }
  return false;
}

bool is_module(const Library* library, std::string_view path) {
  const auto has_path = [&](const StandardModule& module) { return path_of(module) == path; };
  if (std::ranges::any_of(standard_modules(), has_path)) return true;
  return library != nullptr && (library->find(path) != kNoModule ||
                                std::ranges::find(library->paths, path) != library->paths.end());
}

void add_module_paths(const Library* library, std::string_view path, Candidates& out) {
  for (const StandardModule& module : standard_modules())
    add_path(path_of(module), path, module_summary(module.text), out);
  if (library == nullptr) return;
  for (u32 k = 0; k < library->size(); ++k)
    add_path((*library)[k].path, path, module_summary((*library)[k].text), out);
  for (const std::string& known : library->paths) add_path(known, path, "", out);
}

}  // namespace komuz::services
