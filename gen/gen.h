// SPDX-License-Identifier: Apache-2.0
// The door of the generator: a seed in, a random well-typed program, cases for it, or a damaged source out. The same seed
// gives the same bytes on every machine. What it chooses from are the tables of lang/. It compiles and runs nothing.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lang/type_codes.h"

namespace komuz::gen {

// How large a program gets. The defaults give about a kilobyte.
struct Options {
  u32 functions = 5;  // at most 48
  u32 constants = 3;
  u32 statements = 4;  // of a block, at most
  u32 depth = 4;       // of nesting of expressions and of statements
  bool tests = true;   // add a `test`
  // Arrays, lists, strings, slices and Options, too; without them a seed gives the program that it has always given.
  bool containers = false;
  // Chains and lambdas, where there are containers.
  bool chains = false;
  // Holes and spaces: the program is a sketch.
  bool holes = false;
};

// A program that compiles without errors: functions f0, f1, … that call each other (also in recursion cycles), the last
// one `pub`. It ends within its fuel, often in a trap.
[[nodiscard]] std::string generate_program(u64 seed, const Options& options = {});

// rows[c][p]: a canonical cell (lang/cases.h) for parameter slot p of case c, rich in values at which operations go wrong.
[[nodiscard]] std::vector<std::vector<u64>> generate_cases(u64 seed, std::string_view slot_types,
                                                           u32 count);
// The same for parameters of these types (lang/type_codes.h), which hold no slice: each row is a value of them, so lengths
// and alternatives are ones that the types have, and what is unused is zero.
[[nodiscard]] std::vector<std::vector<u64>> generate_values(u64 seed, std::string_view types,
                                                            u32 count);

enum class Mutation : u8 {
  Byte,   // changes, inserts, drops or copies bytes
  Token,  // the same with tokens; at least one token differs
};
[[nodiscard]] std::string mutate_source(std::string_view source, u64 seed, Mutation kind);

// Bytes [begin, end) of a source.
struct TextSpan {
  size_t begin = 0, end = 0;
};
// A replacement of one token inside `span` by another that is neither a bracket nor an item keyword nor a quote.
[[nodiscard]] std::string mutate_token_within(std::string_view source, TextSpan span, u64 seed);

}  // namespace komuz::gen
