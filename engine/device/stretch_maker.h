// SPDX-License-Identifier: Apache-2.0
// Makes the warp code of a stretch of variants where a WarpDevice runs it. Nothing of them comes to the host but
// how many programs are new: these stay where they run. There are two: of bound code (variant_maker.h), and of what
// is compiled from the text of the plain program (expanded_maker.h).
#pragma once
#include <string>

#include "engine/device/variant_task.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {

// What came of a stretch.
enum class Stretched : u8 {
  Done,
  Again,  // some variant had too little room; the next time there is more
  Never,  // one has to be made by the host
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
  // What variants are, where the device reads it.
  [[nodiscard]] virtual const VariantTables& variants() const = 0;
  // Variants of a stretch, for which there is memory.
  [[nodiscard]] virtual u32 longest_stretch() const = 0;

 protected:
  // What came of a stretch with these counts. What had too little room gets more.
  [[nodiscard]] Stretched settle(const MadeCounts& counts);
  // May a thread have more memory than now?
  [[nodiscard]] virtual bool can_grow() const = 0;
  virtual void grow() = 0;

  // Says how much room there is for the code of so many variants, each of which has about `each` operations.
  void set_code_room(u64 each, u32 count);
  // False: there is all that there may be.
  bool grow_code_room(const MadeCounts& counts);
  [[nodiscard]] u32 code_room() const { return code_room_; }  // operations, and as many constants

 private:
  u64 code_scale_ = 1;
  u32 code_room_ = 0;
};

}  // namespace komuz::engine
