// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/improve.h"

#include <algorithm>

#include "neural/teacher/costs.h"

namespace komuz::neural {
namespace {

// Inputs that the solver finds join the others, and all is enumerated again.
constexpr u32 kMostRounds = 4;

class PartImprover {
 public:
  PartImprover(const ImproveOptions& options, Improved& improved)
      : options_(options), improved_(improved) {}

  // A cheaper expression in `out`, over the same inputs; its root, or none.
  std::optional<u32> run(const Part& part, ValueGraph& out) {
    const Code reference = part.code_of(part.graph(), part.root());
    if (reference.functions.empty()) return {};
    const u64 cost = cost_of_code(reference.view(), 0);
    const EnumerationSample sample = sample_of(part.graph(), part.root(), part.inputs());
    const Scalar type = part.graph()[part.root()].type;
    std::vector<std::vector<u64>> rows = guided_rows(reference.view(), options_.inputs);
    for (u32 round = 0; round < kMostRounds && !stopped(); ++round) {
      const std::vector<ValueOutcome> goal = evaluate_rows(part.graph(), part.root(), rows);
      Enumeration all(sample, rows, cost, options_.limits);
      const size_t known = rows.size();
      for (const Enumeration::Found& found : all.find(type, goal)) {
        out.clear();
        const u32 root = all.write(found, out);
        if (is_proved(reference, part.code_of(out, root), cost, rows)) return root;
        if (rows.size() > known) break;
      }
      if (rows.size() == known) return {};
    }
    return {};
  }

 private:
  [[nodiscard]] bool stopped() const {
    return options_.stop != nullptr && options_.stop->stop_requested();
  }
  // Arguments that refute it become another row.
  bool is_proved(const Code& reference, const Code& candidate, u64 cost,
                 std::vector<std::vector<u64>>& rows) {
    if (candidate.functions.empty() || cost_of_code(candidate.view(), 0) >= cost) return false;
    EqualityOptions by;
    by.fuel = FuelRule::Same;
    by.resources = options_.resources;
    by.inputs = kFirstInputs;
    by.stop = options_.stop;
    const Result<Equality> compared = compare({reference.view(), 0}, {candidate.view(), 0}, by);
    if (compared.problem()) return false;
    const Equality& equality = compared.value();
    if (equality.verdict == Verdict::Refuted)
      rows.push_back(equality.arguments);
    else if (equality.verdict != Verdict::Proved)
      ++improved_.refused;
    return equality.verdict == Verdict::Proved;
  }

  const ImproveOptions& options_;
  Improved& improved_;
};

// An expression over a part's inputs, in the whole.
u32 copied(const ValueGraph& from, u32 root, std::span<const u32> inputs, Simplifier& into,
           ValueGraph& graph) {
  std::vector<u32> made(root + 1);
  for (u32 n = 0; n <= root; ++n) {
    const ValueNode& node = from[n];
    std::array<u32, 3> operands = {};
    for (u32 k = 0; k < node.operands; ++k) operands[k] = made[node.operand[k]];
    const auto given = std::span<const u32>(operands).first(node.operands);
    switch (node.kind) {
      case ValueKind::Input: made[n] = inputs[node.instruction.a]; break;
      case ValueKind::Constant: made[n] = graph.constant(node.type, node.cell); break;
      case ValueKind::Operation: made[n] = into.operation(node.instruction, given); break;
      case ValueKind::If:
      case ValueKind::And:
      case ValueKind::Or: made[n] = into.choice(node.kind, given); break;
      // There is none in a part.
      case ValueKind::Local:
      case ValueKind::Let: break;
    }
  }
  return made[root];
}

}  // namespace

u32 improve(ValueGraph& graph, u32 root, Simplifier& simplifier, const ImproveOptions& options,
            Improved& improved) {
  PartImprover improver(options, improved);
  u32 looked_at = 0;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    std::vector<bool> is_used(root + 1, false);
    is_used[root] = true;
    // Operands have smaller numbers.
    for (u32 n = root + 1; n-- > 0 && !goes_on;) {
      if (!is_used[n]) continue;
      for (u32 k = 0; k < graph[n].operands; ++k) is_used[graph[n].operand[k]] = true;
      if (looked_at == options.parts) continue;
      const std::optional<Part> part = Part::below(graph, n);
      if (!part) continue;
      ++looked_at;
      ValueGraph better;
      const std::optional<u32> found = improver.run(*part, better);
      if (!found) continue;
      const u32 by = copied(better, *found, part->nodes(), simplifier, graph);
      if (by == n) continue;
      root = simplifier.replaced(root, n, by);
      ++improved.found;
      goes_on = true;
    }
  }
  return root;
}

}  // namespace komuz::neural
