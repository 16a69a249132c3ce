// SPDX-License-Identifier: Apache-2.0
// write_code of emit.h with vectors. emit.h describes what it does and gives.
//
// The order of code is that of the tree, but most of what a usual node writes does not depend on that order: its
// instruction without the constant's number, its place, and how many instructions it makes. So a first loop prepares
// these for 16 nodes at a time, in source order, where columns are read in a row. A second loop goes over post-order,
// and copies. Nodes that are not usual are left to the definition.
//
//   offset     the first four bytes of the instruction; then, as ever, where the node's code starts
//   number     the place in the source
//   own_code   0 or 1; kGeneral: the definition writes the node
#pragma once
#include "frontend_gpu/code/emit.h"
#include "frontend_gpu/columns/metered_group.h"
#include "frontend_gpu/tree/lists.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// What a role makes, in bytes: its operation, and flags.
struct CodeBytes {
  static constexpr u8 kMakes = 1;   // one instruction
  static constexpr u8 kOfLeft = 2;  // of the left child's type
  static constexpr u8 kLocal = 4;   // on a variable's slot
  static constexpr u8 kUsual = 8;
  u8 op[128], flags[128];  // kRoleCount entries are used
};
inline constexpr CodeBytes kCodeBytes = [] {
  CodeBytes bytes{};
  const RoleRows roles = make_role_rows();
  for (u32 role = 0; role < kRoleCount; ++role) {
    const CodeRow& row = roles.code[role];
    bytes.op[role] = static_cast<u8>(row.op);
    bytes.flags[role] =
        static_cast<u8>(row.code * CodeBytes::kMakes | (row.of_left & CodeBytes::kOfLeft) |
                        (row.local & CodeBytes::kLocal) | (row.usual ? CodeBytes::kUsual : 0u));
  }
  return bytes;
}();
static_assert(kRoleCount <= sizeof(CodeBytes::op));

class WideCode {
 public:
  WideCode(MeteredGroup& group, Columns& columns) : g(group), c(columns) {}

  CodeCounts run() const {
    const u32 nodes = c.live_nodes;
    const WriteCode<MeteredGroup, true> code{g, c};
    CodeCounts total;
    u32 r = 0;
    if (fits(total, nodes)) {
      prepare();
      while (r < nodes) {
        r = copy(r, total);
        if (r == nodes) break;
        total = combine(total, code.write(r, total));
        ++r;
        if (!fits(total, nodes - r)) break;
      }
    }
    for (; r < nodes; ++r) total = combine(total, code.write(r, total));
    return total;
  }

 private:
  static constexpr u32 kLanes = 16;
  static constexpr u16 kGeneral = 0x8000;

  MeteredGroup& g;
  Columns& c;

  // True if so many nodes, with an instruction and a constant each, leave room for any other node behind them.
  [[nodiscard]] bool fits(const CodeCounts& before, u32 nodes) const {
    const u32 most = before.functions > before.constants ? before.functions : before.constants;
    return most + nodes + kMaxOwnCode <= c.code_room;
  }

  // Writes nodes from r on, up to one that is not usual. Returns where it stopped.
  u32 copy(u32 r, CodeCounts& total) const {
    u32 functions = total.functions, constants = total.constants;
    const u32 nodes = c.live_nodes;
    for (; r < nodes; ++r) {
      const Index i = c.live[r];
      const u32 own = c.own_code[i], first = c.offset[i];
      if ((own & kGeneral) != 0) break;
      const u32 literal = own & static_cast<u32>((first & 0xFF) == static_cast<u32>(Op::LoadConst));
      c.offset[i] = functions;
      c.constants[constants] = c.cell[i];
      const u64 instruction = first | u64{constants & (0 - literal)} << 32;
      std::memcpy(&c.instructions[functions], &instruction, sizeof instruction);
      c.places[functions] = c.number[i];
      functions += own;
      constants += literal;
    }
    total.functions = functions;
    total.constants = constants;
    return r;
  }

