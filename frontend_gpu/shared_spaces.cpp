// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/shared_spaces.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "frontend_gpu/named_types.h"
#include "frontend_gpu/names/hole_groups.h"
#include "frontend_gpu/names/modules.h"
#include "frontend_gpu/questions/item_tokens.h"

namespace komuz::frontend {

namespace {

using Means = CopiedName::Means;

std::string_view text_of(const Columns& c, u32 begin, u32 end) {
  return {reinterpret_cast<const char*>(c.source) + begin, end - begin};
}
u32 token_end(const Columns& c, Index t) { return c.token_start[t] + c.token_length[t]; }

// The path of a module, by its number in the columns; empty: the program itself.
std::string path_of_module(const Columns& c, u32 module) {
  if (module == 0) return {};
  const Index path = path_of(c, c.module_head[module - 1]);
  std::string out;
  for (Index t = c.token[c.begin[path]]; token_at(c, t) != Token::Semi; ++t)
    out += text_of(c, c.token_start[t], token_end(c, t));
  return out;
}

// True for a node that means a global binding.
bool means_global(const Columns& c, Index i) {
  const NameRole role = name_role(node_context(c, i));
  return (is_use(role) || role == NameRole::Type) && c.ref[i] < c.binds &&
         is_global(c.bind_kind[c.ref[i]]) && !is_imported(c.bind_kind[c.ref[i]]);
}
// The item that defines what a node means.
Index item_meant(const Columns& c, Index i) { return c.item[c.bind_node[c.ref[i]]]; }

class ShareSpaces {
 public:
  ShareSpaces(const Columns& c, Module& module)
      : c_(c), module_(module), first_nodes_(find_first_nodes(c)), names_(c.items) {}

  void all() {
    for (Index item = 0; item < c_.items; ++item)
      if (module_at(item) == 0 && is_space(c_, item) && c_.item_public[item] != 0 && is_shown(item))
        number_of(item);
    if (items_.empty()) return;
    for (Index i = 0; i < c_.nodes; ++i) {
      const Node kind = node_kind(c_, i);
      if (kind == Node::Name || kind == Node::Hole) names_[c_.item[i]].push_back(i);
    }
    // More items are found on the way.
    for (size_t k = 0; k < items_.size(); ++k) add(items_[k]);
  }

 private:
  [[nodiscard]] u32 module_at(Index item) const {
    return c_.modules == 0 ? 0 : u32{c_.item_module[item]};
  }
  // False for a space that needs functions which candidates of a harness define.
  [[nodiscard]] bool is_shown(Index item) const {
    return std::ranges::find(module_.public_names, name_text(c_, c_.item_name[item])) !=
           module_.public_names.end();
  }
  u32 number_of(Index item) {
    const auto [known, is_new] = numbers_.try_emplace(item, static_cast<u32>(items_.size()));
    if (is_new) items_.push_back(item);
    return known->second;
  }

