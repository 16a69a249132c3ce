// SPDX-License-Identifier: Apache-2.0
// The functions on lanes that are one instruction on machines that have it: square root, fused multiply-add, the
// product of half lanes, rounding to integral values, "is any lane set" and what is done then. Vectors wider than a register are done by
// halves. Results are exact or correctly rounded, so they are the same on every path.
#pragma once
#include "lang/ops/lanes.h"
#include "lang/ops/soft_fma.h"
#if defined(__AVX2__) && !defined(__CUDACC__)
#include <immintrin.h>
#elif !defined(__CUDACC__)
#include <emmintrin.h>  // the larger header takes the compiler half a second, in 150 sources
#endif

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// The values of the instruction's operand.
enum class Rounding : u8 { Nearest, Down, Up, Zero };

// True if fma_lanes is one instruction.
#if defined(__FMA__) || defined(__CUDA_ARCH__)
inline constexpr bool kFusesMultiplyAdd = true;
#else
inline constexpr bool kFusesMultiplyAdd = false;
#endif

// True if one instruction rounds vectors to integral values; otherwise op_eval_float.h does it by arithmetic.
#if defined(__AVX2__) && !defined(__CUDACC__)
inline constexpr bool kRoundsVectors = true;
#else
inline constexpr bool kRoundsVectors = false;
#endif

#if defined(__CUDACC__)
template <class T, class F, class... V>
HD auto by_registers(F f, V... x) {
  return f(x...);
}
// f(x…) inline: a call would take registers from the surrounding kernel.
template <class F, class... V>
HD auto out_of_line(F f, V... x) {
  return f(x...);
}
// True if any lane of a mask is set.
HD bool any_lane(bool mask) { return mask; }
// The product of the low halves of two lanes of u64.
HD u64 multiply_low_halves(u64 a, u64 b) { return u64{static_cast<u32>(a)} * static_cast<u32>(b); }
#endif

#if defined(__CUDA_ARCH__)

HD f32 sqrt_lanes(f32 x) { return __fsqrt_rn(x); }
HD f64 sqrt_lanes(f64 x) { return __dsqrt_rn(x); }
HD f32 fma_lanes(f32 a, f32 b, f32 c) { return __fmaf_rn(a, b, c); }
HD f64 fma_lanes(f64 a, f64 b, f64 c) { return __fma_rn(a, b, c); }

#elif defined(__CUDACC__)

HD f32 sqrt_lanes(f32 x) { return __builtin_sqrtf(x); }
HD f64 sqrt_lanes(f64 x) { return __builtin_sqrt(x); }
HD f32 fma_lanes(f32 a, f32 b, f32 c) { return soft_fma(a, b, c); }
HD f64 fma_lanes(f64 a, f64 b, f64 c) { return soft_fma(a, b, c); }

#else

#if defined(__AVX512F__)
inline constexpr size_t kRegisterBytes = 64;
#elif defined(__AVX2__)
inline constexpr size_t kRegisterBytes = 32;
#else
inline constexpr size_t kRegisterBytes = 16;
#endif

// f on both halves.
template <class V, class F, class... Rest>
HD V by_halves(F f, V x, Rest... rest) {
  const auto parts = bits_as<Halves<V>>(x);
  return bits_as<V>(Halves<V>{f(parts.low, bits_as<Halves<Rest>>(rest).low...),
                              f(parts.high, bits_as<Halves<Rest>>(rest).high...)});
}

// f(x…) by a call, for long functions that take many times as long as the call.
template <class F, class... V>
HD_COLD auto out_of_line(F f, V... x) {
  return f(x...);
}

// f(x, rest…), by halves as long as its lanes, or those of T, are wider than a register: for wider vectors the
// compiler emits more moves than sums.
template <class T, class F, class V, class... Rest>
HD V by_registers(F f, V x, Rest... rest) {
  if constexpr (!is_scalar<V> && sizeof(LanesAs<V, T>) > kRegisterBytes) {
    return by_halves([f](auto... parts) { return by_registers<T>(f, parts...); }, x, rest...);
  } else {
    return f(x, rest...);
  }
}

