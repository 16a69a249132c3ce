// SPDX-License-Identifier: Apache-2.0
// The Machine of coop.h on the lockstep emulator, as one warp or several. One thread runs all lanes, so plain
// memory operations are atomic.
#pragma once
#include <cstring>
#include <utility>

#include "base/group/race.h"

namespace komuz {

template <u32 warps>
class EmulatedWarps {
 public:
  static constexpr u32 kWarps = warps;

  EmulatedWarps(Lockstep& lockstep, u32 lane) : lockstep_(&lockstep), lane_(lane) {}

  [[nodiscard]] u32 lane() const { return lane_; }
  void barrier(const Site& site) { lockstep_->arrive(Rendezvous::Barrier, site); }

  template <class T>
  T shfl(const T& value, u32 from, const Site& site) {
    show(value, site);
    return taken<T>(first_lane() + from);
  }
  template <class T>
  T shfl_up(const T& value, u32 distance, const Site& site) {
    const u32 own = lane_ % Lockstep::kWarpLanes;
    return shfl(value, own >= distance ? own - distance : own, site);
  }
  u32 ballot(bool vote, const Site& site) {
    show(vote, site);
    u32 votes = 0;
    for (u32 l = 0; l < Lockstep::kWarpLanes; ++l)
      votes |= static_cast<u32>(*lockstep_->box(parity_, first_lane() + l)) << l;
    parity_ ^= 1;
    return votes;
  }

  template <class T>
  void post(u32 parity, const T& value) {
    static_assert(sizeof(T) <= Lockstep::kBoxBytes && std::is_trivially_copyable_v<T>);
    std::memcpy(lockstep_->warp_box(parity, lane_ / Lockstep::kWarpLanes), &value, sizeof value);
  }
  template <class T>
  [[nodiscard]] T posted(u32 parity, u32 warp) const {
    T value;
    std::memcpy(static_cast<void*>(&value), lockstep_->warp_box(parity, warp), sizeof value);
    return value;
  }

  template <class T>
  T load(const T& cell) {
    return cell;
  }
  template <class T>
  void store(T& cell, T value) {
    cell = value;
  }
  template <class T>
  T exchange(T& cell, T value) {
    return std::exchange(cell, value);
  }
  template <class T>
  void raise(T& cell) {
    cell = 1;
  }
  void add_into(u32& cell, u32 value) { cell += value; }
  u64 fetch_add(u64& cell, u64 value) { return std::exchange(cell, cell + value); }
  // Only one lane informs the race detector.
  void note_column(const ColumnExtent& extent) {
    if (lane_ == 0 && RaceDetector::current != nullptr) RaceDetector::current->add({&extent, 1});
  }
  void or_into(u64& cell, u64 bits) { cell |= bits; }
  void max_into(u32& cell, u32 value) {
    if (value > cell) cell = value;
  }

 private:
  [[nodiscard]] u32 first_lane() const {
    return lane_ / Lockstep::kWarpLanes * Lockstep::kWarpLanes;
  }
  template <class T>
  void show(const T& value, const Site& site) {
    static_assert(sizeof(T) <= Lockstep::kBoxBytes && std::is_trivially_copyable_v<T>);
    std::memcpy(lockstep_->box(parity_, lane_), &value, sizeof value);
    lockstep_->arrive(Rendezvous::Shuffle, site);
  }
  template <class T>
  T taken(u32 from) {
    T value;
    std::memcpy(static_cast<void*>(&value), lockstep_->box(parity_, from), sizeof value);
    parity_ ^= 1;
    return value;
  }

  Lockstep* lockstep_;
  u32 lane_, parity_ = 0;
};
using EmulatedMachine = EmulatedWarps<1>;

}  // namespace komuz
