// SPDX-License-Identifier: Apache-2.0
// The interface of a module: its items as they are written, with these left out: bodies of functions, and what no
// other program can need (tests, properties, private functions, and `use` items that the interface does not need).
#include <algorithm>

#include "frontend_gpu/expand.h"
#include "frontend_gpu/questions/item_tokens.h"
#include "frontend_gpu/questions/type_form.h"
#include "lang/link/link.h"

namespace komuz::frontend {

namespace {

class MakeInterface {
 public:
  MakeInterface(const Columns& c, const Library& library, Module& module)
      : c_(c), library_(library), module_(module), first_nodes_(find_first_nodes(c)) {
    find_waiting();
  }

  void all() {
    for (Index item = 0; item < c_.items; ++item)
      if (module_of(item) == 0) add(item);
    for (Index item = 0; item < c_.items; ++item)
      if (module_of(item) == 0 && c_.item_kind[item] == ItemKind::Use) add_use(item);
  }

 private:
  // Finds the functions of a harness that need what candidates define. A candidate that called one would call
  // itself.
  void find_waiting() {
    const CodeView code = module_.code.view();
    waiting_.resize(code.functions.size());
    for (size_t f = 0; f < waiting_.size(); ++f)
      waiting_[f] = code.functions[f].kind == FunctionKind::Open && code.functions[f].owner == 0;
    for (bool moved = is_open(code); moved;) {
      moved = false;
      for (size_t f = 0; f < waiting_.size(); ++f)
        for (u32 k = code.functions[f].code_begin; k < code.functions[f].code_end; ++k) {
          const Instruction call = code.instructions[k];
          if (waiting_[f] || call.op != Op::Call || !waiting_[call.a]) continue;
          waiting_[f] = moved = true;
        }
    }
  }
  [[nodiscard]] u32 module_of(Index item) const {
    return c_.modules == 0 ? 0 : u32{c_.item_module[item]};
  }
  [[nodiscard]] std::string_view text_of(Index t) const {
    return {reinterpret_cast<const char*>(c_.source) + c_.token_start[t], c_.token_length[t]};
  }
  // The text of the tokens [first, end), with all that stands between them.
  [[nodiscard]] std::string text_between(Index first, Index end) const {
    const u32 begin = c_.token_start[first];
    return {reinterpret_cast<const char*>(c_.source) + begin,
            c_.token_start[end - 1] + c_.token_length[end - 1] - begin};
  }
  void note_name(Index item, Index node) {
    auto& names = c_.item_public[item] != 0 ? module_.public_names : module_.private_names;
    const std::string_view name = text_of(c_.token[node]);
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }

  void add(Index item) {
    const TokenRange tokens = tokens_of(c_, first_nodes_, item);
    switch (c_.item_kind[item]) {
      case ItemKind::Function: return add_function(item, tokens);
      case ItemKind::Type: note_constructors(item); [[fallthrough]];
      case ItemKind::Constant:
        note_name(item, c_.item_name[item]);
        kept_.push_back(tokens);
        module_.interface.push_back({text_between(tokens.first, tokens.end), 0, false});
        return;
      case ItemKind::Other:
      case ItemKind::Test:
      case ItemKind::Example:
      case ItemKind::Prop:
      case ItemKind::Use:
      case ItemKind::Module: return;
    }
  }
  void add_function(Index item, const TokenRange& tokens) {
    const Index first = tokens.first;
    const Index body = c_.item_body[item];
    if (node_kind(c_, body) == Node::Fn) {  // open: what candidates define is for no other program
      std::string text = text_between(first, tokens.end);
      while (text.ends_with(';')) text.pop_back();
      module_.open.push_back({std::string(text_of(c_.token[c_.item_name[item]])), text});
      return;
    }
    if (waiting_[c_.item_function[item]]) {
      module_.waiting_names.emplace_back(text_of(c_.token[c_.item_name[item]]));
      return;
    }
    note_name(item, c_.item_name[item]);
    if (c_.item_public[item] == 0) return;
    // Of a space, too, the head alone: what it holds is shared in another way (shared_spaces.h).
    const Index end = c_.token[c_.right[body]];
    kept_.push_back({first, end});
    module_.interface.push_back(
        {text_between(first, end) + ";", c_.token_hash[c_.token[c_.item_name[item]]], true});
  }
  void note_constructors(Index item) {
    if (c_.item_result[item] == kNone) return;
    const TypeId type = made_type(c_, item);
    if (!is_tuple(type) || !is_sum(c_, type)) return;
    Alternatives alternatives(c_, type);
    for (Index a = alternatives.next(); a != kNone; a = alternatives.next()) note_name(item, a);
  }

  // True if the interface spells the name so far.
  [[nodiscard]] bool is_needed(Index name) const {
    for (const TokenRange& tokens : kept_)
      for (Index t = tokens.first; t < tokens.end; ++t)
        if (c_.token_hash[t] == c_.token_hash[name] && text_of(t) == text_of(name)) return true;
    return false;
  }
  void add_use(Index item) {
    const TokenRange tokens = tokens_of(c_, first_nodes_, item);
    bool is_used = false;
    std::string path;
    Index last = tokens.first;  // of the path
    for (Index t = tokens.first + 1; t < tokens.end; ++t) {
      const Token kind = token_at(c_, t);
      if (kind == Token::LBrace || kind == Token::Semi) break;
      if (kind == Token::Name) last = t;
    }
    for (Index t = tokens.first + 1; t <= last; ++t) path += text_of(t);
    if (!path.empty() && path.back() == '.') path.pop_back();
    for (Index t = last; t < tokens.end; ++t)
      is_used |= token_at(c_, t) == Token::Name && is_needed(t);
    const u32 other = library_.find(path);
    if (!is_used || other == kNoModule) return;
    module_.interface.push_back({text_between(tokens.first, tokens.end), 0, false});
    module_.interface_uses.push_back(other);
  }

  const Columns& c_;
  const Library& library_;
  Module& module_;
  std::vector<Index> first_nodes_;
  std::vector<bool> waiting_;  // for each function
  std::vector<TokenRange> kept_;
};

}  // namespace

void make_interface(const Columns& c, const Library& library, Module& module) {
  MakeInterface(c, library, module).all();
}

}  // namespace komuz::frontend
