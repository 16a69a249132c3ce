// SPDX-License-Identifier: Apache-2.0
#include "services/complete.h"

#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/completion/place.h"
#include "services/completion/question.h"
#include "services/completion/sources.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {

namespace {

// Stand-ins for the word. No program has such names, and the front end reports what it wants in place of such a hole.
constexpr std::string_view kName = "word_to_complete_", kHole = "?word_to_complete_";

class Complete {
 public:
  Complete(Analysis& analysis, const WordAt& word)
      : analysis_(analysis), question_(analysis.scratch()), word_(word), begin_(word.begin) {}

  Completions operator()() {
    Completions out;
    if (word_.is_hole) {
      Candidates found = candidates("");
      add_hole_names(analysis_, begin_ - 1, found);
      out.is_specific = true;
      out.list = found.take();
      return out;
    }
    if (takes_new_name(analysis_, begin_)) return out;
    if (const Index range = grid_around(analysis_, begin_); range != kNone) {
      Candidates found = candidates("");
      add_grid_options(analysis_, range, found);
      out.is_specific = true;
      out.list = found.take();
      return out;
    }
    read_with_name(analysis_, word_, kName, question_);
    if (const Index path = path_start(); path != kNone) {
      Candidates found = candidates("");
      out.is_listed = complete_use(path, found);
      out.is_specific = true;
      out.list = found.take();
      return out;
    }
    if (Candidates found = candidates(""); complete_path(found, out)) {
      out.is_specific = true;
      out.list = found.take();
      return out;
    }
    if (is_behind_operand(analysis_, begin_)) {
      // `let x = a ` and no more: a value cannot follow there.
      Candidates found = candidates("");
      add_infix_words(analysis_, word_.begin, word_.end, question_, found);
      out.list = found.take();
      return out;
    }
    find_node();
    if (begins_arm(analysis_, begin_) && !is_in_arm() &&
        !read_as_pattern(analysis_, word_, kName, question_))
      read_with_name(analysis_, word_, kName, question_);
    find_node();
    const bool is_lost =
        node_ == kNone || (behind_dot(node_) == kNone && module_before(node_) == kNone);
    if (is_behind_dot() && is_lost) {
      // The item ends here so far.
      read_with_name(analysis_, word_, kName, question_, {"", open_brackets(analysis_, begin_)});
      find_node();
    }
    if (is_unknown()) complete_line();
    const bool in_type = is_in_type(question_, begin_);
    out.expected = wanted_type();
    if (function_) out.expected = function_->text();
    // Names that are visible from the hole are visible from the name.
    if (out.expected.empty() && !in_type) read_with_name(analysis_, word_, kName, question_);
    Candidates found = candidates(out.expected);
    complete_at(question_.token_around(begin_), found);
    out.is_specific = in_type || !out.expected.empty() || is_behind_opening();
    out.takes_values = takes_values_;
    out.takes_types = takes_types_;
    out.is_member = is_member_;
    if (follows_operand()) add_infix_words(analysis_, word_.begin, word_.end, question_, found);
    out.list = found.take();
    return out;
  }

 private:
  void find_node() {
    const Index token = question_.token_around(begin_);
    node_ = token == kNone ? kNone : question_.node_of(token);
  }
  [[nodiscard]] bool is_in_arm() const {
    return node_ != kNone && frontend::is_in_arm(frontend::node_context(columns(), node_));
  }
  [[nodiscard]] bool is_behind_dot() const {
    const Index before = token_before();
    return before != kNone && written(before) == Token::Dot;
  }
  // True if the front end cannot tell what the name is. After a `.` the value before it decides.
  [[nodiscard]] bool is_unknown() const {
    if (node_ == kNone) return true;
    return !is_behind_dot() && frontend::node_context(columns(), node_) == Context::Skipped;
  }
  // A declaration may lack its second half.
  void complete_line() {
    if (!read_as_type(analysis_, word_, kName, question_))
      read_with_name(analysis_, word_, kName, question_);
    find_node();
  }
  [[nodiscard]] const Columns& columns() const { return question_.columns(); }
  [[nodiscard]] Candidates candidates(std::string_view expected) const {
    return {word_.prefix, expected, function_, scalars_};
  }
  [[nodiscard]] Index token_before() const { return services::token_before(analysis_, begin_); }
  [[nodiscard]] Token written(Index t) const { return frontend::word_at(analysis_.written(), t); }

