// SPDX-License-Identifier: Apache-2.0
// erf: polynomials for pieces of the positive numbers.
//
//   below 7/8 (f32: 3/4):  erf x = x + x · p(x²)
//   [from, to):            erf x = erf c + u · p(u), u = x − c, with c in the middle
//   from the last end on the result is 1
//
// Only the second term, a tenth of the result, and the sum are rounded. All lanes go through the same steps: each
// coefficient is the one for the lane's piece.
//
// Polynomials: scripts/math-coefficients. In f64 they are off by less than 2^-55 (below 7/8) and 2^-56, in f32
// by less than 2^-26.
#pragma once
#include "lang/ops/math/exponents.h"
#include "lang/ops/math/pairs.h"
#include "lang/ops/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class F, u32 terms>
struct ErfPiece {
  F from, centre;
  F value_high, value_low;  // erf of the centre
  F coefficients[terms];    // of p, lowest first
};

template <class F, u32 pieces, u32 terms>
struct ErfTable {
  ErfPiece<F, terms> rows[pieces];
  F end;
};

HD_TABLE ErfTable<f64, 5, 18> kErfF64 = {
    {{0.0,
      0.0,
      0.0,
      0.0,
      {0x1.06eba8214db69p-3, -0x1.812746b0379e7p-2, 0x1.ce2f21a042bd7p-4, -0x1.b82ce312886a2p-6,
       0x1.565bcd0e58cf3p-8, -0x1.c02db3fb601afp-11, 0x1.f9a3261a6142dp-14, -0x1.f4d241702af74p-17,
       0x1.b9e4950fc63fdp-20, -0x1.5f5428e396d43p-23, 0x1.fa4e005689afbp-27, -0x1.41f4637cec48bp-30,
       0x1.237e3ce85b93dp-34, 0.0, 0.0, 0.0, 0.0, 0.0}},
     {0x1.c000000000000p-1,
      0x1.5000000000000p+0,
      0x1.df85ea8db188ep-1,
      -0x1.f71e8254d11a9p-55,
      {0x1.9cb5bd549b111p-3, -0x1.0ed7443f85c33p-2, 0x1.5066cda84bba9p-3, -0x1.419fa10b6ed89p-6,
       -0x1.3f41761d5a8d4p-5, 0x1.6d1d724bab19ep-6, 0x1.e377f56fe3699p-11, -0x1.4cc916adbe006p-8,
       0x1.553ef0d61524cp-10, 0x1.26240fa176c9bp-11, -0x1.6bbf11328fdb5p-12, -0x1.320e15058ed23p-17,
       0x1.a9d4de2d2dcb2p-15, -0x1.16f9b0ff31e1ap-17, -0x1.442e2f1991d23p-18, 0x1.d77f8f6a7c995p-20,
       0x1.1ae3833c7222dp-22, -0x1.b8e7fb217fc18p-23}},
     {0x1.c000000000000p+0,
      0x1.2000000000000p+1,
      0x1.ff404760319b4p-1,
      0x1.f142071432025p-56,
      {0x1.d4143a9dfe965p-8, -0x1.074b60f8df349p-6, 0x1.63ef61e824457p-6, -0x1.38a98327890f9p-6,
       0x1.5d3b17bbde50fp-7, -0x1.7cae0d45adc61p-9, -0x1.5f8313b03db9cp-11, 0x1.0602e33a600a6p-10,
       -0x1.8352ce1b371d8p-12, -0x1.80c1263261db4p-17, 0x1.11324f0ea1824p-14,
       -0x1.7ca58d11a3590p-16, -0x1.65e8adba2b02bp-20, 0x1.cb16fb6593e69p-19,
       -0x1.cba794bfdd24ap-21, -0x1.54bdb205b7d7bp-23, 0x1.0e8fea74392b6p-23,
       -0x1.d6d03267e84e3p-27}},
     {0x1.6000000000000p+1,
      0x1.b000000000000p+1,
      0x1.ffffc316d9ed0p-1,
      -0x1.8b32f44f46b3bp-55,
      {0x1.abe09e9144976p-17, -0x1.690585ca91f75p-15, 0x1.84522fe88789cp-14, -0x1.298f8d45f7318p-13,
       0x1.577577878c974p-13, -0x1.330aab7798685p-13, 0x1.ac99980853a48p-14, -0x1.cc1578d263db2p-15,
       0x1.64c527d76b4e0p-16, -0x1.34f025e839745p-18, -0x1.5f8a758682db7p-21, 0x1.1e1c4eec316b6p-20,
       -0x1.ef5b64864c1d7p-22, 0x1.5f71edf2a5ffep-24, 0x1.6803dcdfa4ed6p-26, -0x1.3a4b42471e6fcp-26,
       0x1.166da50485fc0p-28, 0x1.5398172ece8d5p-32}},
     {0x1.0000000000000p+2,
      0x1.4000000000000p+2,
      0x1.fffffffffc9e8p-1,
      -0x1.a759f7738935fp-56,
      {0x1.13af4b0732ecbp-36, -0x1.589b2241bdd0cp-34, 0x1.196dc909df47ap-32, -0x1.516d4731bf47bp-31,
       0x1.3c50c4d68d5a7p-30, -0x1.e234fb673e2dap-30, 0x1.32cc7ae13df87p-29, -0x1.4bd16e8e38616p-29,
       0x1.34eb0dede1082p-29, -0x1.f3f59fad34c8cp-30, 0x1.621165746d04cp-30, -0x1.b63a1087b0ab6p-31,
       0x1.d5f44bd05e8dfp-32, -0x1.b9ca665443984p-33, 0x1.7643bde355151p-34, -0x1.0274025de8a1ep-35,
       0x1.91cf95530af8dp-38, -0x1.52d3fc45b8f08p-43}}},
    6.0};
