// SPDX-License-Identifier: Apache-2.0
#include "engine/candidates/candidates.h"

#include <algorithm>
#include <cstring>

namespace komuz::engine {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;

}  // namespace

CandidateBatch::CandidateBatch() = default;
CandidateBatch::~CandidateBatch() = default;
CandidateBatch::CandidateBatch(CandidateBatch&&) noexcept = default;
CandidateBatch& CandidateBatch::operator=(CandidateBatch&&) noexcept = default;

void CandidateBatch::clear() {
  rows.clear();
  // Chunks for texts of unusual size are given back.
  std::erase_if(chunks_, [](const Chunk& chunk) { return chunk.size > kChunkBytes; });
  chunk_ = used_ = text_bytes_ = 0;
}

std::span<char> CandidateBatch::allocate(size_t bytes) {
  while (chunk_ < chunks_.size() && chunks_[chunk_].size - used_ < bytes) {
    ++chunk_;
    used_ = 0;
  }
  if (chunk_ == chunks_.size()) {
    // Not filled with zeros: most epochs use a small part of it.
    const size_t size = std::max(bytes, kChunkBytes);
    chunks_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
  }
  const std::span<char> memory(chunks_[chunk_].bytes.get() + used_, bytes);
  used_ += bytes;
  text_bytes_ += bytes;
  return memory;
}

std::string_view CandidateBatch::keep(std::string_view text) {
  const std::span<char> memory = allocate(text.size());
  std::ranges::copy(text, memory.begin());
  return {memory.data(), memory.size()};
}

void CandidateList::read(CandidateBatch& batch, size_t most) {
  for (; most > 0 && next_ < candidates_.size(); --most) {
    Candidate candidate = candidates_[next_++];
    if (candidate.id.empty()) candidate.id = batch.keep(std::to_string(next_));
    batch.rows.push_back(candidate);
  }
}

void CandidateChain::read(CandidateBatch& batch, size_t most) {
  const size_t before = batch.rows.size();
  while (current_ < sources_.size()) {
    sources_[current_]->read(batch, most - (batch.rows.size() - before));
    if (batch.rows.size() != before) return;
    ++current_;
  }
}

std::optional<u64> CandidateChain::total() const {
  u64 sum = 0;
  for (const auto& source : sources_) {
    const std::optional<u64> part = source->total();
    if (!part) return std::nullopt;
    sum += *part;
  }
  return sum;
}

Problem CandidateChain::problem() const {
  for (const auto& source : sources_)
    if (Problem problem = source->problem()) return problem;
  return {};
}

}  // namespace komuz::engine