  void add(Index item) {
    CopiedItem out;
    out.name = name_text(c_, c_.item_name[item]);
    out.is_space = is_space(c_, item);
    out.is_public = c_.item_public[item] != 0;
    const TokenRange tokens = tokens_of(c_, first_nodes_, item);
    const Index first = token_at(c_, tokens.first) == Token::Pub ? tokens.first + 1 : tokens.first;
    begin_ = c_.token_start[first];
    out.text = text_of(c_, begin_, token_end(c_, tokens.end - 1));
    for (const Index i : names_[item]) {
      if (node_context(c_, i) == Context::Skipped) continue;
      if (node_kind(c_, i) == Node::Hole)
        add_hole(i, item, out);
      else
        add_name(i, item, out);
    }
    std::ranges::sort(out.names, {}, &CopiedName::begin);
    module_.shared.push_back(std::move(out));
  }
  // `skipped`: bytes of the token before the name.
  void note(CopiedItem& out, Index i, CopiedName name, u32 skipped = 0) const {
    const Index t = c_.token[i];
    name.begin = c_.token_start[t] + skipped - begin_;
    name.end = token_end(c_, t) - begin_;
    out.names.push_back(std::move(name));
  }
  void add_hole(Index i, Index item, CopiedItem& out) {
    if (means_global(c_, i)) return note(out, i, meaning(i), 1);
    // Holes of a space are its own.
    if (!is_space(c_, item) && names_decision(c_, i)) note(out, i, {.means = Means::Decision}, 1);
  }
  void add_name(Index i, Index item, CopiedItem& out) {
    const u32 b = c_.ref[i];
    const bool defines = b < c_.binds && c_.bind_node[b] == i && is_global(c_.bind_kind[b]);
    if (defines || c_.role[i] == Role::Expansion)
      return note(out, i, {.means = Means::Copied, .item = number_of(item)});
    if (means_global(c_, i)) return note(out, i, meaning(i));
    const bool is_built_in =
        is_use(name_role(node_context(c_, i))) && c_.ref[i] != kNone && c_.ref[i] >= kBuiltinRef;
    if (!is_built_in) return;
    std::string name = name_text(c_, i);
    if (std::ranges::find(out.built_in, name) == out.built_in.end())
      out.built_in.push_back(std::move(name));
  }
  CopiedName meaning(Index i) {
    const Index item = item_meant(c_, i);
    const u32 module = module_at(item);
    const bool is_type = c_.item_kind[item] == ItemKind::Type;
    if (module == 0 && (!is_type || c_.item_public[item] == 0))
      return {.means = Means::Copied, .item = number_of(item)};
    CopiedName name{.path = module == 0 ? module_.path : path_of_module(c_, module)};
    // A name that was joined with its module's has the token of the node behind it.
    const bool is_joined = i + 1 < c_.nodes && c_.token[i + 1] == c_.token[i];
    name.means = is_space(c_, item)                       ? Means::Space
                 : is_joined                              ? Means::Path
                 : node_context(c_, i) == Context::Method ? Means::Method
                                                          : Means::Shown;
    return name;
  }

  const Columns& c_;
  Module& module_;
  std::vector<Index> first_nodes_;
  std::vector<std::vector<Index>> names_;  // nodes, by item
  std::vector<Index> items_;               // in the order of their numbers
  std::map<Index, u32> numbers_;
  u32 begin_ = 0;  // of the item's text
};

// A shared item of a module of the library.
struct Shared {
  u32 module = 0, item = 0;
  auto operator<=>(const Shared&) const = default;
};

// The items that a program needs copies of: the spaces that it takes expressions from, and what these need.
class NeededItems {
 public:
  NeededItems(const Columns& c, const Library& library) : c_(c), library_(library) {
    for (u32 u = 0; u < c.uses; ++u) {
      const Index i = c.use_node[u];
      if (node_kind(c, i) != Node::Hole || module_of(c, i) != 0 || !means_global(c, i)) continue;
      const Index item = item_meant(c, i);
      if (c.modules == 0 || c.item_module[item] == 0) continue;
      add_space(path_of_module(c, c.item_module[item]), name_text(c, c.item_name[item]));
    }
    spaces_ = items_.size();
    for (size_t k = 0; k < items_.size(); ++k)
      for (const CopiedName& name : at(items_[k]).names) {
        if (name.means == Means::Copied) add({items_[k].module, name.item});
        if (name.means == Means::Space) add_space(name.path, std::string(name_in(items_[k], name)));
      }
  }

  // The spaces that the program names come first.
  [[nodiscard]] const std::vector<Shared>& items() const { return items_; }
  [[nodiscard]] size_t spaces() const { return spaces_; }
  [[nodiscard]] const CopiedItem& at(Shared item) const {
    return library_[item.module].shared[item.item];
  }
  [[nodiscard]] std::string_view name_in(Shared item, const CopiedName& name) const {
    return std::string_view(at(item).text).substr(name.begin, name.end - name.begin);
  }
  // The public space of a module.
  [[nodiscard]] std::optional<Shared> space(const std::string& path, std::string_view name) const {
    const u32 module = library_.find(path);
    if (module == kNoModule) return std::nullopt;
    const std::vector<CopiedItem>& shared = library_[module].shared;
    for (u32 k = 0; k < shared.size(); ++k)
      if (shared[k].is_space && shared[k].is_public && shared[k].name == name)
        return Shared{module, k};
    return std::nullopt;
  }

