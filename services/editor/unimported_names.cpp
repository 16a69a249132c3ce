// SPDX-License-Identifier: Apache-2.0
#include "services/editor/unimported_names.h"

#include <algorithm>
#include <unordered_set>

#include "engine/candidates/load_modules.h"
#include "lang/standard_modules.h"
#include "mend/standard_uses.h"
#include "services/editor/use_links.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

constexpr std::string_view kFunctionHead = "pub fn ", kConstantHead = "pub const ";

// A head on one line, up to its body or its value.
std::string on_one_line(std::string_view text, size_t end) {
  std::string out;
  for (const char byte : text.substr(0, end)) {
    const bool is_blank = byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
    if (!is_blank)
      out += byte;
    else if (!out.empty() && !out.ends_with(' ') && !out.ends_with('('))
      out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

class UnimportedNames {
 public:
  UnimportedNames(const Analysis& analysis, const Completions& known, std::string_view prefix)
      : analysis_(analysis), prefix_(prefix) {
    for (const Completion& one : known.list) seen_.insert(one.text);
    for (UseLink& link : list_use_links(analysis.written(), analysis.program()))
      used_.insert(std::move(link.path));
  }

  std::vector<UnimportedName> list() {
    for (const StandardModule& module : standard_modules())
      add_module(std::string(engine::kStandardPrefix) + std::string(module.name), module.text);
    if (const Library* const library = analysis_.library())
      for (u32 k = 0; k < library->size(); ++k)
        if (!(*library)[k].path.starts_with(engine::kStandardPrefix))
          add_module((*library)[k].path, (*library)[k].text);
    std::ranges::stable_sort(found_, {},
                             [](const UnimportedName& one) { return one.completion.text; });
    return std::move(found_);
  }

 private:
  void add_module(const std::string& path, std::string_view text) {
    for (size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
      const std::string_view line = text.substr(at);
      if (line.starts_with(kFunctionHead))
        add(path, text, at, kFunctionHead, "{", NameKind::Function);
      else if (line.starts_with(kConstantHead))
        add(path, text, at, kConstantHead, ";", NameKind::Constant);
    }
  }
  void add(const std::string& path, std::string_view text, size_t at, std::string_view head,
           std::string_view behind, NameKind kind) {
    const std::string_view item = text.substr(at);
    size_t end = head.size();
    while (end < item.size() && is_word_byte(item[end])) ++end;
    const std::string name(item.substr(head.size(), end - head.size()));
    if (!name.starts_with(prefix_)) return;
    // A module that is used has its names behind its own.
    const std::string own = path.substr(path.rfind('.') + 1);
    const bool is_used = used_.contains(path);
    std::string shown = is_used ? own + "." + name : name;
    if (seen_.contains(name) || !seen_.insert(shown).second) return;
    UnimportedName& out = found_.emplace_back();
    out.module = path;
    out.completion.text = std::move(shown);
    out.completion.kind = kind;
    out.completion.signature = on_one_line(item, item.find(behind));
    out.completion.comment = comment_above(text, static_cast<u32>(at));
    out.completion.text_line = first_sentence(out.completion.comment);
  }

  const Analysis& analysis_;
  std::string_view prefix_;
  std::unordered_set<std::string> seen_, used_;
  std::vector<UnimportedName> found_;
};

}  // namespace

std::vector<UnimportedName> list_unimported_names(const Analysis& analysis,
                                                  const Completions& known, u32 place) {
  if (!known.takes_values || place < known.begin + kFewestLetters) return {};
  return UnimportedNames(analysis, known, analysis.text().substr(known.begin, place - known.begin))
      .list();
}

std::optional<Edit> bring_name(std::string_view module, std::string_view name,
                               std::string_view text) {
  // What stands behind the module's own name needs nothing more.
  if (name.find('.') != std::string_view::npos) return std::nullopt;
  return use_edit(use_with(module, name, text), text);
}
std::optional<Edit> bring_module(std::string_view module, std::string_view text) {
  return use_edit("use " + std::string(module) + ";", text);
}

}  // namespace komuz::services
