// SPDX-License-Identifier: Apache-2.0
// The tree by nearest smaller values against the reference parser, on random rows of tokens and on generated programs.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "frontend_gpu/columns/columns.h"
#include "gen/gen.h"
#include "tests/frontend/everywhere.h"
#include "tests/frontend/reference_parser.h"

namespace komuz::test {
namespace {

using frontend::Columns;

// Tokens in any order, brackets in pairs, item keywords among them: most are no program.
void append_tokens(Random& random, u32 depth, std::string& out) {
  for (u32 k = random.below(12); k > 0; --k) {
    const TokenRow& row = random.pick(kTokenRows);
    out += random.one_in(5) ? "\n" : " ";
    if (row.spelling.empty()) {
      out += random.below(2) != 0 ? "a" : "1";
    } else if (row.act == Act::Close || row.act == Act::Paren || row.act == Act::Brace) {
      if (depth == 0) continue;
      static constexpr std::string_view kPairs[] = {"()", "[]", "{}"};
      const std::string_view pair = random.pick(kPairs);
      out += pair[0];
      append_tokens(random, depth - 1, out);
      out += pair[1];
    } else if (row.act != Act::Item || depth == 4) {
      out += row.spelling;
    }
  }
}

// The row of all items: nodes in order, with the closing brackets between them. Brackets of the source must match.
std::vector<RowElement> row_of(const Columns& c) {
  std::vector<RowElement> row;
  u32 node = 0;
  for (u32 token = 0; token < c.tokens; ++token) {
    const Token kind = frontend::token_at(c, token);
    for (; node < c.nodes && c.token[node] == token; ++node)
      row.push_back({frontend::node_kind(c, node), node, false});
    if (token_row(kind).act == Act::Close) row.push_back({Node::None, kNoNode, true});
  }
  return row;
}

void expect_same_tree(std::string_view source) {
  // Without optimisation, which makes `x & 7` of `x % 8`: of that the tree would be another one.
  frontend::Compiler compiler({.is_plain = true});
  frontend::Compilation program;
  compiler.compile(source, program);
  const Columns& c = compiler.columns();
  if (c.nodes == 0) return;
  const ReferenceTree tree = parse_row(row_of(c), c.nodes);
  ASSERT_EQ(tree.order.size(), c.nodes) << source;
  for (u32 i = 0; i < c.nodes; ++i) {
    const auto behind = [&](u32 node) {
      return source.substr(std::min<size_t>(c.token_start[c.token[node]], source.size()), 40);
    };
    ASSERT_EQ(tree.left[i], c.left[i]) << "left of `" << behind(i) << "`\n" << source;
    ASSERT_EQ(tree.right[i], c.right[i])
        << "right of `" << behind(i) << "`, not `"
        << (c.right[i] < c.nodes ? behind(c.right[i]) : "") << "`\n"
        << source;
    ASSERT_EQ(tree.order[i], c.order[i]) << "rank " << i << "\n" << source;
  }
}

TEST(Tree, RandomTokens) {
  for (u64 seed = 1; seed <= 20'000; ++seed) {
    Random random(seed);
    std::string source;
    append_tokens(random, 4, source);
    expect_same_tree(source);
    if (HasFatalFailure()) return;
  }
}

TEST(Tree, GeneratedPrograms) {
  for (u64 seed = 1; seed <= 300; ++seed) {
    expect_same_tree(gen::generate_program(seed));
    if (HasFatalFailure()) return;
  }
}

TEST(Tree, DamagedPrograms) {
  // A token that is no bracket changes: the brackets still match.
  for (u64 seed = 1; seed <= 1000; ++seed) {
    const std::string source = gen::generate_program(seed);
    expect_same_tree(gen::mutate_token_within(source, {0, source.size()}, seed));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace komuz::test
