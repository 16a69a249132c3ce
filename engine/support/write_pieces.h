// SPDX-License-Identifier: Apache-2.0
// A long text in pieces, which several workers make at once, and which are written in order. Not part of the engine's
// door.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "engine/support/worker_pool.h"

namespace komuz::engine {

// Appends piece k.
using MakePiece = std::function<void(u32 k, std::string& out)>;
// Takes the next piece, on any worker, one at a time. False: neither this piece nor the rest is wanted any more.
using WritePiece = std::function<bool(std::string_view piece)>;

void write_pieces(WorkerPool& pool, u32 count, const MakePiece& make, const WritePiece& write);

}  // namespace komuz::engine
