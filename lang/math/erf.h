// SPDX-License-Identifier: Apache-2.0
// erf: polynomials for pieces of the positive numbers.
//
//   below 7/8:   erf x = x + x · p(x²)
//   [from, to):  erf x = erf c + u · p(u), u = x − c, with c in the middle
//   from the last end on the result is 1
//
// What is rounded is the second term, a tenth of the result, and the sum. All lanes go through the same steps: each
// coefficient is the one of the lane's piece.
//
// Polynomials: scripts/math-coefficients. In f64 they are off by less than 2^-55 (below 1) and 2^-56.
#pragma once
#include "lang/math/exponents.h"
#include "lang/math/pairs.h"
#include "lang/op_eval_float.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

template <u32 terms>
struct ErfPiece {
  f64 from, centre;
  f64 value_high, value_low;  // erf of the centre
  f64 coefficients[terms];    // of p, lowest first
};

template <u32 pieces, u32 terms>
struct ErfTable {
  ErfPiece<terms> rows[pieces];
  f64 end;
};

HD_TABLE ErfTable<5, 18> kErf = {
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
HD_TABLE ErfTable<4, 11> kErfForF32 = {
    {{0.0,
      0.0,
      0.0,
      0.0,
      {0x1.06eba82022eadp-3, -0x1.81274665754c3p-2, 0x1.ce2f08fec14fdp-4, -0x1.b829c897922e5p-6,
       0x1.562a60ddba6e6p-8, -0x1.bccf664d7f763p-11, 0x1.d887505de3ba6p-14, -0x1.445f47d33d87bp-17,
       0.0, 0.0, 0.0}},
     {0x1.0000000000000p+0,
      0x1.8000000000000p+0,
      0x1.eea5557137ae0p-1,
      -0x1.385e445f2c96dp-55,
      {0x1.e723726b8249dp-4, -0x1.6d5a95b7f55c5p-3, 0x1.1c2a02c54cc79p-3, -0x1.6d5ab4baea291p-5,
       -0x1.e7239356e7623p-7, 0x1.3ca948aad6321p-6, -0x1.36d178a6325eap-8, -0x1.37415cb6351a8p-9,
       0x1.bf65d161778b7p-10, -0x1.6d9357881d99ap-15, -0x1.fb6ce8a602d33p-13}},
     {0x1.0000000000000p+1,
      0x1.4000000000000p+1,
      0x1.ffcaa8f4c9beap-1,
      0x1.b0cee160116f9p-55,
      {0x1.1d83170fbf74cp-9, -0x1.64e3dd740ed59p-8, 0x1.119da0dcf7215p-7, -0x1.1a89a06c47392p-7,
       0x1.90e80325e45e9p-8, -0x1.6ed686c1cc2a2p-9, 0x1.1c6bdacb3a1d9p-11, 0x1.13d812b0b5cbdp-12,
       -0x1.0738ff43e823bp-12, 0x1.2238d4aa9aa3dp-14, 0x1.122e13f1abf15p-17}},
     {0x1.8000000000000p+1,
      0x1.c000000000000p+1,
      0x1.ffffe710d565ep-1,
      0x1.c9ea52d76dc04p-55,
      {0x1.6a597219a8e07p-18, -0x1.3d0e3e0439323p-16, 0x1.62cce8a266a8cp-15, -0x1.1c07e6478e44fp-14,
       0x1.586bf60016c53p-14, -0x1.460b23ca4e9b5p-14, 0x1.e81bb26da04eap-15, -0x1.2019cad45d44ep-15,
       0x1.02159af949291p-16, -0x1.212d33d663eb2p-18, 0x1.fad4a5c80fd9cp-23}}},
    4.0};

// erf x, 0 <= x <= table.end
template <u32 pieces, u32 terms, class V>
HD V erf_by_table(const ErfTable<pieces, terms>& table, V x) {
  Mask<V> is_from[pieces];
  for (u32 piece = 1; piece < pieces; ++piece)
    is_from[piece] = x >= splat<V>(table.rows[piece].from);
  const auto of_piece = [&](auto column) {
    V value = splat<V>(column(table.rows[0]));
    for (u32 piece = 1; piece < pieces; ++piece)
      value = select<V>(is_from[piece], splat<V>(column(table.rows[piece])), value);
    return value;
  };
  using Row = ErfPiece<terms>;
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

template <class Result, class V>
HD V erf_lanes(V x) {
  const V size = magnitude(x);
  V value;
  if constexpr (std::is_same_v<Result, f32>) {
    value = erf_by_table(kErfForF32, limit_size(size, kErfForF32.end));
  } else {
    value = erf_by_table(kErf, limit_size(size, kErf.end));
  }
  return copy_sign(value, x);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
