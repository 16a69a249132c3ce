// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/encode/encode.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "engine/sketch/encode/terms.h"
#include "engine/sketch/grid/grid_points.h"
#include "engine/sketch/grid/real_points.h"
#include "engine/support/shown.h"
#include "frontend_gpu/view.h"

namespace komuz::engine {
namespace {

constexpr u32 kNothing = ~u32{0};
constexpr f64 kRounding = 1e-14;  // of numbers of terms, as a share
// More would take longer than what they are for.
constexpr size_t kMostGoals = 200'000, kMostTerms = 50'000;

// What a place of the sketch is to give.
struct Goal {
  u32 term = 0;
  u32 place = 0;  // a node of the sketch's tree
  u32 depth = 0;  // how deeply the space around it may still nest
  auto operator<=>(const Goal&) const = default;
};
// What a hole is decided to be, and the solution inside of its space.
struct DecidedHole {
  u32 hole = 0, way = 0, inside = kNothing;
};
struct Solution {
  bool is_found = false;
  u32 cost = 0;  // decisions
  std::vector<DecidedHole> holes;
};

// The point of a grid of f64 that a number is, but for the rounding of terms.
std::optional<u32> point_of(const Grid& grid, f64 number) {
  if (grid.type != Scalar::F64) return std::nullopt;
  if (grid.is_real) return nearest_real_point(number);
  const GridPoints points(grid);
  const auto value = [&](u64 point) { return std::bit_cast<f64>(points.at(point)); };
  const bool falls = value(0) > value(grid.points - 1);
  u64 first = 0, end = grid.points;  // the first point that is not before the number
  while (first < end) {
    const u64 middle = first + (end - first) / 2;
    if (falls ? value(middle) > number : value(middle) < number)
      first = middle + 1;
    else
      end = middle;
  }
  for (u64 point = first == 0 ? 0 : first - 1; point <= first && point < grid.points; ++point)
    if (std::fabs(value(point) - number) <= kRounding * std::fabs(number))
      return static_cast<u32>(point);
  return std::nullopt;
}

class Matcher {
 public:
  Matcher(const SketchProgram& sketch, const FormulaTree& tree, Terms& terms)
      : sketch_(sketch), tree_(tree), terms_(terms), fixed_(terms.of_tree(tree)) {}

  // Goals ask for others first: those lie above them on a stack. None: there is no solution.
  [[nodiscard]] const Solution* solve(const Goal& goal) {
    std::vector<Goal> open = {goal};
    while (!open.empty()) {
      if (solutions_.size() > kMostGoals || terms_.size() > kMostTerms) return nullptr;
      const Goal next = open.back();
      const auto [place, is_new] = numbers_.emplace(next, static_cast<u32>(solutions_.size()));
      if (is_new) {
        // While it is open, it is no part of its own solution.
        solutions_.emplace_back();
        is_known_.push_back(false);
      }
      const u32 number = place->second;
      if (is_known_[number]) {
        open.pop_back();
        continue;
      }
      missing_.reset();
      Solution found = attempt(next);
      if (missing_) {
        open.push_back(*missing_);
        continue;
      }
      solutions_[number] = std::move(found);
      is_known_[number] = true;
      open.pop_back();
    }
    const Solution& found = solutions_[numbers_.at(goal)];
    return found.is_found ? &found : nullptr;
  }
  // Lists the decisions of a solution for the program. A choice or a number whose value is not used takes its first
  // way. False: one of several places differs, or the value of a space is not used.
  [[nodiscard]] bool list(const Solution& solution, Decisions& out) const;