 private:
  void add(Shared item) {
    if (seen_.insert(item).second) items_.push_back(item);
  }
  void add_space(const std::string& path, const std::string& name) {
    if (const std::optional<Shared> found = space(path, name)) add(*found);
  }

  const Columns& c_;
  const Library& library_;
  std::vector<Shared> items_;
  std::set<Shared> seen_;
  size_t spaces_ = 0;
};

class WriteOutSpaces {
 public:
  WriteOutSpaces(const Columns& c, std::string_view source, const Library& library,
                 const NeededItems& needed)
      : c_(c), library_(library), needed_(needed), text_(source) {
    for (Index t = 0; t < c.tokens; ++t)
      if (c.token_start[t] < source.size())
        taken_.emplace(text_of(c, c.token_start[t], token_end(c, t)));
  }

  WrittenOut write() {
    blank_uses();
    for (size_t k = 0; k < needed_.spaces(); ++k) {
      const Shared space = needed_.items()[k];
      names_[{space, needed_.at(space).name}] = needed_.at(space).name;
    }
    std::vector<std::string> texts;
    for (const Shared item : needed_.items()) texts.push_back(copy_of(item));
    WrittenOut out{text_ + "\n", {}};
    const auto add = [&](const std::string& text) {
      const auto begin = static_cast<u32>(out.text.size());
      out.text += text + "\n";
      return SketchSpan{begin, begin + static_cast<u32>(text.size())};
    };
    for (const auto& [text, name] : uses_) out.copies.push_back({add(text), {name}});
    for (size_t k = 0; k < texts.size(); ++k) {
      const Shared item = needed_.items()[k];
      const SketchSpan span = add(texts[k]);
      if (needed_.at(item).is_space) continue;
      SketchCopy& copy = out.copies.emplace_back(SketchCopy{span, {}});
      for (const auto& [named, name] : names_)
        if (named.first == item) copy.names.push_back(name);
    }
    return out;
  }

 private:
  // The name that a copy has for a name of a module. `item`: what defines it.
  std::string name_of(Shared item, std::string_view name) {
    const auto [known, is_new] = names_.try_emplace({item, std::string(name)});
    if (!is_new) return known->second;
    const std::string& path = library_[item.module].path;
    const std::string wanted = std::string(name) + "_of_" + path.substr(path.rfind('.') + 1);
    std::string fresh = wanted;
    for (u32 k = 2; !taken_.insert(fresh).second; ++k) fresh = wanted + std::to_string(k);
    return known->second = fresh;
  }
  std::string copy_of(Shared item) {
    const CopiedItem& what = needed_.at(item);
    std::string out;
    u32 copied = 0;
    for (const CopiedName& name : what.names) {
      out += what.text.substr(copied, name.begin - copied);
      out += written(item, name);
      copied = name.end;
    }
    return out + what.text.substr(copied);
  }
  std::string written(Shared item, const CopiedName& name) {
    const std::string spelled(needed_.name_in(item, name));
    switch (name.means) {
      case Means::Copied: return name_of({item.module, name.item}, spelled);
      case Means::Decision: return name_of({item.module, item.item}, "?" + spelled).substr(1);
      case Means::Space: {
        const std::optional<Shared> space = needed_.space(name.path, spelled);
        return space ? name_of(*space, spelled) : spelled;
      }
      case Means::Method: use(name.path, spelled); return spelled;
      case Means::Path: use(name.path, ""); return spelled;
      case Means::Shown: break;
    }
    use(name.path, "");
    return name.path.substr(name.path.rfind('.') + 1) + "." + spelled;
  }
  // Adds a `use`, of a name or of the whole module, unless the program has it.
  void use(const std::string& path, const std::string& name) {
    const bool is_whole = name.empty();
    if (is_whole ? whole_uses_.contains(path) : listed_.contains({path, name})) return;
    const std::string item = "use " + path + (is_whole ? "" : ".{" + name + "}") + ";";
    const auto is_it = [&item](const auto& use) { return use.first == item; };
    if (std::ranges::any_of(uses_, is_it)) return;
    uses_.emplace_back(item, is_whole ? path.substr(path.rfind('.') + 1) : name);
  }

