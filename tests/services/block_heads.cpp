// SPDX-License-Identifier: Apache-2.0
#include "tests/services/block_heads.h"

#include <algorithm>
#include <vector>

#include "services/format/tree.h"

namespace komuz::test {

using services::Index;
using services::kNone;
using services::Tree;

namespace {

class Wrapper {
 public:
  Wrapper(const Tree& tree, std::string_view source) : tree_(tree), source_(source) {}

  std::string write() {
    for (Index i = 0; i < tree_.c.nodes; ++i) look_at(i);
    std::ranges::stable_sort(insertions_, {}, &Insertion::at);
    std::string out;
    size_t at = 0;
    for (const Insertion& insertion : insertions_) {
      out += source_.substr(at, insertion.at - at);
      out += insertion.text;
      at = insertion.at;
    }
    return out += source_.substr(at);
  }

 private:
  struct Insertion {
    size_t at;
    std::string_view text;
  };

  void look_at(Index i) {
    switch (tree_.kind(i)) {
      case Node::If:
      case Node::Guard: return condition(tree_.right(i));
      case Node::While: {
        const Index head = tree_.right(i);
        return condition(tree_.kind(head) == Node::Limit ? tree_.left(head) : head);
      }
      case Node::For: return range(tree_.right(tree_.right(i)));
      default: return;
    }
  }
  void condition(Index i) {
    insert_before(i, "(true && { ");
    insert_behind(i, " })");
  }
  void range(Index i) {
    if (tree_.kind(i) != Node::Range && tree_.kind(i) != Node::RangeInclusive) return;
    insert_before(i, "(");
    insert_before(tree_.right(i), "{ ");
    insert_behind(i, " })");
  }
  void insert_before(Index i, std::string_view text) {
    insertions_.push_back({tree_.c.token_start[tree_.first_token(i)], text});
  }
  void insert_behind(Index i, std::string_view text) {
    const Index last = tree_.last_token(i);
    insertions_.push_back({tree_.c.token_start[last] + tree_.c.token_length[last], text});
  }

  const Tree& tree_;
  std::string_view source_;
  std::vector<Insertion> insertions_;
};

}  // namespace

std::string with_block_heads(frontend::Compiler& compiler, std::string_view source) {
  frontend::Compilation compilation;
  compiler.compile(source, compilation);
  const Tree tree(compiler.columns());
  return Wrapper(tree, source).write();
}

}  // namespace komuz::test