// Vectors of 8 bytes sit in the low half of a register of 16.
template <class V>
HD Vector<Element<V>, 16> widen_to_register(V x) {
  return bits_as<Vector<Element<V>, 16>>(Halves<Vector<Element<V>, 16>>{x, V{}});
}

template <class V>
HD V sqrt_lanes(V x) {
  constexpr bool single = std::is_same_v<Element<V>, f32>;
  if constexpr (is_scalar<V> && single) {
    return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
  } else if constexpr (is_scalar<V>) {
    return _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set_sd(x)));
  } else if constexpr (sizeof(V) == 8) {
    return bits_as<Halves<Vector<Element<V>, 16>>>(sqrt_lanes(widen_to_register(x))).low;
  } else if constexpr (sizeof(V) > kRegisterBytes) {
    return by_halves([](auto half) { return sqrt_lanes(half); }, x);
  } else if constexpr (sizeof(V) == 16) {
    if constexpr (single)
      return bits_as<V>(_mm_sqrt_ps(bits_as<__m128>(x)));
    else
      return bits_as<V>(_mm_sqrt_pd(bits_as<__m128d>(x)));
  }
#if defined(__AVX2__)
  else if constexpr (sizeof(V) == 32) {
    if constexpr (single)
      return bits_as<V>(_mm256_sqrt_ps(bits_as<__m256>(x)));
    else
      return bits_as<V>(_mm256_sqrt_pd(bits_as<__m256d>(x)));
  }
#endif
#if defined(__AVX512F__)
  else if constexpr (sizeof(V) == 64) {
    if constexpr (single)
      return bits_as<V>(_mm512_maskz_sqrt_ps(0xFFFF, bits_as<__m512>(x)));
    else
      return bits_as<V>(_mm512_maskz_sqrt_pd(0xFF, bits_as<__m512d>(x)));
  }
#endif
}

template <class V>
HD V fma_lanes(V a, V b, V c) {
#if defined(__FMA__)
  constexpr bool single = std::is_same_v<Element<V>, f32>;
  if constexpr (is_scalar<V> && single) {
    return _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(a), _mm_set_ss(b), _mm_set_ss(c)));
  } else if constexpr (is_scalar<V>) {
    return _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c)));
  } else if constexpr (sizeof(V) == 8) {
    return bits_as<Halves<Vector<Element<V>, 16>>>(
               fma_lanes(widen_to_register(a), widen_to_register(b), widen_to_register(c)))
        .low;
  } else if constexpr (sizeof(V) > kRegisterBytes) {
    return by_halves([](auto x, auto y, auto z) { return fma_lanes(x, y, z); }, a, b, c);
  } else if constexpr (sizeof(V) == 16) {
    if constexpr (single)
      return bits_as<V>(_mm_fmadd_ps(bits_as<__m128>(a), bits_as<__m128>(b), bits_as<__m128>(c)));
    else
      return bits_as<V>(
          _mm_fmadd_pd(bits_as<__m128d>(a), bits_as<__m128d>(b), bits_as<__m128d>(c)));
  } else if constexpr (sizeof(V) == 32) {
    if constexpr (single)
      return bits_as<V>(
          _mm256_fmadd_ps(bits_as<__m256>(a), bits_as<__m256>(b), bits_as<__m256>(c)));
    else
      return bits_as<V>(
          _mm256_fmadd_pd(bits_as<__m256d>(a), bits_as<__m256d>(b), bits_as<__m256d>(c)));
  }
#if defined(__AVX512F__)
  else if constexpr (sizeof(V) == 64) {
    if constexpr (single)
      return bits_as<V>(
          _mm512_fmadd_ps(bits_as<__m512>(a), bits_as<__m512>(b), bits_as<__m512>(c)));
    else
      return bits_as<V>(
          _mm512_fmadd_pd(bits_as<__m512d>(a), bits_as<__m512d>(b), bits_as<__m512d>(c)));
  }
#endif
#else
  return soft_fma(a, b, c);
#endif
}