  KOMUZ_WIDE __attribute__((noinline)) void prepare() const {
    const KeptHead& head = kept_head(c);
    for (u32 k = 0; k < head.open; ++k) c.own_code[head.open_nodes[k]] = kGeneral;
    const __m512i ops_low = _mm512_loadu_si512(kCodeBytes.op),
                  ops_high = _mm512_loadu_si512(kCodeBytes.op + 64),
                  flags_low = _mm512_loadu_si512(kCodeBytes.flags),
                  flags_high = _mm512_loadu_si512(kCodeBytes.flags + 64);
    // If there are no more bindings than two vectors hold, slots are looked up in these vectors.
    const bool are_few = c.binds <= 2 * kLanes;
    const __m512i slots_low = _mm512_loadu_si512(&c.bind_value[0]),
                  slots_high = _mm512_loadu_si512(&c.bind_value[kLanes]);
    for (u32 i = head.nodes; i < c.nodes; i += kLanes) {
      const u32 left = c.nodes - i;
      const auto real = static_cast<__mmask16>(left < kLanes ? (1u << left) - 1 : 0xFFFFu);
      const __m512i roles = _mm512_castsi128_si512(bytes(&c.role[i]));
      const __m128i op = low(_mm512_permutex2var_epi8(ops_low, roles, ops_high)),
                    flags = low(_mm512_permutex2var_epi8(flags_low, roles, flags_high));
      const __mmask16 makes = has(flags, CodeBytes::kMakes),
                      locals = real & has(flags, CodeBytes::kLocal),
                      of_left = real & has(flags, CodeBytes::kOfLeft);
      __m512i types = _mm512_loadu_si512(&c.type[i]);
      if (of_left != 0)
        types = _mm512_mask_i32gather_epi32(types, of_left, _mm512_loadu_si512(&c.left[i]),
                                            &c.type[0], 4);
      const __mmask16 scalar = _mm512_cmplt_epu32_mask(
          _mm512_sub_epi32(types, _mm512_set1_epi32(1)), _mm512_set1_epi32(8));
      const __m128i tails = bytes(&c.tails[i]);
      const __mmask16 usual = has(flags, CodeBytes::kUsual) & _mm_testn_epi8_mask(tails, tails) &
                              static_cast<__mmask16>(~makes | scalar);
      __m512i slots = _mm512_setzero_si512();
      if (locals != 0) {
        const __m512i refs = _mm512_loadu_si512(&c.ref[i]);
        slots = are_few ? _mm512_maskz_permutex2var_epi32(locals, slots_low, refs, slots_high)
                        : _mm512_mask_i32gather_epi32(slots, locals, refs, &c.bind_value[0], 4);
      }
      const __m512i first = _mm512_or_si512(
          _mm512_cvtepu8_epi32(op),
          _mm512_or_si512(_mm512_slli_epi32(types, 8), _mm512_slli_epi32(slots, 16)));
      _mm512_storeu_si512(&c.offset[i], first);
      _mm512_storeu_si512(&c.number[i], places(i, real));
      const __m256i own =
          _mm256_mask_set1_epi16(_mm256_maskz_set1_epi16(makes, 1), static_cast<__mmask16>(~usual),
                                 static_cast<i16>(kGeneral));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(&c.own_code[i]), own);
    }
  }
  // The places of 16 nodes. Nodes of one line of source mostly have tokens that stand close together.
  KOMUZ_WIDE __m512i places(u32 i, __mmask16 real) const {
    const u32 base = c.token[i];
    const __m512i tokens = _mm512_sub_epi32(_mm512_loadu_si512(&c.token[i]),
                                            _mm512_set1_epi32(static_cast<i32>(base)));
    const __mmask16 far = _mm512_mask_cmpge_epu32_mask(real, tokens, _mm512_set1_epi32(2 * kLanes));
    const u32* const starts = &c.token_start[base];
    if (far != 0)
      return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), real, tokens, starts, 4);
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(starts), tokens,
                                     _mm512_loadu_si512(starts + kLanes));
  }
  KOMUZ_WIDE static __m128i bytes(const void* at) {
    return _mm_loadu_si128(static_cast<const __m128i*>(at));
  }
  KOMUZ_WIDE static __m128i low(__m512i bytes) { return _mm512_castsi512_si128(bytes); }
  KOMUZ_WIDE static __mmask16 has(__m128i flags, u8 asked) {
    return _mm_test_epi8_mask(flags, _mm_set1_epi8(static_cast<i8>(asked)));
  }
};

inline CodeCounts write_code(MeteredGroup& g, Columns& c) {
  if (!g.wide() || !has_one_region(c)) return write_code<MeteredGroup>(g, c);
  g.count(c.live_nodes);
  const CodeCounts total = WideCode(g, c).run();
  c.open = total.open;
  return total;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
