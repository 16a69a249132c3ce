// SPDX-License-Identifier: Apache-2.0
// `--native` of commands that run programs, and what is said of it in the end.
#pragma once
#include <memory>

#include "cli/process/args.h"
#include "cli/terminal/terminal.h"
#include "engine/native/native_tier.h"
#include "services/options/evaluation_options.h"

namespace komuz::cli {

using services::kNativeOption;
inline constexpr OptionRow kStatsOption = {
    "stats", "", "say at the end what was compiled to machine code, and what that took and gained"};

class NativeRun {
 public:
  // What the options say; `args` may be in error afterwards. `--stats` is none of each command.
  NativeRun(Args& args, Terminal& terminal);
  // Nobody waits for a compile.
  ~NativeRun();
  NativeRun(const NativeRun&) = delete;
  NativeRun& operator=(const NativeRun&) = delete;

  // Says what `--stats` asks for, and where machine code is demanded, why some is missing; once. The end does it, but for an end of
  // the process.
  void tell();
  [[nodiscard]] engine::NativeTier* tier() { return tier_.get(); }

 private:
  Terminal& terminal_;
  std::unique_ptr<engine::NativeTier> tier_;
  bool says_stats_, has_told_ = false;
};

}  // namespace komuz::cli