  // Puts blanks in the place of spaces that the program's `use` items list. What is left keeps its place.
  void blank_uses() {
    for (u32 k = 0; k < c_.use_items; ++k) {
      const Index item = c_.use_item[k];
      if (c_.item_module[item] == 0) blank_use(item);
    }
  }
  void blank_use(Index item) {
    const std::string path = path_of_module(c_, c_.item_used[item]);
    std::vector<Index> listed, spaces;  // tokens
    for (u32 b = 0; b < c_.binds; ++b) {
      const Index i = c_.bind_node[b];
      if (c_.item[i] != item || c_.bind_kind[b] != BindKind::Import) continue;
      listed.push_back(c_.token[i]);
      const std::string name = name_text(c_, i);
      if (needed_.space(path, name))
        spaces.push_back(c_.token[i]);
      else
        listed_.emplace(path, name);
    }
    if (listed.empty()) whole_uses_.insert(path);
    if (spaces.empty()) return;
    if (spaces.size() == listed.size()) {
      Index first = spaces.front(), last = spaces.back();
      while (token_at(c_, first) != Token::Use) --first;
      while (token_at(c_, last) != Token::Semi) ++last;
      return blank(c_.token_start[first], token_end(c_, last));
    }
    // A name goes with the comma behind it, or with that before it where none is left behind it.
    for (const Index t : spaces) {
      const bool has_comma = token_at(c_, i64{t} + 1) == Token::Comma;
      blank(c_.token_start[t], token_end(c_, has_comma ? t + 1 : t));
    }
  }
  void blank(u32 begin, u32 end) {
    for (u32 k = begin; k < end; ++k)
      if (text_[k] != '\n' && text_[k] != '\r') text_[k] = ' ';
  }

  const Columns& c_;
  const Library& library_;
  const NeededItems& needed_;
  std::string text_;
  std::unordered_set<std::string> taken_;
  std::map<std::pair<Shared, std::string>, std::string> names_;
  std::vector<std::pair<std::string, std::string>> uses_;  // their texts, and what they give
  std::set<std::string> whole_uses_;                       // paths that the program uses as a whole
  std::set<std::pair<std::string, std::string>> listed_;   // names that its `use` items list
};

}  // namespace

void share_spaces(const Columns& c, Module& module) {
  module.shared.clear();
  if (c.flags[kHoles] != 0) ShareSpaces(c, module).all();
}

std::optional<WrittenOut> write_out_spaces(const Columns& c, std::string_view source,
                                           const Library& library) {
  if (c.nodes == 0 || c.flags[kHoles] == 0 || c.use_items == 0) return std::nullopt;
  const NeededItems needed(c, library);
  if (needed.items().empty()) return std::nullopt;
  return WriteOutSpaces(c, source, library, needed).write();
}

void check_shared_spaces(const Columns& c, const Library& library, std::string& text,
                         std::vector<Diagnostic>& out) {
  if (c.flags[kHoles] == 0 || c.use_items == 0) return;
  const NeededItems needed(c, library);
  if (needed.items().empty()) return;
  for (u32 b = 0; b < c.binds; ++b) {
    const Index i = c.bind_node[b];
    const BindKind kind = c.bind_kind[b];
    const bool hides = kind == BindKind::Constant || kind == BindKind::Constructor ||
                       kind == BindKind::Import ||
                       (kind == BindKind::Function && !is_space(c, c.item[i]));
    if (!hides || module_of(c, i) != 0) continue;
    const std::string name = name_text(c, i);
    // The names of spaces are apart.
    if (kind == BindKind::Import && needed.space(path_of_module(c, c.item_used[c.item[i]]), name))
      continue;
    for (const Shared item : needed.items()) {
      const CopiedItem& what = needed.at(item);
      if (std::ranges::find(what.built_in, name) == what.built_in.end()) continue;
      const std::string whole = library[item.module].path + "." + what.name;
      const auto at = static_cast<u32>(text.size()) + 4;
      text += "\n// " + whole + "\n";
      out.push_back(make_diagnostic(DiagnosticCode::SpaceTakesBuiltin, c.token_start[c.token[i]],
                                    c.token_length[c.token[i]], at,
                                    static_cast<u32>(whole.size())));
      break;
    }
  }
}

}  // namespace komuz::frontend
