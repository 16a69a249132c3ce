// SPDX-License-Identifier: Apache-2.0
// Code for tests, written as assembly text.
#pragma once
#include <gtest/gtest.h>

#include "lang/check/check_code.h"
#include "lang/text/code_text.h"

namespace komuz {

inline Code assembled(std::string_view text) {
  Code code;
  const AssemblyError error = assemble(text, code);
  EXPECT_FALSE(error) << "line " << error.line << ": " << error.reason << "\n" << text;
  return code;
}

inline Code checked(std::string_view text) {
  Code code = assembled(text);
  const CodeError error = check_code(code.view(), code.functions);
  EXPECT_FALSE(error) << error.instruction << ": " << error.reason << "\n" << text;
  return code;
}

// Why the checker refuses the code; empty if it accepts it.
inline CodeError refusal(std::string_view text) {
  Code code = assembled(text);
  return check_code(code.view(), code.functions);
}

// A program that uses every kind of control flow: two arms, one arm, short circuits, both kinds of loops, break,
// continue, early return, a recursive pair, tuples, a test and an entry of `traps`; and types of every kind.
inline constexpr std::string_view kSampleText = R"(
constant 0x0
constant 0x1
constant 0x2

pub fn collatz(n: i64) -> i64 place=3
  slots i64 i64 i64
    LOAD_CONST i64 #0     @20
    STORE_VAR i64 1
    LOAD_CONST i64 #2
    STORE_VAR i64 2
    LOOP ->done
    LOAD_VAR i64 0
    LOAD_CONST i64 #1
    COMPARE_NE i64
    BREAK_IF_FALSE
    LIMIT 2
    TICK
    LOAD_VAR i64 0
    LOAD_CONST i64 #2
    BINARY_REM i64
    LOAD_CONST i64 #0
    COMPARE_EQ i64
    JUMP_IF_FALSE 1 ->odd
    LOAD_VAR i64 0
    LOAD_CONST i64 #2
    BINARY_DIV i64
    JUMP 1 ->merge
  odd:
    LOAD_VAR i64 0
    LOAD_CONST i64 #2
    BINARY_MUL i64
  merge:
    STORE_VAR i64 0
    LOAD_VAR i64 0
    LOAD_CONST i64 #0
    COMPARE_LT i64
    JUMP_IF_FALSE 0 ->next
    BREAK 0
  next:
    CONTINUE 0
  done:
    END ->4
    LOAD_VAR i64 1
    RETURN

fn even(n: i64) -> bool rec=64
  slots i64
    LOAD_VAR i64 0
    LOAD_CONST i64 #0
    COMPARE_EQ i64
    JUMP_IF_TRUE_OR_POP ->end
    LOAD_VAR i64 0
    LOAD_CONST i64 #1
    BINARY_SUB i64
    CALL 2
  end:
    RETURN
fn odd(n: i64) -> bool rec=64
  slots i64
    LOAD_VAR i64 0
    LOAD_CONST i64 #0
    COMPARE_NE i64
    JUMP_IF_FALSE_OR_POP ->end
    LOAD_VAR i64 0
    LOAD_CONST i64 #1
    BINARY_SUB i64
    CALL 1
  end:
    RETURN
fn pick(p: (i64, (f32, bool)), k: u8) -> (f32, i64)
  slots i64 f32 bool u8 i64 i64 i64
    LOAD_CONST i64 #0
    STORE_VAR i64 4
    LOAD_CONST i64 #2
    STORE_VAR i64 5
    LOOP ->last
    FOR_NEXT i64 4 1
    TICK
    LOAD_VAR bool 2
    JUMP_IF_FALSE 0 ->last
    LOAD_VAR f32 1
    LOAD_VAR i64 6
    RETURN
  last:
    END ->4
    LOAD_VAR i64 0
    LOAD_VAR f32 1
    LOAD_VAR u8 3
    CONVERT f32 u8
    BINARY_ADD f32
    LOAD_VAR i64 0
    PROJECT 2 3 1
    RETURN
test "even, odd"() -> () place=99
  slots
    LOAD_CONST i64 #2
    CALL 1
    ASSERT
    RETURN
traps "even, odd"() -> i64 owner=4 expects=DIV_ZERO
  slots
    LOAD_CONST i64 #1
    LOAD_CONST i64 #0
    BINARY_DIV i64
    RETURN
fn parts(o: Option[i64], xs: [f64; 2], b: Bytes[2], s: S(A(x: f32) | B)) -> (Option[i64], [f64; 2])
  slots u8 i64 f64 f64 i64 u8 u8 u8 f32
    LOAD_VAR u8 0
    LOAD_VAR i64 1
    LOAD_VAR f64 3
    LOAD_VAR f64 2
    RETURN
)";