 private:
  // The solution of another goal; none: it has none, or is not known yet.
  const Solution* ask(const Goal& goal, u32* number = nullptr) {
    if (missing_) return nullptr;
    const auto known = numbers_.find(goal);
    if (known == numbers_.end()) {
      missing_ = goal;
      return nullptr;
    }
    if (number != nullptr) *number = known->second;
    const Solution& found = solutions_[known->second];
    return is_known_[known->second] && found.is_found ? &found : nullptr;
  }
  Solution attempt(const Goal& goal);
  Solution decide(const Goal& goal, const FormulaNode& node);
  Solution take_all(std::span<const Goal> goals);
  // The number in a sum, and what is left of it.
  std::pair<u32, u32> parted_by_constant(u32 term);
  [[nodiscard]] bool is_same(u32 a, u32 b) const;
  [[nodiscard]] bool is_part_of(u32 part, u32 product);
  Solution take_other(const Goal& goal, const FormulaNode& node, bool is_left);
  Solution part_sum(const Goal& goal, const FormulaNode& node);
  Solution part_product(const Goal& goal, const FormulaNode& node);
  Solution part_quotient(const Goal& goal, const FormulaNode& node);
  Solution take_root(const Goal& goal, const FormulaNode& node);
  Solution take_call(const Goal& goal, const FormulaNode& node, std::string_view name);
  [[nodiscard]] bool is_number_hole(u32 place) const {
    const FormulaNode& node = tree_.nodes[place];
    return node.kind == FormulaKind::Hole && hole(node.hole).form == HoleForm::Grid;
  }
  [[nodiscard]] static bool expands(const Hole& hole) {
    return hole.form == HoleForm::Expansion || hole.form == HoleForm::Nested;
  }
  [[nodiscard]] const Hole& hole(u32 number) const { return sketch_.plan.sketch().holes[number]; }

