// SPDX-License-Identifier: Apache-2.0
// When the rows of a program run natively. A call is short, but Python may call again and again, and nobody knows how often: what rows have
// taken adds up over all calls of a program. Once that pays for native code, it is made on a thread beside (engine/native).
#pragma once
#include <memory>
#include <mutex>

#include "engine/native/native_tier.h"
#include "lang/code.h"

namespace komuz::python {

class ProgramTier {
 public:
  ProgramTier() = default;
  ~ProgramTier();
  ProgramTier(const ProgramTier&) = delete;
  ProgramTier& operator=(const ProgramTier&) = delete;

  struct Way {
    const backend::NativeCode* native = nullptr;  // null: on the batch machine
    bool is_timed = true;                         // what rows take is still of interest
  };
  // How rows run next. Native code stays as long as this tier.
  [[nodiscard]] Way way() const;

  // What rows have taken.
  struct Work {
    u64 rows = 0, ticks = 0;
    i64 ns = 0;
  };
  void note_batch(const Work& work, const std::shared_ptr<engine::NativeTier>& tier,
                  const CodeView& code, u32 function);
  void note_native(const Work& work, engine::NativeTier& tier);

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<engine::TieredCode> code_;  // null: it was not noticed
  bool is_left_alone_ = false;                // the tier does nothing for it
  std::weak_ptr<engine::NativeTier> asked_;   // for native code
  bool has_asked_ = false;
  u64 ticks_ = 0;  // that were not noticed
  i64 ns_ = 0;
  i64 native_ns_ = 0;  // until it is known whether native code is faster
};

}  // namespace komuz::python