HD_TABLE ErfTable<f32, 4, 8> kErfF32 = {
    {{0.0f,
      0.0f,
      0.0f,
      0.0f,
      {0x1.06eba8p-3f, -0x1.81273ap-2f, 0x1.ce2ae2p-4f, -0x1.b7aaa0p-6f, 0x1.4f3d08p-8f,
       -0x1.623bf0p-11f, 0.0f, 0.0f}},
     {0.75f,
      1.125f,
      0x1.c6dad2p-1f,
      0x1.053d8cp-26f,
      {0x1.45e99cp-2f, -0x1.6ea6d0p-2f, 0x1.4cb3aap-3f, 0x1.ca53c4p-6f, -0x1.f64836p-5f,
       0x1.fc349cp-7f, 0x1.372d9cp-7f, -0x1.768182p-8f}},
     {1.5f,
      2.0f,
      0x1.fd9ae2p-1f,
      -0x1.7b0d44p-26f,
      {0x1.529b9ep-6f, -0x1.529b9ap-5f, 0x1.8b0ae0p-5f, -0x1.1a2e7ap-5f, 0x1.aceb0ap-7f,
       0x1.f6ddccp-12f, -0x1.bbee4ep-9f, 0x1.7eeb2ap-10f}},
     {2.5f,
      3.25f,
      0x1.ffff70p-1f,
      -0x1.82606ap-27f,
      {0x1.e96b28p-16f, -0x1.8de3a2p-14f, 0x1.9cb992p-13f, -0x1.2c8022p-12f, 0x1.3fa6e0p-12f,
       -0x1.1428cap-12f, 0x1.9bcb9ap-13f, -0x1.5a8652p-14f}}},
    4.0f};

// erf x, 0 <= x <= table.end
template <u32 pieces, u32 terms, class V>
HD V erf_by_table(const ErfTable<Element<V>, pieces, terms>& table, V x) {
  Mask<V> is_from[pieces];
  for (u32 piece = 1; piece < pieces; ++piece)
    is_from[piece] = x >= splat<V>(table.rows[piece].from);
  const auto of_piece = [&](auto column) {
    V value = splat<V>(column(table.rows[0]));
    for (u32 piece = 1; piece < pieces; ++piece)
      value = select<V>(is_from[piece], splat<V>(column(table.rows[piece])), value);
    return value;
  };
  using Row = ErfPiece<Element<V>, terms>;
  const Mask<V> is_low = x < splat<V>(table.rows[1].from);
  const V away = x - of_piece([](const Row& row) { return row.centre; });
  const V argument = select<V>(is_low, x * x, away);
  V sum = of_piece([](const Row& row) { return row.coefficients[terms - 1]; });
  for (u32 k = terms - 1; k-- > 0;)
    sum = sum * argument + of_piece([k](const Row& row) { return row.coefficients[k]; });
  const V first = select<V>(is_low, x, of_piece([](const Row& row) { return row.value_high; }));
  const V low = of_piece([](const Row& row) { return row.value_low; });
  return first + (select<V>(is_low, x, away) * sum + low);
}

template <class V>
HD V erf_lanes(V x) {
  const auto of_size = [](const auto& table, V size) {
    return erf_by_table(table, limit_size(size, table.end));
  };
  if constexpr (lane_bits<V> == 32)
    return copy_sign(of_size(kErfF32, magnitude(x)), x);
  else
    return copy_sign(of_size(kErfF64, magnitude(x)), x);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