  const SketchProgram& sketch_;
  const FormulaTree& tree_;
  Terms& terms_;
  const std::vector<u32> fixed_;  // the terms of places without holes; Terms::kNone: they have some
  std::map<Goal, u32> numbers_;
  std::vector<Solution> solutions_;
  std::vector<bool> is_known_;
  std::optional<Goal> missing_;
};

Solution Matcher::take_all(std::span<const Goal> goals) {
  Solution out;
  for (const Goal& goal : goals) {
    const Solution* const one = ask(goal);
    if (one == nullptr) return {};
    out.cost += one->cost;
    out.holes.insert(out.holes.end(), one->holes.begin(), one->holes.end());
  }
  out.is_found = true;
  return out;
}

Solution Matcher::attempt(const Goal& goal) {
  if (goal.place == FormulaTree::kNone) return {};
  const FormulaNode& node = tree_.nodes[goal.place];
  Solution nothing;
  nothing.is_found = true;
  const auto fixed = [&](u32 place) { return fixed_[place] != Terms::kNone; };
  if (fixed(goal.place)) return is_same(goal.term, fixed_[goal.place]) ? nothing : Solution();
  switch (node.kind) {
    case FormulaKind::Add:
    case FormulaKind::Sub:
    case FormulaKind::Mul:
    case FormulaKind::Div:
      if (fixed(node.operands[0]) || fixed(node.operands[1]))
        return take_other(goal, node, fixed(node.operands[1]));
      break;
    default: break;
  }
  switch (node.kind) {
    case FormulaKind::Neg: {
      const Goal one[] = {{terms_.scaled(goal.term, -1), node.operands[0], goal.depth}};
      return take_all(one);
    }
    case FormulaKind::Add:
    case FormulaKind::Sub: return part_sum(goal, node);
    case FormulaKind::Mul: return part_product(goal, node);
    case FormulaKind::Div: return part_quotient(goal, node);
    case FormulaKind::Pow: return take_root(goal, node);
    case FormulaKind::Call:
    case FormulaKind::If: return take_call(goal, node, node.text);
    case FormulaKind::Hole: return decide(goal, node);
    case FormulaKind::Number:
    case FormulaKind::Name:
    case FormulaKind::Other: break;
  }
  return {};
}

bool Matcher::is_same(u32 a, u32 b) const {
  if (a == b) return true;
  const FormulaTerm &x = terms_[a], &y = terms_[b];
  return x.kind == TermKind::Number && y.kind == TermKind::Number &&
         std::fabs(x.number - y.number) <= kRounding * std::fabs(y.number);
}

// True if what is left of a product without the part has no divisor that the product lacks.
bool Matcher::is_part_of(u32 part, u32 product) {
  const auto bare = [](const FormulaTerm& one, u32 term) {
    return one.kind == TermKind::Product ? one.factors : std::vector<TermFactor>{{term, 1}};
  };
  if (terms_[part].kind == TermKind::Number) return terms_[part].number != 0;
  const std::vector<TermFactor> all = bare(terms_[product], product);
  return std::ranges::all_of(bare(terms_[part], part), [&](const TermFactor& factor) {
    const auto own = std::ranges::find(all, factor.term, &TermFactor::term);
    return own != all.end() &&
           (factor.power > 0 ? own->power >= factor.power : own->power <= factor.power);
  });
}

// One operand has no holes: what the other one has to give. `is_left`: the other one is the left one.
Solution Matcher::take_other(const Goal& goal, const FormulaNode& node, bool is_left) {
  const u32 fixed = fixed_[node.operands[is_left ? 1 : 0]];
  const auto sum_of = [&](u32 a, u32 b) {
    const u32 both[] = {a, b};
    return terms_.sum(both);
  };
  const auto product_of = [&](u32 a, u32 b) {
    const u32 both[] = {a, b};
    return terms_.product(both);
  };
  u32 other = Terms::kNone;
  switch (node.kind) {
    case FormulaKind::Add: other = sum_of(goal.term, terms_.scaled(fixed, -1)); break;
    case FormulaKind::Sub:
      other = is_left ? sum_of(goal.term, fixed) : sum_of(fixed, terms_.scaled(goal.term, -1));
      break;
    case FormulaKind::Mul:
      if (!is_part_of(fixed, goal.term)) return {};
      other = product_of(goal.term, terms_.power(fixed, -1));
      break;
    default:
      if (terms_[goal.term].kind == TermKind::Number && terms_[goal.term].number == 0) return {};
      other =
          is_left ? product_of(goal.term, fixed) : product_of(fixed, terms_.power(goal.term, -1));
      break;
  }
  // A sum that only grows is none of the fixed one.
  const bool is_sum = node.kind == FormulaKind::Add || node.kind == FormulaKind::Sub;
  if (is_sum && terms_[fixed].kind != TermKind::Number &&
      terms_.items(other).size() > terms_.items(goal.term).size())
    return {};
  const Goal one[] = {{other, node.operands[is_left ? 0 : 1], goal.depth}};
  return take_all(one);
}

// The alternative that takes the fewest decisions.
Solution Matcher::decide(const Goal& goal, const FormulaNode& node) {
  const Hole& own = hole(node.hole);
  const std::vector<u32>* alternatives = nullptr;
  u32 depth = goal.depth;
  switch (own.form) {
    case HoleForm::Free: return {};
    case HoleForm::Grid: {
      if (terms_[goal.term].kind != TermKind::Number) return {};
      const std::optional<u32> point = point_of(own.grid, terms_[goal.term].number);
      if (!point) return {};
      return {true, 1, {{node.hole, *point, kNothing}}};
    }
    case HoleForm::Choice: alternatives = &tree_.choices[node.hole]; break;
    case HoleForm::Expansion:
    case HoleForm::Nested: {
      if (own.expands == kNoSpace) return {};
      const Space& space = sketch_.plan.sketch().spaces[own.expands];
      for (size_t k = 0; k < own.arguments.size(); ++k) {
        const SketchSpan at = own.arguments[k];
        if (std::string_view(sketch_.source).substr(at.begin, at.end - at.begin) !=
            space.parameters[k].name)
          return {};
      }
      if (own.form == HoleForm::Nested && depth == 0) return {};
      depth = own.form == HoleForm::Nested ? depth - 1 : space.depth;
      alternatives = &tree_.spaces[own.expands];
      break;
    }
  }
  Solution best;
  for (u32 way = 0; way < alternatives->size(); ++way) {
    u32 number = 0;
    const Solution* const one = ask({goal.term, (*alternatives)[way], depth}, &number);
    if (missing_) return {};
    if (one == nullptr || (best.is_found && best.cost <= one->cost + 1)) continue;
    best.is_found = true;
    best.cost = one->cost + 1;
    if (own.form == HoleForm::Choice) {
      best.holes = one->holes;
      best.holes.push_back({node.hole, way, kNothing});
    } else {
      best.holes = {{node.hole, way, number}};
    }
  }
  return best;
}

// Ways to part a list in two, as bits of the first part: at each place, from the middle on, and each element by itself.
std::vector<std::vector<bool>> ways_to_part(size_t count) {
  std::vector<std::vector<bool>> out;
  const auto add = [&](std::vector<bool> first) {
    if (std::ranges::find(out, first) == out.end()) out.push_back(std::move(first));
  };
  for (size_t k = 0; k + 1 < count; ++k) {
    const size_t off = (k + 1) / 2, middle = count / 2;
    const size_t at = k % 2 == 0 ? middle + off : middle - off;
    if (at == 0 || at >= count) continue;
    std::vector<bool> first(count, false);
    std::fill_n(first.begin(), at, true);
    add(first);
    first.flip();
    add(std::move(first));
  }
  for (size_t k = 0; k < count; ++k) {
    std::vector<bool> first(count, false);
    first[k] = true;
    add(first);
    first.flip();
    add(std::move(first));
  }
  return out;
}
std::pair<std::vector<u32>, std::vector<u32>> parted(const std::vector<u32>& all,
                                                     const std::vector<bool>& first) {
  std::pair<std::vector<u32>, std::vector<u32>> out;
  for (size_t k = 0; k < all.size(); ++k) (first[k] ? out.first : out.second).push_back(all[k]);
  return out;
}

std::pair<u32, u32> Matcher::parted_by_constant(u32 term) {
  f64 constant = 0;
  std::vector<u32> rest;
  for (const u32 item : terms_.items(term))
    if (terms_[item].kind == TermKind::Number)
      constant += terms_[item].number;
    else
      rest.push_back(item);
  return {terms_.number(constant), terms_.sum(rest)};
}

Solution Matcher::part_sum(const Goal& goal, const FormulaNode& node) {
  // A number that is added may be 0.
  if (is_number_hole(node.operands[0]) && node.kind == FormulaKind::Add) {
    const auto [constant, rest] = parted_by_constant(goal.term);
    const Goal both[] = {{constant, node.operands[0], goal.depth},
                         {rest, node.operands[1], goal.depth}};
    Solution found = take_all(both);
    if (missing_ || found.is_found) return found;
  }
  const std::vector<u32> items = terms_.items(goal.term);
  if (items.size() < 2) return {};
  for (const std::vector<bool>& first : ways_to_part(items.size())) {
    const auto [a, b] = parted(items, first);
    const f64 sign = node.kind == FormulaKind::Sub ? -1 : 1;
    const Goal both[] = {{terms_.sum(a), node.operands[0], goal.depth},
                         {terms_.scaled(terms_.sum(b), sign), node.operands[1], goal.depth}};
    Solution found = take_all(both);
    if (missing_ || found.is_found) return found;
  }
  return {};
}

Solution Matcher::part_product(const Goal& goal, const FormulaNode& node) {
  const auto take = [&](u32 a, u32 b) {
    const Goal both[] = {{a, node.operands[0], goal.depth}, {b, node.operands[1], goal.depth}};
    return take_all(both);
  };
  const bool is_left = is_number_hole(node.operands[0]),
             is_right = is_number_hole(node.operands[1]);
  if (is_left || is_right) {
    // The number of the product; of a number, that times 1.
    const f64 number = terms_[goal.term].kind == TermKind::Number ? terms_[goal.term].number
                                                                  : terms_.coefficient(goal.term);
    if (number == 0) return {};
    const u32 factor = terms_.number(number), rest = terms_.scaled(goal.term, 1 / number);
    return is_left ? take(factor, rest) : take(rest, factor);
  }
  const std::vector<u32> factors = terms_.factors(goal.term);
  if (factors.size() < 2) return {};
  for (const std::vector<bool>& first : ways_to_part(factors.size())) {
    const auto [a, b] = parted(factors, first);
    Solution found = take(terms_.product(a), terms_.product(b));
    if (missing_ || found.is_found) return found;
  }
  return {};
}

// A quotient stays what it is if both are scaled: so that some summand of the divisor has no number.
Solution Matcher::part_quotient(const Goal& goal, const FormulaNode& node) {
  constexpr size_t kMostScales = 8;
  u32 dividend = 0, divisor = 0;
  terms_.split_quotient(goal.term, dividend, divisor);
  if (divisor == Terms::kNone) return {};
  std::vector<f64> scales = {1};
  for (const u32 item : terms_.items(divisor))
    if (const f64 scale = terms_.coefficient(item); scale != 0 && scales.size() < kMostScales)
      scales.push_back(scale);
  for (const f64 scale : scales) {
    const Goal both[] = {{terms_.scaled(dividend, 1 / scale), node.operands[0], goal.depth},
                         {terms_.scaled(divisor, 1 / scale), node.operands[1], goal.depth}};
    Solution found = take_all(both);
    if (missing_ || found.is_found) return found;
  }
  return {};
}

Solution Matcher::take_root(const Goal& goal, const FormulaNode& node) {
  const FormulaNode& by = tree_.nodes[node.operands[1]];
  const bool is_whole = by.kind == FormulaKind::Number && by.number == std::floor(by.number) &&
                        by.number >= 2 && by.number <= 64;
  if (!is_whole) return take_call(goal, node, "**");
  const int exponent = static_cast<int>(by.number);
  const FormulaTerm term = terms_[goal.term];
  if (term.kind != TermKind::Product || term.number < 0) return {};
  std::vector<u32> factors = {terms_.number(std::pow(term.number, 1.0 / exponent))};
  for (const TermFactor& factor : term.factors) {
    if (factor.power % exponent != 0) return {};
    factors.push_back(terms_.power(factor.term, factor.power / exponent));
  }
  const Goal one[] = {{terms_.product(factors), node.operands[0], goal.depth}};
  return take_all(one);
}

Solution Matcher::take_call(const Goal& goal, const FormulaNode& node, std::string_view name) {
  const FormulaTerm term = terms_[goal.term];
  if (term.kind != TermKind::Call || term.text != name ||
      term.operands.size() != node.operands.size())
    return {};
  std::vector<Goal> all;
  for (size_t k = 0; k < term.operands.size(); ++k)
    all.push_back({term.operands[k], node.operands[k], goal.depth});
  Solution found = take_all(all);
  const bool has_order = (name != "min" && name != "max") || all.size() != 2;
  if (missing_ || found.is_found || has_order) return found;
  std::swap(all[0].term, all[1].term);
  return take_all(all);
}

bool Matcher::list(const Solution& solution, Decisions& out) const {
  struct Frame {
    u32 step, end;
    const Solution* of;
  };
  const VariantTables tables = sketch_.plan.tables();
  std::vector<Frame> frames;
  const auto enter = [&](u32 stage, const Solution* of) {
    frames.push_back({tables.stages[stage].begin, tables.stages[stage].end, of});
  };
  out.clear();
  enter(tables.program, &solution);
  while (!frames.empty()) {
    Frame& frame = frames.back();
    if (frame.step == frame.end) {
      frames.pop_back();
      continue;
    }
    if (out.size() == kMostDecisions) return false;
    const VariantTables::Step& step = tables.steps[frame.step++];
    const VariantTables::DecisionHoles& d = tables.decisions[step.decision];
    const DecidedHole* decided = nullptr;
    for (u32 k = d.begin; k < d.end; ++k) {
      const auto own = std::ranges::find(frame.of->holes, tables.holes[k], &DecidedHole::hole);
      if (own == frame.of->holes.end()) continue;
      if (decided != nullptr && decided->way != own->way) return false;
      decided = &*own;
    }
    u32 way = 0;
    const Solution* inside = frame.of;
    if (decided != nullptr) {
      way = decided->way;
      if (decided->inside != kNothing) inside = &solutions_[decided->inside];
    } else if (expands(hole(tables.holes[d.begin]))) {
      return false;
    }
    u32 below = VariantTables::kNoStage;
    if (!take_way(tables, step, way, below)) return false;
    out.push_back(way);
    if (below != VariantTables::kNoStage) enter(below, inside);
  }
  return true;
}

}  // namespace

namespace {

// Trees as the texts have them.
frontend::Options plain() {
  frontend::Options options;
  options.is_plain = true;
  return options;
}

}  // namespace

VariantEncoder::VariantEncoder(const SketchProgram& sketch) : sketch_(sketch), compiler_(plain()) {
  frontend::Compilation made;
  compiler_.compile(sketch.source, made);
  if (made.ok) tree_ = read_formula_tree(compiler_.columns(), sketch.plan.sketch());
}

std::string VariantEncoder::find_fault(const FormulaTree& tree) const {
  const auto has = [this](const FormulaNode& node) {
    if (node.kind == FormulaKind::Name)
      return std::ranges::find(tree_.parameters, node.text) != tree_.parameters.end();
    return std::ranges::any_of(tree_.nodes, [&](const FormulaNode& own) {
      return own.kind == node.kind && own.text == node.text;
    });
  };
  // Of the expression alone: types have names, too.
  std::vector<bool> is_part(tree.nodes.size());
  is_part[tree.root] = true;
  for (u32 k = tree.root + 1; k-- > 0;) {
    const FormulaNode& node = tree.nodes[k];
    if (!is_part[k]) continue;
    for (const u32 operand : node.operands) is_part[operand] = true;
    if (node.kind == FormulaKind::Name && !has(node))
      return "it names " + shown(node.text) + ", which is no input";
    if (node.kind == FormulaKind::Call && !has(node))
      return "it calls " + shown(node.text) + ", which formulas are not made of";
    if (node.kind == FormulaKind::If && !has(node))
      return "it has an `if`, which formulas are not made of";
  }
  return "it nests too deeply, or puts operations together in a way that no alternative has";
}

Encoded VariantEncoder::encode(const std::string& program, const EncodeOptions& options) {
  Encoded out;
  frontend::Compiler compiler(plain());
  frontend::Compilation made;
  compiler.compile(program, made);
  if (!made.ok) {
    out.why_not = "it does not compile";
    return out;
  }
  const FormulaTree tree = read_formula_tree(compiler.columns(), {});
  Terms terms;
  const std::vector<u32> of_tree = terms.of_tree(tree);
  const u32 root = tree.root == FormulaTree::kNone ? Terms::kNone : of_tree[tree.root];
  if (root == Terms::kNone || tree_.root == FormulaTree::kNone) {
    out.why_not = root == Terms::kNone ? "it is no single expression of numbers"
                                       : "the sketch is no single expression";
    return out;
  }
  std::vector<u32> wanted = {root};
  if (options.up_to_line) {
    std::vector<u32> items = terms.items(root);
    std::erase_if(items, [&](u32 item) { return terms[item].kind == TermKind::Number; });
    if (items.empty()) {
      out.why_not = "it is a number, which a line has anyway";
      return out;
    }
    u32 bare = terms.sum(items);
    if (items.size() == 1) bare = terms.scaled(bare, 1 / terms.coefficient(bare));
    if (bare != root) wanted.insert(wanted.begin(), bare);
  }
  Matcher matcher(sketch_, tree_, terms);
  for (const u32 term : wanted)
    if (const Solution* const found = matcher.solve({term, tree_.root, 0}))
      if (matcher.list(*found, out.decisions) && !sketch_.plan.find_fault(out.decisions))
        return out;
  out.decisions.clear();
  out.why_not = find_fault(tree);
  return out;
}

}  // namespace komuz::engine