// Many slots at once, areas of slots, and requirements on a value.
inline constexpr std::string_view kAreasText = R"(
constant 0x0
constant 0x1
constant 0x3

fn rotate(at: i64, a: u8, b: u8, c: u8) -> (u8, u8, u8)
  slots i64 u8 u8 u8 u8
    LOAD_VARS 1 2
    LOAD_VAR i64 0
    LOAD_CONST i64 #2
    CHECK_INDEX i64
    LOAD_AT u8 1 3 1
    STORE_VAR u8 4
    LOAD_VAR u8 4
    LOAD_CONST i64 #1
    STORE_AT u8 2 3 1
    LOAD_VARS 3 1
    STORE_VARS 1 3
    LOAD_VARS 1 2
    LOAD_VAR i64 0
    STORE_AT u8 1 3 2
    LOAD_CONST i64 #0
    LOAD_AT u8 1 4 3
    RETURN
fn sum(n: i64) -> f64
  slots i64 f64 f64 f64 i64 i64 i64
    LOAD_CONST f64 #0
    LOAD_CONST f64 #0
    LOAD_CONST f64 #0
    STORE_VARS 1 3
    LOAD_VAR i64 0
    LOAD_CONST i64 #2
    COMPARE_LE i64
    REQUIRE CAPACITY
    LOAD_CONST i64 #0
    LOAD_VAR i64 0
    STORE_VARS 4 2
    LOOP ->last
    FOR_NEXT i64 4 0
    TICK
    LOAD_CONST i64 #0
    LOAD_AT f64 1 2 1
    LOAD_VAR i64 6
    CONVERT f64 i64
    BINARY_ADD f64
    LOAD_VAR i64 6
    STORE_AT f64 1 2 1
  last:
    END ->11
    LOAD_VAR f64 1
    RETURN
fn first(xs: [u8], pair: [u8]) -> (u8, u8)
  slots i64 &u8 i64 &u8 &u8
    LOAD_VAR i64 0
    LOAD_CONST i64 #1
    COMPARE_LT i64
    JUMP_IF_FALSE 1 ->else
    LOAD_VAR &u8 3
    JUMP 1 ->merge
  else:
    LOAD_VAR &u8 1
  merge:
    STORE_VAR &u8 4
    LOAD_VARS 2 3
    COPY &u8 0 0
    PROJECT 1 4 3
    LOAD_CONST i64 #0
    LOAD_REF u8 2
    RETURN
fn refer(a: u8, b: u8, c: u8) -> (u8, u8)
  slots u8 u8 u8
    LOAD_CONST i64 #2
    LOAD_CONST i64 #2
    REF u8 0 3
    LOAD_CONST i64 #1
    LOAD_CONST i64 #0
    REF u8 0 0
    LOAD_CONST i64 #0
    LOAD_CONST i64 #0
    REF_PART u8
    CALL 2
    RETURN
)";

// Many cells at once.
inline constexpr std::string_view kCellsText = R"(
constant 0x1
constant 0x2
constant 0x3

pub fn cells(n: i64, x: f64) -> (i64, f64, bool)
  slots i64 f64 i64
    LOAD_CONST i64 #2
    LOAD_VARS 0 2
    REPEAT 2 3
    PROJECT 3 7 4
    LOAD_VAR f64 1
    COPY f64 0 1
    LOAD_CONSTS i64 2 #0
    REPEAT 2 1
    COPY i64 0 1
    REPEAT 1 3
    EQ_CELLS i64 2 4 2
    EQ_CELLS i64 1 11 3
    PROJECT 1 12 0
    LOAD_VAR i64 0
    TICKS
    LOAD_VARS 0 2
    LOAD_CONST bool #0
    PROJECT 3 6 3
    RETURN
)";

}  // namespace komuz
