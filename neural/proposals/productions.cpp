// SPDX-License-Identifier: Apache-2.0
#include "neural/proposals/productions.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "lang/tokens.h"

namespace komuz::neural {
namespace {

using enum ProposedOperation;

struct SourceToken {
  Token kind;
  u32 begin;
  std::string_view text;
};

std::vector<SourceToken> tokens_of(const std::string& source) {
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(source));
  const frontend::Columns& c = lexer.columns();
  std::vector<SourceToken> tokens;
  for (frontend::Index t = 0; t < c.tokens; ++t)
    tokens.push_back({frontend::token_at(c, t), c.token_start[t],
                      std::string_view(source).substr(c.token_start[t], c.token_length[t])});
  return tokens;
}

// Functions that are one operation.
struct FunctionRow {
  std::string_view name;
  ProposedOperation operation;
};
constexpr FunctionRow kFunctions[] = {
    {"div0", Div}, {"aq", Div},  {"sqrt", Sqrt}, {"sqrt0", Sqrt}, {"exp", Exp},   {"log", Log},
    {"log0", Log}, {"sin", Sin}, {"cos", Cos},   {"tanh", Tanh},  {"asin", Asin},
};
std::optional<ProposedOperation> function_named(std::string_view name) {
  const auto* const row = std::ranges::find(kFunctions, name, &FunctionRow::name);
  if (row == std::end(kFunctions)) return std::nullopt;
  return row->operation;
}

// What an operand of each operation is in; Div has two.
constexpr ProposalPlace kPlaces[kProposedOperations] = {
    ProposalPlace::Root,   ProposalPlace::Mul,    ProposalPlace::Numerator, ProposalPlace::Add,
    ProposalPlace::Sub,    ProposalPlace::Square, ProposalPlace::Sqrt,      ProposalPlace::Exp,
    ProposalPlace::ExpNeg, ProposalPlace::Log,    ProposalPlace::Sin,       ProposalPlace::Cos,
    ProposalPlace::Tanh,   ProposalPlace::Asin};

class ProductionLister {
 public:
  explicit ProductionLister(const engine::SketchProgram& program)
      : sketch_(program.plan.sketch()), tokens_(tokens_of(program.source)) {
    out_.of_holes.resize(sketch_.holes.size());
    out_.of_spaces.resize(sketch_.spaces.size());
    out_.places.resize(sketch_.holes.size());
    find_holes_of_program();
  }

  Productions list() {
    for (u32 s = 0; s < sketch_.spaces.size(); ++s)
      for (const Alternative& alternative : sketch_.spaces[s].alternatives)
        out_.of_spaces[s].of.push_back(read(alternative.span, s));
    for (u32 h = 0; h < sketch_.holes.size(); ++h)
      for (const Alternative& alternative : sketch_.holes[h].alternatives)
        out_.of_holes[h].of.push_back(read(alternative.span, sketch_.holes[h].within));
    return std::move(out_);
  }

 private:
  [[nodiscard]] size_t token_at(u32 byte) const {
    return static_cast<size_t>(std::ranges::lower_bound(tokens_, byte, {}, &SourceToken::begin) -
                               tokens_.begin());
  }
  // A function whose body is a hole alone: the hole is all of a formula.
  void find_holes_of_program() {
    for (u32 h = 0; h < sketch_.holes.size(); ++h) {
      const Hole& hole = sketch_.holes[h];
      const size_t first = token_at(hole.span.begin), behind = token_at(hole.span.end);
      if (hole.within == kNoSpace && first > 0 && behind < tokens_.size() &&
          tokens_[first - 1].kind == Token::LBrace && tokens_[behind].kind == Token::RBrace)
        out_.places[h] = {ProposalPlace::Root};
    }
  }