  // True between items: behind the end of an item, outside of all brackets.
  [[nodiscard]] bool is_between_items() const {
    const Index before = token_before();
    if (before == kNone || written(before) == Token::Pub) return true;
    if (written(before) != Token::RBrace && written(before) != Token::Semi) return false;
    i32 depth = 0;
    for (Index t = before + 1; t-- > 0;) {
      const Act act = token_row(written(t)).act;
      depth += act == Act::Close;
      depth -= act == Act::Paren || act == Act::Brace;
      if (act == Act::Item && (analysis_.written().token_kind[t] & kFirstOnLine) != 0) break;
      if (depth < 0) return false;
    }
    return depth == 0;
  }
  // True if the word follows an opening bracket or a `.`.
  [[nodiscard]] bool is_behind_opening() const {
    const Index before = token_before();
    if (before == kNone) return false;
    const Token token = written(before);
    return token == Token::Dot || token_row(token).act == Act::Paren;
  }
  // True if the word follows a value, so that an infix word may come.
  [[nodiscard]] bool follows_operand() const {
    const Index before = token_before();
    return before != kNone && !is_between_items() && token_row(written(before)).ends != Ends::No;
  }
  // The token of the `use` whose path or list contains the word; kNone if there is none.
  [[nodiscard]] Index path_start() const {
    for (Index t = token_before(); t != kNone && t < analysis_.written_tokens(); --t) {
      switch (written(t)) {
        case Token::Use: return t;
        case Token::Name:
        case Token::Dot:
        case Token::Comma:
        case Token::LBrace: continue;
        default: return kNone;
      }
    }
    return kNone;
  }
  // True: between the braces behind the path.
  bool complete_use(Index use, Candidates& out) const {
    const Columns& c = analysis_.written();
    std::string path;
    for (Index t = use + 1; t < analysis_.written_tokens() && c.token_start[t] < begin_; ++t) {
      if (written(t) == Token::LBrace) {
        if (path.ends_with('.')) path.pop_back();
        static_cast<void>(add_names_of(analysis_.library(), path, out));
        return true;
      }
      path += text_of_token(c, t);
    }
    add_module_paths(analysis_.library(), path, out);
    if (path.ends_with('.') && is_module(analysis_.library(), path.substr(0, path.size() - 1)))
      out.add({std::string(token_row(Token::LBrace).spelling), NameKind::Keyword, "", "", ""},
              Nearness::Word);
    return false;
  }

  // Completes names of a module that nothing imports, `std.math.` or `math.`: a message then names the `use` that is
  // needed. False: the word does not follow such a path.
  [[nodiscard]] bool complete_path(Candidates& out, Completions& answer) const {
    const Columns& c = analysis_.written();
    Index first = token_before();
    if (first == kNone || written(first) != Token::Dot) return false;
    std::string path;
    for (;; first -= 2) {
      if (first == 0 || frontend::word_at(c, first - 1) != Token::Name) return false;
      path.insert(0, std::string(text_of_token(c, first - 1)) + (path.empty() ? "" : "."));
      if (first == 1 || written(first - 2) != Token::Dot) break;
    }
    const Index token = question_.token_around(c.token_start[first - 1]);
    const Index node = token == kNone ? kNone : question_.node_of(token);
    if (node != kNone && symbol_of(question_, node).kind != Symbol::Kind::None) return false;
    const u32 start = c.token_start[first - 1];
    if (add_names_of(analysis_.library(), path, out)) return note_missing(path, start, answer);
    if (path.find('.') != std::string::npos) return false;
    if (path == "std") return add_module_paths(analysis_.library(), "std.", out), true;
    const std::string standard = "std." + path;
    return add_names_of(analysis_.library(), standard, out) &&
           note_missing(standard, start, answer);
  }
  // `start`: where its path is spelled.
  bool note_missing(const std::string& module, u32 start, Completions& answer) const {
    const Columns& c = analysis_.written();
    const u32 text_begin = analysis_.in_program(0);
    Index last = token_before();
    while (last != kNone && last > 0 && frontend::word_at(c, last) != Token::Name) --last;
    if (last == kNone || start < text_begin) return true;
    answer.missing_module = module;
    answer.missing_begin = start - text_begin;
    answer.missing_end = c.token_start[last] - text_begin;
    return true;
  }

  // The type wanted from a hole in place of the word, or from the constructor's field.
  std::string wanted_type() {
    if (node_ == kNone) return "";
    const Columns& c = columns();
    const Context context = frontend::node_context(c, node_);
    if (frontend::is_in_arm(context)) {
      const std::string type = pattern_type();
      return type.empty() ? scrutinee_type() : type;
    }
    if (frontend::name_role(context) != frontend::NameRole::Value &&
        frontend::name_role(context) != frontend::NameRole::Callee)
      return "";
    if (module_before(node_) != kNone || behind_dot(node_) != kNone) return "";
    read_with_name(analysis_, word_, kHole, question_);
    const Index token = question_.token_around(begin_);
    const Index hole = token == kNone ? kNone : question_.node_of(token);
    if (hole == kNone || frontend::node_kind(columns(), hole) != Node::Hole) return "";
    const frontend::TypeId wanted = columns().want[hole];
    function_ = wanted_function(columns(), hole);
    scalars_ = wanted_scalars(columns(), hole);
    if (wants_index(columns(), hole)) return std::string(scalar_name(Scalar::I64));
    if (!frontend::is_value(wanted) || wanted == frontend::kTypeUnit) return "";
    return frontend::written_type(columns(), wanted);
  }
  // The type of what a name in the place of the word would be bound to.
  [[nodiscard]] std::string pattern_type() const {
    const Columns& c = columns();
    for (u32 b = 0; b < c.binds; ++b)
      if (c.bind_node[b] == node_)
        return frontend::is_value(c.bind_type[b]) ? frontend::written_type(c, c.bind_type[b]) : "";
    return "";
  }
  // The type of the `match` in whose arm the word is a pattern.
  [[nodiscard]] std::string scrutinee_type() const {
    const Columns& c = columns();
    for (Index above = frontend::parent_of(c, node_); above != kNone;
         above = frontend::parent_of(c, above)) {
      if (frontend::node_kind(c, above) != Node::Body || c.left[above] == kNone) continue;
      const Index head = c.left[above];
      if (frontend::node_kind(c, head) != Node::Match || c.right[head] == kNone) return "";
      return frontend::written_type(c, c.type[c.right[head]]);
    }
    return "";
  }

