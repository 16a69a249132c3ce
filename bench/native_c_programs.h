// SPDX-License-Identifier: Apache-2.0
// Programs of native_programs.h in C, with the checks that native code has: overflow, bounds, limits, depth of
// recursion and the budget of ticks. A trap is a word, as in backend/case_state.h. `@` and `#` are as there.
#pragma once

namespace komuz::bench {

// In front of each file. TICK and the arithmetic leave the function where they trap.
inline constexpr const char kChecksInC[] = R"(#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define RARE(x) __builtin_expect(x, 0)
#define TRAP(trap, place) return (uint64_t)(trap) | UINT64_C(1) << 8 | (uint64_t)(place) << 32
#define TICK(place) do { if (RARE(*left == 0)) TRAP(8, place); --*left; } while (0)
#define CHECKED(operation, a, b, place) \
  ({ int64_t r_; if (RARE(__builtin_##operation##_overflow((int64_t)(a), (int64_t)(b), &r_))) TRAP(1, place); r_; })
#define ADD(a, b, place) CHECKED(add, a, b, place)
#define SUB(a, b, place) CHECKED(sub, a, b, place)
#define MUL(a, b, place) CHECKED(mul, a, b, place)
#define INDEX(i, n, place) ({ int64_t i_ = (i); if (RARE((uint64_t)i_ >= (n))) TRAP(3, place); i_; })
)";

// Behind each function: runs it on many rows. OF(k) are its arguments.
inline constexpr const char kRowsInC[] = R"(
void rows@(const void* const* columns, size_t n, uint64_t fuel, uint64_t* values, uint8_t* traps, uint32_t* places,
           uint32_t* depths, uint64_t* fuels) {
  for (size_t row = 0; row < n; ++row) {
    uint64_t left = fuel - 1;
    RESULT value = 0;
    uint64_t ended = f@(ARGUMENTS, &left, &value);
    if (ended) value = 0;
    union { RESULT value; uint64_t bits; } cell;
    cell.value = value;
    values[row] = cell.bits;
    traps[row] = (uint8_t)ended;
    places[row] = (uint32_t)(ended >> 32);
    depths[row] = (uint32_t)(ended >> 8 & 0xFFFFFF);
    fuels[row] = fuel - left;
  }
}
)";

struct CProgram {
  const char* name;       // as in native_programs.h
  const char* arguments;  // of a row
  const char* result;     // its type
  const char* text;
};

inline constexpr CProgram kCPrograms[] = {
    {"poly", "((const double*)columns[0])[row], ((const double*)columns[1])[row]", "double",
     R"(static uint64_t f@(double x, double y, uint64_t* left, double* out) {
  double a = ((x * 0.25 + 1.5) * x - y) * x + #.75;
  double b = ((y * 0.5 - x) * y + 1.25) * y - 3.0;
  *out = a * b + (a - b) * (x + y);
  return 0;
}
)"},
    {"collatz", "((const int64_t*)columns[0])[row]", "int64_t",
     R"(static uint64_t f@(int64_t n, uint64_t* left, int64_t* out) {
  int64_t k = n, steps = 0, limit = #;
  while (k != 1) {
    if (RARE(limit == 0)) TRAP(7, 11);
    --limit;
    TICK(12);
    k = (k & 1) == 0 ? k / 2 : ADD(MUL(3, k, 25), 1, 27);
    steps = ADD(steps, 1, 31);
  }
  *out = steps;
  return 0;
}
)"},
    {"newton", "((const double*)columns[0])[row]", "double",
     R"(static uint64_t f@(double x, uint64_t* left, double* out) {
  double y = x + 1.0, z = #.0;
  int64_t limit = 100;
  while (__builtin_fabs(y - z) > 0.000001 * y) {
    if (RARE(limit == 0)) TRAP(7, 0);
    --limit;
    TICK(0);
    z = y;
    y = 0.5 * (y + x / y);
  }
  *out = y;
  return 0;
}
)"},
    {"sort", "((const int64_t*)columns[0])[row]", "int64_t",
     R"(static uint64_t f@(int64_t seed, uint64_t* left, int64_t* out) {
  int64_t xs[32] = {0};
  int64_t s = seed;
  for (int64_t i = 0; i < 32; ++i) {
    TICK(11);
    s = ADD(MUL(s, 1103, 14), #, 16) % 65536;
    xs[INDEX(i, 32, 23)] = s;
  }
  for (int64_t i = 1; i < 32; ++i) {
    TICK(32);
    int64_t x = xs[INDEX(i, 32, 34)];
    int64_t j = i;
    while (j > 0 && xs[INDEX(SUB(j, 1, 45), 32, 46)] > x) {
      TICK(50);
      int64_t from = xs[INDEX(SUB(j, 1, 54), 32, 55)];
      xs[INDEX(j, 32, 57)] = from;
      j = SUB(j, 1, 61);
    }
    xs[INDEX(j, 32, 67)] = x;
  }
  *out = ADD(ADD(xs[0], MUL(3, xs[16], 75), 76), MUL(7, xs[31], 80), 81);
  return 0;
}
)"},
    {"packing", "((const int64_t*)columns[0])[row]", "int64_t",
     R"(static uint64_t f@(int64_t seed, uint64_t* left, int64_t* out) {
  int64_t free[64];
  for (int k = 0; k < 64; ++k) free[k] = 100;
  int64_t used = 0, s = seed;
  for (int64_t i = 0; i < 64; ++i) {
    TICK(13);
    s = ADD(MUL(s, 1103, 16), #, 18) % 65536;
    int64_t item = ADD(20, s % 50, 26), best = used, room = 101;
    for (int64_t b = 0; b < used; ++b) {
      TICK(38);
      if (free[INDEX(b, 64, 40)] >= item && free[INDEX(b, 64, 45)] < room) {
        best = b;
        room = free[INDEX(b, 64, 52)];
      }
    }
    if (best == used) used = ADD(used, 1, 61);
    int64_t left_over = SUB(free[INDEX(best, 64, 65)], item, 67);
    free[INDEX(best, 64, 69)] = left_over;
  }
  *out = used;
  return 0;
}
)"},
    {"chain", "((const int64_t*)columns[0])[row]", "int64_t",
     R"(static uint64_t down@(int64_t n, uint32_t live, uint64_t* left, int64_t* out) {
  if (n == 0) { *out = 0; return 0; }
  int64_t before = 0, m = SUB(n, 1, 13);
  if (RARE(live == 400)) TRAP(6, 14);
  TICK(14);
  uint64_t ended = down@(m, live + 1, left, &before);
  if (RARE(ended)) return ended + (1 << 8);
  *out = ADD(MUL(before, 31, 16), n, 18) % #;
  return 0;
}
static uint64_t f@(int64_t n, uint64_t* left, int64_t* out) {
  TICK(3);
  uint64_t ended = down@(n % 400, 1, left, out);
  return RARE(ended) ? ended + (1 << 8) : 0;
}
)"},
};

}  // namespace komuz::bench
