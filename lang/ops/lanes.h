// SPDX-License-Identifier: Apache-2.0
// Lanes: one vocabulary for a scalar and for a SIMD vector of scalars, so that op_eval.h is written once. A vector is
// a g++ vector (`vector_size`) of 8 bytes or more; its operators work lane by lane as those of scalars do. Only the
// few functions of lanes_x86.h know an instruction set; the rest is plain arithmetic.
//
// A third kind is staged lanes (backend/ir/ir_values.h): a value stands for code that computes it later, and operators
// write that code. So nothing here may look at lanes by `if` or `while`: if_any and while_any do.
#pragma once
#include <type_traits>
#include <utility>

#include "base/ints.h"

// Every instruction set has an inline namespace of its own, so that the linker never takes the AVX-512 body of a
// function for the portable one.
#if defined(__CUDACC__)
#define KOMUZ_ISA_NAMESPACE isa_cuda
#elif defined(__AVX512F__)
#define KOMUZ_ISA_NAMESPACE isa_avx512
#elif defined(__AVX2__)
#define KOMUZ_ISA_NAMESPACE isa_avx2
#else
#define KOMUZ_ISA_NAMESPACE isa_portable
#endif

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class V>
inline constexpr bool is_scalar = std::is_arithmetic_v<V>;
// True if V is staged lanes. It then has a constructor from an element, and a LaneShape of its own.
template <class V>
inline constexpr bool is_staged = false;

template <size_t bytes>
struct IntegersOf;
template <>
struct IntegersOf<1> {
  using Signed = i8;
  using Unsigned = u8;
  using Wider = u16;
};
template <>
struct IntegersOf<2> {
  using Signed = i16;
  using Unsigned = u16;
};
template <>
struct IntegersOf<4> {
  using Signed = i32;
  using Unsigned = u32;
};
template <>
struct IntegersOf<8> {
  using Signed = i64;
  using Unsigned = u64;
};

// The element type of V. `As<T>`: the same number of lanes, of T. `Mask`: the result of a comparison; for a vector,
// lanes of the same width that are 0 or -1.
template <class V, bool scalar = is_scalar<V>>
struct LaneShape {
  using Element = V;
  static constexpr u32 count = 1;
  template <class T>
  struct As {
    using Type = T;
  };
  using Mask = bool;
};

#if !defined(__CUDACC__)
template <class V>
struct LaneShape<V, false> {
  using Element = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<V&>()[0])>>;
  static constexpr u32 count = sizeof(V) / sizeof(Element);
  template <class T>
  struct As {
    typedef T Type __attribute__((vector_size(sizeof(T) * count)));
  };
  using Mask = typename As<typename IntegersOf<sizeof(Element)>::Signed>::Type;
};

// A vector of `bytes` bytes of T.
template <class T, size_t bytes>
struct VectorOf {
  typedef T Type __attribute__((vector_size(bytes)));
};
template <class T, size_t bytes>
using Vector = typename VectorOf<T, bytes>::Type;
#endif

template <class V>
using Element = typename LaneShape<V>::Element;
template <class V>
using Mask = typename LaneShape<V>::Mask;
template <class V, class T>
using LanesAs = typename LaneShape<V>::template As<T>::Type;
// Lanes of the same width, as integers.
template <class V>
using SignedLanes = LanesAs<V, typename IntegersOf<sizeof(Element<V>)>::Signed>;
template <class V>
using UnsignedLanes = LanesAs<V, typename IntegersOf<sizeof(Element<V>)>::Unsigned>;

template <class V>
inline constexpr u32 lane_count = LaneShape<V>::count;
template <class V>
inline constexpr u32 lane_bits = sizeof(Element<V>) * 8;
template <class V>
inline constexpr bool is_float_lanes = std::is_floating_point_v<Element<V>>;
template <class V>
inline constexpr bool is_signed_lanes = std::is_signed_v<Element<V>> && !is_float_lanes<V>;

// The smallest and the largest value of an integer lane.
template <class V>
inline constexpr Element<V> lane_max = static_cast<Element<V>>(
    is_signed_lanes<V> ? (u64{1} << (lane_bits<V> - 1)) - 1 : ~u64{0} >> (64 - lane_bits<V>));
template <class V>
inline constexpr Element<V> lane_min = static_cast<Element<V>>(~lane_max<V>);

template <class V>
HD V splat(Element<V> x) {
  if constexpr (is_scalar<V>) {
    return x;
  } else if constexpr (is_staged<V>) {
    return V(x);
  } else {
    return x - V{};  // not +: -0 + 0 is +0
  }
}

// For floats, the nearest one.
template <class V>
HD V float_constant(f64 x) {
  return splat<V>(static_cast<Element<V>>(x));
}

template <class V>
HD V select(Mask<V> mask, V if_true, V if_false) {
  return mask ? if_true : if_false;
}

// In each lane of unsigned integers the row of a table that its index names.
template <class U, size_t rows>
HD U look_up(const Element<U> (&table)[rows], U index) {
  if constexpr (is_scalar<U>) {
    return table[index];
  } else {
    U found;
    for (u32 i = 0; i < lane_count<U>; ++i) found[i] = table[index[i]];
    return found;
  }
}

// The same bits as another type of the same size.
template <class To, class From>
HD To bits_as(From x) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, x);
}

// Converts 64-bit integers to f64 with one rounding, without an instruction for it: both halves are put into the
// mantissas of 2^84 and 2^52. Subtracting these is exact, and only the last addition rounds.
template <class F, class I>
HD F f64_of_integers(I x) {
  using U = UnsignedLanes<I>;
  constexpr u64 bias = is_signed_lanes<I> ? u64{1} << 63 : 0;  // makes signed numbers positive
  const U biased = bits_as<U>(x) ^ splat<U>(bias);
  const F high = bits_as<F>((biased >> 32) | splat<U>(__builtin_bit_cast(u64, 0x1p84)));
  const F low =
      bits_as<F>((biased & splat<U>(0xFFFF'FFFFu)) | splat<U>(__builtin_bit_cast(u64, 0x1p52)));
  return (high - splat<F>(0x1p84 + 0x1p52 + static_cast<f64>(bias))) + low;
}

// Each lane converted as by static_cast. Also for masks: 0 and -1 keep their meaning at every width.
template <class To, class From>
HD To convert_lanes(From x) {
  static_assert(lane_count<To> == lane_count<From>);
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (is_scalar<To>) {
    return static_cast<To>(x);
#if !defined(__AVX512DQ__)
  } else if constexpr (is_float_lanes<To> && lane_bits<To> == 64 && !is_float_lanes<From> &&
                       lane_bits<From> == 64) {
    return f64_of_integers<To>(x);
#endif
  } else {
    return __builtin_convertvector(x, To);
  }
}

#if !defined(__CUDACC__)
template <class V>
struct Halves {
  typedef Element<V> Half __attribute__((vector_size(sizeof(V) / 2)));
  Half low, high;
};
#endif

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