// The product of the low halves of two lanes of u64. A product of whole lanes takes three such instructions and more.
template <class V>
HD V multiply_low_halves(V a, V b) {
  static_assert(std::is_same_v<Element<V>, u64>);
  if constexpr (is_scalar<V>) {
    return u64{static_cast<u32>(a)} * static_cast<u32>(b);
  } else if constexpr (sizeof(V) > kRegisterBytes) {
    return by_halves([](auto x, auto y) { return multiply_low_halves(x, y); }, a, b);
  } else if constexpr (sizeof(V) == 16) {
    return bits_as<V>(_mm_mul_epu32(bits_as<__m128i>(a), bits_as<__m128i>(b)));
  }
#if defined(__AVX2__)
  else if constexpr (sizeof(V) == 32) {
    return bits_as<V>(_mm256_mul_epu32(bits_as<__m256i>(a), bits_as<__m256i>(b)));
  }
#endif
#if defined(__AVX512F__)
  else if constexpr (sizeof(V) == 64) {
    return bits_as<V>(_mm512_maskz_mul_epu32(0xFF, bits_as<__m512i>(a), bits_as<__m512i>(b)));
  }
#endif
}

#if defined(__AVX2__)
// Vectors to integral values, the sign of zeros kept.
template <Rounding rounding, class V>
HD V round_lanes(V x) {
  constexpr int mode = static_cast<int>(rounding) | _MM_FROUND_NO_EXC;
  constexpr bool single = std::is_same_v<Element<V>, f32>;
  if constexpr (sizeof(V) == 8) {
    return bits_as<Halves<Vector<Element<V>, 16>>>(round_lanes<rounding>(widen_to_register(x))).low;
  } else if constexpr (sizeof(V) > kRegisterBytes) {
    return by_halves([](auto half) { return round_lanes<rounding>(half); }, x);
  } else if constexpr (sizeof(V) == 16) {
    if constexpr (single)
      return bits_as<V>(_mm_round_ps(bits_as<__m128>(x), mode));
    else
      return bits_as<V>(_mm_round_pd(bits_as<__m128d>(x), mode));
  } else if constexpr (sizeof(V) == 32) {
    if constexpr (single)
      return bits_as<V>(_mm256_round_ps(bits_as<__m256>(x), mode));
    else
      return bits_as<V>(_mm256_round_pd(bits_as<__m256d>(x), mode));
  }
#if defined(__AVX512F__)
  else if constexpr (sizeof(V) == 64) {
    if constexpr (single)
      return bits_as<V>(_mm512_maskz_roundscale_ps(0xFFFF, bits_as<__m512>(x), mode));
    else
      return bits_as<V>(_mm512_maskz_roundscale_pd(0xFF, bits_as<__m512d>(x), mode));
  }
#endif
}
#endif

// True if any lane of a mask is set.
template <class M>
HD bool any_lane(M mask) {
  if constexpr (is_scalar<M>) {
    return mask;
  } else if constexpr (sizeof(M) <= 8) {
    return bits_as<typename IntegersOf<sizeof(M)>::Unsigned>(mask) != 0;
  } else if constexpr (sizeof(M) > kRegisterBytes) {
    const auto parts = bits_as<Halves<M>>(mask);
    return any_lane(parts.low | parts.high);
  } else if constexpr (sizeof(M) == 16) {
    return _mm_movemask_epi8(bits_as<__m128i>(mask)) != 0;
  }
#if defined(__AVX2__)
  else if constexpr (sizeof(M) == 32) {
    return !_mm256_testz_si256(bits_as<__m256i>(mask), bits_as<__m256i>(mask));
  }
#endif
#if defined(__AVX512F__)
  else if constexpr (sizeof(M) == 64) {
    return _mm512_test_epi32_mask(bits_as<__m512i>(mask), bits_as<__m512i>(mask)) != 0;
  }
#endif
}

#endif

// Does `step` if any lane of the mask is set. Of all lanes it may only assign to those of `changed`.
template <class M, class Step, class... V>
HD void if_any(M mask, Step step, V&... /*changed*/) {
  if (any_lane(mask)) step();
}
// Does `step` for as long as any lane of mask() is set. `changed` as above.
template <class Condition, class Step, class... V>
HD void while_any(Condition mask, Step step, V&... /*changed*/) {
  while (any_lane(mask())) step();
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
