// SPDX-License-Identifier: Apache-2.0
// The programs of native_programs.h as somebody would write them in CUDA C: the same columns and outcomes as kernels of
// Komuz (docs/native.md), the same checks, and the same mathematical functions. nvcc compiles this text, and NVRTC, which
// has no other headers; KOMUZ_BENCH_MATH leaves out what needs some.
#pragma once

namespace komuz::bench {

using Count = unsigned long long;  // 64 bits
using Integer = long long;

enum : Count { kOverflow = 1, kIndex = 3, kLimit = 7, kFuel = 8 };

// How a case has ended: 0, or the trap with its depth and the place.
__device__ __forceinline__ Count trapped(Count trap, Count place) {
  return trap | 1u << 8 | place << 32;
}

struct Case {
  const void* const* columns;
  Count row;
  Count left;  // ticks
  Count value = 0;

  __device__ __forceinline__ double real(int k) const {
    return static_cast<const double*>(columns[k])[row];
  }
  __device__ __forceinline__ Integer integer(int k) const {
    return static_cast<const Integer*>(columns[k])[row];
  }
  // A tick; false: there is none.
  __device__ __forceinline__ bool tick() {
    if (left == 0) return false;
    --left;
    return true;
  }
  __device__ __forceinline__ Count give(double x) {
    value = x != x ? 0x7FF8000000000000u : static_cast<Count>(__double_as_longlong(x));
    return 0;
  }
  __device__ __forceinline__ Count give(Integer x) {
    value = static_cast<Count>(x);
    return 0;
  }
};

// False: it overflows.
__device__ __forceinline__ bool add(Integer a, Integer b, Integer& sum) {
  sum = static_cast<Integer>(static_cast<Count>(a) + static_cast<Count>(b));
  return ((a ^ sum) & (b ^ sum)) >= 0;
}
__device__ __forceinline__ bool subtract(Integer a, Integer b, Integer& difference) {
  difference = static_cast<Integer>(static_cast<Count>(a) - static_cast<Count>(b));
  return ((a ^ b) & (a ^ difference)) >= 0;
}
__device__ __forceinline__ bool multiply(Integer a, Integer b, Integer& product) {
  product = static_cast<Integer>(static_cast<Count>(a) * static_cast<Count>(b));
  return __mul64hi(a, b) == product >> 63;
}

struct Poly {
  static __device__ __forceinline__ Count run(Case& c) {
    const double x = c.real(0), y = c.real(1);
    const double a = ((x * 0.25 + 1.5) * x - y) * x + 1001.75;
    const double b = ((y * 0.5 - x) * y + 1.25) * y - 3.0;
    return c.give(a * b + (a - b) * (x + y));
  }
};

struct Collatz {
  static __device__ __forceinline__ Count run(Case& c) {
    Integer k = c.integer(0), steps = 0;
    for (int limit = 1001; k != 1; --limit) {
      if (limit == 0) return trapped(kLimit, 10);
      if (!c.tick()) return trapped(kFuel, 11);
      if (k % 2 == 0) {
        k = k / 2;
      } else {
        if (!multiply(3, k, k)) return trapped(kOverflow, 18);
        if (!add(k, 1, k)) return trapped(kOverflow, 20);
      }
      if (!add(steps, 1, steps)) return trapped(kOverflow, 25);
    }
    return c.give(steps);
  }
};

struct Sort {
  static __device__ __forceinline__ Count run(Case& c) {
    Integer xs[32] = {};
    Integer s = c.integer(0);
    for (Integer i = 0; i < 32; ++i) {
      if (!c.tick()) return trapped(kFuel, 8);
      if (!multiply(s, 1103, s)) return trapped(kOverflow, 10);
      if (!add(s, 1001, s)) return trapped(kOverflow, 12);
      s = s % 65536;
      xs[i] = s;
    }
    for (Integer i = 1; i < 32; ++i) {
      if (!c.tick()) return trapped(kFuel, 25);
      const Integer x = xs[i];
      Integer j = i;
      while (true) {
        bool goes_on = j > 0;
        if (goes_on) {
          if (static_cast<Count>(j - 1) >= 32) return trapped(kIndex, 34);
          goes_on = xs[j - 1] > x;
        }
        if (!goes_on) break;
        if (!c.tick()) return trapped(kFuel, 38);
        if (static_cast<Count>(j) >= 32) return trapped(kIndex, 44);
        xs[j] = xs[j - 1];
        if (!subtract(j, 1, j)) return trapped(kOverflow, 46);
      }
      if (static_cast<Count>(j) >= 32) return trapped(kIndex, 50);
      xs[j] = x;
    }
    Integer a, b, sum;
    if (!multiply(3, xs[16], a)) return trapped(kOverflow, 56);
    if (!add(xs[0], a, sum)) return trapped(kOverflow, 57);
    if (!multiply(7, xs[31], b)) return trapped(kOverflow, 60);
    if (!add(sum, b, sum)) return trapped(kOverflow, 61);
    return c.give(sum);
  }
};

struct Packing {
  static __device__ __forceinline__ Count run(Case& c) {
    Integer room_of[64];
    for (int i = 0; i < 64; ++i) room_of[i] = 100;
    Integer used = 0, s = c.integer(0);
    for (Integer i = 0; i < 64; ++i) {
      if (!c.tick()) return trapped(kFuel, 10);
      if (!multiply(s, 1103, s)) return trapped(kOverflow, 12);
      if (!add(s, 1001, s)) return trapped(kOverflow, 14);
      s = s % 65536;
      Integer item;
      if (!add(20, s % 50, item)) return trapped(kOverflow, 21);
      Integer best = used, room = 101;
      for (Integer b = 0; b < used; ++b) {
        if (!c.tick()) return trapped(kFuel, 30);
        if (static_cast<Count>(b) >= 64) return trapped(kIndex, 32);
        if (room_of[b] >= item && room_of[b] < room) {
          best = b;
          room = room_of[b];
        }
      }
      if (best == used && !add(used, 1, used)) return trapped(kOverflow, 48);
      if (static_cast<Count>(best) >= 64) return trapped(kIndex, 51);
      Integer rest;
      if (!subtract(room_of[best], item, rest)) return trapped(kOverflow, 53);
      room_of[best] = rest;
    }
    return c.give(used);
  }
};

#if defined(KOMUZ_BENCH_MATH)
struct Pendulum {
  static __device__ __forceinline__ Count run(Case& c) {
    const double t = c.real(0), w = c.real(1);
    return c.give(evaluate_unary<Op::Exp>(-0.1 * t).value * evaluate_unary<Op::Cos>(w * t).value +
                  0.5 * t);
  }
};

struct Lorentz {
  static __device__ __forceinline__ Count run(Case& c) {
    const double x = c.real(0), u = c.real(1);
    return c.give((x - u) / sqrt(1.0 - evaluate_binary<Op::Pow>(u / 100.0, 2.0).value));
  }
};
#endif

template <class Program>
__device__ __forceinline__ void run_rows(const void* const* columns, Count* __restrict__ values,
                                         unsigned char* __restrict__ traps,
                                         unsigned* __restrict__ places,
                                         unsigned* __restrict__ depths, Count* __restrict__ fuel,
                                         Count count, Count budget) {
  const Count row = Count{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= count) return;
  Count ended = trapped(kFuel, 0), ticks = 0;
  Case c = {columns, row, budget - 1};
  if (budget != 0) {
    ended = Program::run(c);
    ticks = budget - c.left;
  }
  values[row] = ended == 0 ? c.value : 0;
  traps[row] = static_cast<unsigned char>(ended);
  places[row] = static_cast<unsigned>(ended >> 32);
  depths[row] = static_cast<unsigned>(ended) >> 8;
  fuel[row] = ticks;
}

// Results have one cell, so the distance of cells is not looked at.
#define KOMUZ_BENCH_KERNEL(Program, name)                                                       \
  extern "C" __global__ void name(const void* const* columns, komuz::bench::Count* values,      \
                                  unsigned char* traps, unsigned* places, unsigned* depths,     \
                                  komuz::bench::Count* fuel, komuz::bench::Count count,         \
                                  komuz::bench::Count, komuz::bench::Count budget) {            \
    komuz::bench::run_rows<komuz::bench::Program>(columns, values, traps, places, depths, fuel, \
                                                  count, budget);                               \
  }

}  // namespace komuz::bench
