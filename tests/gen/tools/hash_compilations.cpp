// SPDX-License-Identifier: Apache-2.0
// Prints hashes of all that compiling gives: code, diagnostics, identities and verdicts. Two builds that should compile
// alike are compared by a `diff` of what they print:
//
//   hash_compilations [--seed S] [--seeds N] [--block B] [FILE…]
//
// A line for each FILE, then one for each block of B seeds: of generated programs, of sketches and of damaged
// programs. Each source is compiled with optimisation and without, and once more with its doc examples. A block that
// differs is looked at by `--seed S --seeds B --block 1`. What runs the passes is the serial group, with its columns
// for short programs and those for long ones.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "frontend_gpu/frontend.h"
#include "tests/gen/fuzzed_programs.h"

namespace komuz::test {
namespace {

struct Wanted {
  u64 seed = 1, seeds = 0, block = 1000;
  std::vector<const char*> files;
};

template <class Rows>
void add_rows(Hash128& hash, const Rows& rows) {
  add_text(hash, {reinterpret_cast<const char*>(rows.data()),
                  rows.size() * sizeof(typename Rows::value_type)});
}

class Compilers {
 public:
  void add(Hash128& hash, std::string_view source) {
    for (frontend::Compiler* compiler : {&optimising_, &plain_, &with_examples_}) {
      compiler->compile(source, out_);
      hash.add(out_.ok);
      hash.add(out_.identity.low);
      hash.add(out_.identity.high);
      add_rows(hash, out_.diagnostics);
      add_text(hash, out_.text);
      add_rows(hash, out_.code.instructions);
      add_rows(hash, out_.code.places);
      add_rows(hash, out_.code.constants);
      add_rows(hash, out_.code.functions);
      add_rows(hash, out_.code.types);
      add_rows(hash, out_.code.slot_types);
      add_rows(hash, out_.code.parameter_names);
      add_text(hash, out_.code.names);
    }
  }

 private:
  frontend::Compiler optimising_;
  frontend::Compiler plain_{frontend::Options{.is_plain = true}};
  frontend::Compiler with_examples_{frontend::Options{.examples = true}};
  frontend::Compilation out_;
};

void print(const Hash128& hash, std::string_view of) {
  std::printf("%016llx%016llx %.*s\n", static_cast<unsigned long long>(hash.high),
              static_cast<unsigned long long>(hash.low), static_cast<int>(of.size()), of.data());
}

using MakeSource = std::string (*)(u64);
struct Kind {
  const char* name;
  MakeSource make;
};
constexpr Kind kKinds[] = {
    {"programs", fuzzed_program}, {"sketches", fuzzed_sketch}, {"damaged", damaged_program}};

void print_blocks(Compilers& compilers, const Kind& kind, const Wanted& wanted) {
  const u64 end = wanted.seed + wanted.seeds;
  for (u64 seed = wanted.seed; seed < end;) {
    const u64 first = seed, last = seed + wanted.block < end ? seed + wanted.block : end;
    Hash128 hash;
    for (; seed < last; ++seed) compilers.add(hash, kind.make(seed));
    print(hash, std::string(kind.name) + " from seed " + std::to_string(first));
  }
}

bool print_file(Compilers& compilers, const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    std::fprintf(stderr, "hash_compilations: `%s` cannot be read\n", path);
    return false;
  }
  Hash128 hash;
  compilers.add(hash, text.str());
  print(hash, path);
  return true;
}

int run(const Wanted& wanted) {
  Compilers compilers;
  for (const char* path : wanted.files)
    if (!print_file(compilers, path)) return 1;
  for (const Kind& kind : kKinds) print_blocks(compilers, kind, wanted);
  return 0;
}

}  // namespace
}  // namespace komuz::test

int main(int count, char** words) {
  komuz::test::Wanted wanted;
  for (int k = 1; k < count; ++k) {
    const std::string_view word = words[k];
    komuz::u64* const number = word == "--seed"    ? &wanted.seed
                               : word == "--seeds" ? &wanted.seeds
                               : word == "--block" ? &wanted.block
                                                   : nullptr;
    if (number == nullptr) {
      wanted.files.push_back(words[k]);
    } else if (k + 1 == count || (*number = std::strtoull(words[++k], nullptr, 10)) == 0) {
      std::fprintf(stderr, "hash_compilations: `%s` needs a number above 0\n", words[k]);
      return 2;
    }
  }
  return komuz::test::run(wanted);
}