  // An alternative, of which `space` is the space around it. Also says where the holes in it are.
  Production read(SketchSpan span, u32 space) {
    Production out;
    std::vector<size_t> own;  // tokens
    u32 hole = first_hole(span.begin);
    for (size_t t = token_at(span.begin); t < tokens_.size() && tokens_[t].begin < span.end;) {
      while (hole < sketch_.holes.size() && sketch_.holes[hole].span.end <= tokens_[t].begin)
        ++hole;
      if (hole < sketch_.holes.size() && sketch_.holes[hole].span.begin <= tokens_[t].begin &&
          contains(span, sketch_.holes[hole].span)) {
        out.holes.push_back(hole);
        const u32 end = sketch_.holes[hole].span.end;
        while (t < tokens_.size() && tokens_[t].begin < end) ++t;
        continue;
      }
      own.push_back(t++);
    }
    find_operations(own, out);
    find_variable(own, space, out);
    place_holes(own, out);
    return out;
  }
  [[nodiscard]] u32 first_hole(u32 byte) const {
    u32 hole = 0;
    while (hole < sketch_.holes.size() && sketch_.holes[hole].span.begin < byte) ++hole;
    return hole;
  }
  void find_operations(const std::vector<size_t>& own, Production& out) const {
    const auto add = [&](ProposedOperation operation, size_t t) {
      out.operations.push_back(operation);
      out.places_of_operations.push_back(tokens_[t].begin);
    };
    for (size_t k = 0; k < own.size(); ++k) {
      const size_t t = own[k];
      const Token next = t + 1 < tokens_.size() ? tokens_[t + 1].kind : Token::Semi;
      switch (tokens_[t].kind) {
        case Token::Star: add(Mul, t); break;
        case Token::Slash: add(Div, t); break;
        case Token::Plus: add(Add, t); break;
        case Token::Minus: {
          const Ends before = t == 0 ? Ends::No : token_row(tokens_[t - 1].kind).ends;
          if (before == Ends::Yes)
            add(Sub, t);
          else if (!out.operations.empty() && out.operations.back() == Exp)
            out.operations.back() = ExpNeg;
          else if (next != Token::Float && next != Token::Int)
            out.is_unknown = true;
          break;
        }
        case Token::Name:
          if (next != Token::LParen) break;
          if (const auto known = function_named(tokens_[t].text))
            add(*known, t);
          else
            out.is_unknown = true;
          break;
        case Token::Int:
        case Token::Float:
        case Token::LParen:
        case Token::RParen:
        case Token::LBrace:
        case Token::RBrace:
        case Token::Comma:
        case Token::Semi:
        case Token::Let:
        case Token::Assign: break;
        default: out.is_unknown = true;
      }
    }
    // A value, bound once, times itself.
    const bool has_let =
        std::ranges::any_of(own, [&](size_t t) { return tokens_[t].kind == Token::Let; });
    if (has_let && out.operations == std::vector{Mul} && out.holes.size() == 1)
      out.operations[0] = Square;
  }
  void find_variable(const std::vector<size_t>& own, u32 space, Production& out) const {
    if (!out.operations.empty() || !out.holes.empty() || out.is_unknown) return;
    if (own.size() == 1 && space != kNoSpace) {
      const std::vector<SpaceParameter>& parameters = sketch_.spaces[space].parameters;
      const auto is_it = [&](const SpaceParameter& parameter) {
        return parameter.name == tokens_[own[0]].text;
      };
      const auto found = std::ranges::find_if(parameters, is_it);
      if (found != parameters.end()) {
        out.parameter = static_cast<u32>(found - parameters.begin());
        return;
      }
    }
    // Outside of spaces a name may be anything.
    const bool has_name =
        std::ranges::any_of(own, [&](size_t t) { return tokens_[t].kind == Token::Name; });
    out.is_unknown = space == kNoSpace && has_name;
    out.is_constant = !out.is_unknown;
  }
  // The places of the holes of an alternative, by its operations.
  void place_holes(const std::vector<size_t>& own, const Production& production) {
    if (production.is_unknown) return;
    for (const u32 hole : production.holes)
      for (size_t k = 0; k < production.operations.size(); ++k) {
        ProposalPlace place = kPlaces[static_cast<size_t>(production.operations[k])];
        if (production.operations[k] == Div &&
            sketch_.holes[hole].span.begin > divisor(own, production.places_of_operations[k]))
          place = ProposalPlace::Denominator;
        std::vector<ProposalPlace>& places = out_.places[hole];
        if (std::ranges::find(places, place) == places.end()) places.push_back(place);
      }
  }
  // Where the divisor begins: behind a `/`, or behind the first comma of a function.
  [[nodiscard]] u32 divisor(const std::vector<size_t>& own, u32 operation) const {
    bool is_behind = false;
    for (const size_t t : own) {
      is_behind = is_behind || tokens_[t].begin == operation;
      if (is_behind && (tokens_[t].kind == Token::Slash || tokens_[t].kind == Token::Comma))
        return tokens_[t].begin;
    }
    return ~u32{0};
  }

  const Sketch& sketch_;
  std::vector<SourceToken> tokens_;
  Productions out_;
};

}  // namespace

Productions list_productions(const engine::SketchProgram& sketch) {
  return ProductionLister(sketch).list();
}

}  // namespace komuz::neural
