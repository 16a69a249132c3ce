// SPDX-License-Identifier: Apache-2.0
// Makes the warp code of a stretch of variants where a WarpDevice runs it. The programs stay there; only the number
// of new ones comes to the host. There are two makers: for bound code (variant_maker.h), and for code compiled from
// the text of the plain program (expanded_maker.h).
#pragma once
#include <string>

#include "engine/device/variant_task.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

// The result of making a stretch.
enum class Stretched : u8 {
  Done,
  Again,  // some variant had too little room; the next attempt has more
  Never,  // the host has to make some variant
};

class StretchMaker {
 public:
  virtual ~StretchMaker() = default;

  // `count` variants of it. `programs`: of the new ones, which are Done, how many there are. A problem is one of the
  // device, as those of a WarpDevice.
  virtual Problem make_stretch(const VariantStretch& stretch, u32 count, Stretched& out,
                               u32& programs) = 0;
  // Where the code of the last stretch is.
  [[nodiscard]] virtual const vm::ResidentCode& code() const = 0;
  // The tables of variants that the device reads.
  [[nodiscard]] virtual const VariantTables& variants() const = 0;
  // The most variants of a stretch that memory allows.
  [[nodiscard]] virtual u32 longest_stretch() const = 0;

 protected:
  // The result for a stretch with these counts. Lists that were too small get more room.
  [[nodiscard]] Stretched settle(const MadeCounts& counts);
  // True if a thread may have more memory than now.
  [[nodiscard]] virtual bool can_grow() const = 0;
  virtual void grow() = 0;

  // Sets the room for the code of so many variants with about `each` operations each.
  void set_code_room(u64 each, u32 count);
  // False: there is the most room already.
  bool grow_code_room(const MadeCounts& counts);
  [[nodiscard]] u32 code_room() const {
    return code_room_;
  }  // operations, and equally many constants

 private:
  u64 code_scale_ = 1;
  u32 code_room_ = 0;
};

}  // namespace komuz::engine
