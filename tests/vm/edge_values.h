// SPDX-License-Identifier: Apache-2.0
// Cells of every scalar type at which operations are likely to go wrong, and a seeded stream with many of them.
#pragma once
#include <bit>
#include <limits>
#include <vector>

#include "base/random.h"
#include "lang/ops/eval_cells.h"

namespace komuz::test {

template <class T>
std::vector<u64> float_edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {
      T(0),
      T(0.25),
      T(0.5),
      std::bit_cast<T>(static_cast<UnsignedLanes<T>>(std::bit_cast<UnsignedLanes<T>>(T(0.5)) - 1)),
      T(1),
      T(1) + Limits::epsilon(),
      T(1) - Limits::epsilon() / 2,
      T(1.5),
      T(2),
      T(2.5),
      T(3),
      T(127),
      T(128),
      T(255),
      T(255.75),
      T(256),
      T(0x1p22) + T(0.5),
      T(0x1p23),
      T(0x1p23) + T(1),
      T(0x1p24) + T(2),
      T(0x1p31),
      T(2147483647.0),
      T(0x1p32),
      T(4294967295.0),
      T(0x1p51) + T(0.5),
      T(0x1p52),
      T(9007199254740991.0),
      T(9007199254740992.0),
      T(9007199254740994.0),
      T(0x1p63),
      T(9223372036854774784.0),
      T(0x1p64),
      T(18446744073709549568.0),
      T(1e19),
      T(1e30),
      T(0.1),
      Limits::min(),
      Limits::min() * T(1.5),
      Limits::min() - Limits::denorm_min(),
      Limits::denorm_min(),
      Limits::denorm_min() * T(3),
      Limits::max(),
      Limits::max() / T(2),
      Limits::infinity()};
  std::vector<u64> cells;
  for (T value : values) {
    cells.push_back(cell_of_value(value));
    cells.push_back(cell_of_value(-value));
  }
  cells.push_back(cell_of_value(Limits::quiet_NaN()));
  return cells;
}

template <class T>
std::vector<u64> integer_edges() {
  std::vector<u64> cells;
  const auto add = [&cells](u64 bits) { cells.push_back(cell_of_value(static_cast<T>(bits))); };
  for (u64 small = 0; small <= 10; ++small) {
    add(small);
    add(~small);
  }
  for (u32 places : {4u, 7u, 8u, 15u, 16u, 24u, 31u, 32u, 33u, 53u, 62u, 63u, 64u}) {
    add(places);
    const u64 power = places < 64 ? u64{1} << places : 0;
    for (u64 around : {power - 1, power, power + 1}) {
      add(around);
      add(~around);
    }
  }
  for (u64 root : {46340u, 46341u, 65535u, 65536u}) add(root);
  for (u64 root : {3037000499u, 3037000500u}) add(root);
  add(0x5555'5555'5555'5555u);
  add(0x0123'4567'89AB'CDEFu);
  return cells;
}

inline std::vector<u64> edges(Scalar type) {
  switch (type) {
    case Scalar::None: return {};
    case Scalar::Bool: return {0, 1};
    case Scalar::I32: return integer_edges<i32>();
    case Scalar::I64: return integer_edges<i64>();
    case Scalar::U8: return integer_edges<u8>();
    case Scalar::U32: return integer_edges<u32>();
    case Scalar::U64: return integer_edges<u64>();
    case Scalar::F32: return float_edges<f32>();
    case Scalar::F64: return float_edges<f64>();
  }
  return {};
}

// One third edges, one third random bits, one third numbers of ordinary size.
class EdgeStream {
 public:
  EdgeStream(Scalar type, u64 seed) : type_(type), edges_(edges(type)), random_(seed) {}
  u64 next() {
    const u64 bits = random_.next();
    if (type_ == Scalar::Bool) return bits >> 63;
    const u32 kind = random_.below(3);
    if (kind == 0) return random_.pick(edges_);
    if (kind == 1) return canonical_cell(type_, bits);
    const i64 small = static_cast<i64>(bits) >> (40 + random_.below(24));
    if (type_ == Scalar::F64) return cell_of_value(static_cast<f64>(small) / 64);
    if (type_ == Scalar::F32) return cell_of_value(static_cast<f32>(small) / 64);
    return canonical_cell(type_, static_cast<u64>(small));
  }

 private:
  Scalar type_;
  std::vector<u64> edges_;
  Random random_;
};

inline std::vector<u64> edge_column(Scalar type, u32 count, u64 seed) {
  EdgeStream stream(type, seed);
  std::vector<u64> cells(count);
  for (u64& cell : cells) cell = stream.next();
  return cells;
}
// Numbers below `below`.
inline std::vector<u64> small_column(u32 count, u32 below, u64 seed) {
  Random random(seed);
  std::vector<u64> cells(count);
  for (u64& cell : cells) cell = random.below(below);
  return cells;
}

}  // namespace komuz::test
