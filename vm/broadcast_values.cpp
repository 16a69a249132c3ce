// SPDX-License-Identifier: Apache-2.0
#include "vm/broadcast_values.h"

#include "lang/ops/eval_cells.h"

namespace komuz::vm {

void set_broadcast(BroadcastValue& value, Scalar type, u64 cell) {
  u64 word = canonical_cell(type, cell);
  const u32 bytes = scalar_bytes(type);
  if (bytes == 4) word = (word & 0xFFFF'FFFFu) * 0x1'0000'0001u;
  if (bytes == 1) word = (word & 0xFFu) * 0x0101'0101'0101'0101u;
  value.words.fill(word);
}

}  // namespace komuz::vm
