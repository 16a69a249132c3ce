// SPDX-License-Identifier: Apache-2.0
// The door of the generator. A seed goes in; a random well-typed program, cases for it, or a damaged source comes
// out. The same seed gives the same bytes on every machine. The generator chooses from the tables of lang/. It
// compiles and runs nothing.
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
  u32 statements = 4;  // the most in a block
  u32 depth = 4;       // how deep expressions and statements nest
  bool tests = true;   // add a `test`
  // Also uses arrays, lists, strings, slices and Options. Without them, a seed gives the program that it has always
  // given.
  bool containers = false;
  // Also uses chains and lambdas, if there are containers.
  bool chains = false;
  // Also uses holes and spaces: the program is a sketch.
  bool holes = false;
};

// A program that compiles without errors. Its functions f0, f1, … call each other, also in recursion cycles; the
// last one is `pub`. It ends within its fuel, often in a trap.
[[nodiscard]] std::string generate_program(u64 seed, const Options& options = {});

// rows[c][p] is a canonical cell (lang/cases.h) for parameter slot p of case c. Many are values at which operations
// fail.
[[nodiscard]] std::vector<std::vector<u64>> generate_cases(u64 seed, std::string_view slot_types,
                                                           u32 count);
// Values for parameters of these types (lang/type_codes.h), which hold no slice. Each row is a value of the types:
// its lengths and alternatives are possible ones, and unused cells are zero.
[[nodiscard]] std::vector<std::vector<u64>> generate_values(u64 seed, std::string_view types,
                                                            u32 count);

// What a function of scalars is made of; see families.def.
enum class Family : u8 {
#define FAMILY(Name, spelling, share, what) Name,
#include "gen/families.def"
};
inline constexpr std::string_view kFamilyNames[] = {
#define FAMILY(Name, spelling, share, what) spelling,
#include "gen/families.def"
};
inline constexpr u32 kFamilyShares[] = {
#define FAMILY(Name, spelling, share, what) share,
#include "gen/families.def"
};
// A program with one `pub fn` of one to six scalars that gives one, of about `size` nodes: what people and searches write
// (idioms.def). It compiles without errors. In 19 of 20 there is something that has a cheaper form.
[[nodiscard]] std::string generate_scalar_program(u64 seed, Family family, u32 size);

enum class Mutation : u8 {
  Byte,   // changes, inserts, drops or copies bytes
  Token,  // the same with tokens; at least one token differs
};
[[nodiscard]] std::string mutate_source(std::string_view source, u64 seed, Mutation kind);

// Bytes [begin, end) of a source.
struct TextSpan {
  size_t begin = 0, end = 0;
};
// Replaces one token inside of `span` by another one that is neither a bracket nor a keyword of items nor a quote.
[[nodiscard]] std::string mutate_token_within(std::string_view source, TextSpan span, u64 seed);

}  // namespace komuz::gen