  // The value left of the `.` before the name; kNone if there is no `.`.
  [[nodiscard]] Index behind_dot(Index name) const {
    const Columns& c = columns();
    const Index dot = frontend::parent_of(c, name);
    const bool is_behind = dot != kNone && frontend::node_kind(c, dot) == Node::Dot &&
                           c.right[dot] == name && c.left[dot] != kNone;
    return is_behind ? Index{c.left[dot]} : kNone;
  }
  // The binding of the module whose name precedes the `.`; kNone if there is none.
  [[nodiscard]] Index module_before(Index name) const {
    const Index token = columns().token[name];
    if (token < 2 || frontend::token_at(columns(), token - 1) != Token::Dot) return kNone;
    const Symbol symbol = symbol_of(question_, question_.node_of(token - 2));
    const bool is_module = symbol.kind == Symbol::Kind::Binding &&
                           columns().bind_kind[symbol.number] == BindKind::Module;
    return is_module ? symbol.number : kNone;
  }

  void complete_at(Index token, Candidates& out) {
    if (is_between_items()) {
      const Index before = token_before();
      const bool is_public = before != kNone && written(before) == Token::Pub;
      return is_public ? add_public_words(out) : add_item_words(out);
    }
    node_ = token == kNone ? kNone : question_.node_of(token);
    if (node_ == kNone) return complete_anywhere(out);
    const Columns& c = columns();
    if (const Index binding = module_before(node_); binding != kNone) {
      const Module* const module = question_.find_module(frontend::module_used(c, binding));
      if (module != nullptr) add_module_names(*module, out);
      return;
    }
    if (const Index value = behind_dot(node_); value != kNone) {
      is_member_ = true;
      return add_members(question_, value, out);
    }
    const Context context = frontend::node_context(c, node_);
    if (context == Context::Skipped) return complete_anywhere(out);
    if (frontend::is_in_arm(context) || frontend::is_pattern_use(context)) {
      out.leave_out_others();
      return add_patterns(question_, node_, out);
    }
    switch (frontend::name_role(context)) {
      case frontend::NameRole::Type: takes_types_ = true; return add_types(question_, node_, out);
      case frontend::NameRole::Bind: return;  // a new name
      case frontend::NameRole::Label:
        if (context == Context::ArgName) add_labels(question_, frontend::parent_of(c, node_), out);
        return;
      case frontend::NameRole::Value:
      case frontend::NameRole::Base:
      case frontend::NameRole::Target:
      case frontend::NameRole::Updated:
      case frontend::NameRole::Callee:
      case frontend::NameRole::Bound: break;
    }
    if (context == Context::Args) add_labels(question_, node_, out);
    takes_values_ = true;
    add_values(question_, node_, out);
    add_words(context, out);
  }
  // If the place is unknown, completes as for a statement.
  void complete_anywhere(Candidates& out) {
    const Columns& c = columns();
    Index node = 0;
    while (node + 1 < c.nodes && c.token_start[c.token[node + 1]] <= begin_) ++node;
    if (c.nodes == 0) return add_item_words(out);
    takes_values_ = true;
    add_values(question_, node, out);
    add_words(Context::Statement, out);
  }

  Analysis& analysis_;
  Analysis& question_;
  const WordAt& word_;
  u32 begin_;
  Index node_ = kNone;
  std::optional<WantedFunction> function_;  // in the place of the word
  TypeSet scalars_ = 0;                     // of a built-in function's argument
  bool takes_values_ = false, takes_types_ = false, is_member_ = false;
};

Completions nothing_at(u32 place) {
  Completions out;
  out.begin = out.end = place;
  return out;
}

}  // namespace

Completions complete(Analysis& analysis, u32 place) {
  const u32 byte = analysis.in_program(place), first = analysis.in_program(0);
  const WordAt word = word_at(analysis, byte);
  if (!word.is_open || word.begin < first) return nothing_at(byte - first);
  Completions out = Complete(analysis, word)();
  out.begin = word.begin - first;
  out.end = word.end - first;
  return out;
}

}  // namespace komuz::services
