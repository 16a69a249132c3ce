// SPDX-License-Identifier: Apache-2.0
#include "tests/services/relayout.h"

#include "base/random.h"
#include "services/format/tree.h"

namespace komuz::test {

using services::Index;
using services::kNone;
using services::Tree;

namespace {

class Writer {
 public:
  Writer(const Tree& tree, std::string_view source, u64 seed, Relayout kind)
      : tree_(tree), source_(source), random_(seed), kind_(kind) {}

  std::string write() {
    const frontend::Columns& c = tree_.c;
    for (Index t = 0; t < c.tokens; ++t) {
      if (t > 0) gap(t);
      if (drops_semicolon(t)) {
        needs_line_ = true;
        continue;
      }
      const std::string text(source_.substr(c.token_start[t], c.token_length[t]));
      const bool groups = is_lone_number(t) && random_.one_in(6);
      out_ += groups ? "(" + text + ")" : text;
    }
    if (random_.one_in(2)) out_ += "\n";
    return out_;
  }

 private:
  [[nodiscard]] u32 end_of(Index t) const {
    return tree_.c.token_start[t] + tree_.c.token_length[t];
  }

  // Is it an operand of an operator, or an argument? A field's number, and what stands behind
  // words such as `rec`, is not.
  [[nodiscard]] bool is_lone_number(Index t) const {
    const Token kind = tree_.token(t);
    if (kind != Token::Int && kind != Token::Float) return false;
    switch (tree_.kind(tree_.parent(tree_.node_of(t)))) {
      case Node::Comma:
      case Node::Assign:
      case Node::Add:
      case Node::Mul:
      case Node::Lt:
      case Node::Paren: return true;
      default: return false;
    }
  }
  // A line end says the same, unless the next statement starts with a `-` or a bracket.
  [[nodiscard]] bool drops_semicolon(Index t) {
    const Index i = tree_.node_of(t);
    if (tree_.kind(i) != Node::Semi || t + 1 >= tree_.c.tokens) return false;
    const Index around = tree_.kind(tree_.parent(i)) == Node::Semi ? kNone : tree_.parent(i);
    if (tree_.kind(around) == Node::Bracket) return false;
    switch (token_row(tree_.token(t + 1)).act) {
      case Act::Operand:
      case Act::If:
      case Act::Paren:
      case Act::Item: return random_.one_in(3);
      case Act::Minus:
      case Act::Brace:
      case Act::Close:
      case Act::Separator:
      case Act::Range:
      case Act::Infix:
      case Act::Foreign: return false;
    }
    return false;
  }
  // The meaning that a line end before it would have.
  [[nodiscard]] bool may_start_line(Index t) const {
    const Token kind = tree_.token(t);
    // A name such as `space` may start an item where it starts a line.
    const bool may_be_word = is_contextual(kind) && tree_.kind_of(t) == Node::Name;
    return kind != Token::LParen && kind != Token::LBracket && !may_be_word &&
           tree_.kind_of(t) != Node::Guard;
  }
  [[nodiscard]] bool has_to_start_line(Index t) const {
    const Act act = token_row(tree_.token(t)).act;
    return act == Act::Item || act == Act::Minus || act == Act::Range ||
           tree_.token(t) == Token::Pub || tree_.kind_of(t) == Node::Name;
  }

  void gap(Index t) {
    const frontend::Columns& c = tree_.c;
    const bool touches = c.token_start[t] == end_of(t - 1);
    const bool has_line = (c.token_kind[t] & kFirstOnLine) != 0;
    const bool line = needs_line_ || (has_line && has_to_start_line(t)) ||
                      (may_start_line(t) && random_.one_in(5));
    needs_line_ = false;
    const bool comments = kind_ == Relayout::Comments && (line || may_start_line(t));
    if (comments && random_.one_in(12)) {
      comment(random_.one_in(2) ? " " : "\n\n");
      if (random_.one_in(3)) comment("\n");
      out_ += random_.one_in(3) ? "\n\n" : "\n";
      return;
    }
    if (line)
      out_ += random_.one_in(3) ? "\n\n\t" : "  \n ";
    else if (!touches || random_.one_in(5))
      out_ += random_.one_in(4) ? "   \t" : " ";
  }
  void comment(std::string_view lead) {
    out_ += std::string(lead) + "// note " + std::to_string(notes_++);
  }

  const Tree& tree_;
  std::string_view source_;
  Random random_;
  Relayout kind_;
  std::string out_;
  bool needs_line_ = false;
  u32 notes_ = 0;
};

}  // namespace

std::string relayout(frontend::Compiler& compiler, std::string_view source, u64 seed,
                     Relayout kind) {
  frontend::Compilation compilation;
  compiler.compile(source, compilation);
  const Tree tree(compiler.columns());
  return Writer(tree, source, seed, kind).write();
}

}  // namespace komuz::test
