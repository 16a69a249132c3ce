// SPDX-License-Identifier: Apache-2.0
#include "services/results/native_text.h"

#include <cstdio>

#include "base/counts.h"

namespace komuz::services {
namespace {

std::string seconds(f64 value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 1 && value > -1 ? "%.3f s" : "%.2f s", value);
  return text;
}

}  // namespace

std::string native_text(const engine::NativeTier& tier) {
  const engine::TierStats stats = tier.stats();
  std::string text = "native: ";
  if (tier.choice() == engine::NativeChoice::Never) return text + "never\n";
  text += counted(stats.compiled, "program") + " compiled";
  if (stats.compiled + stats.refused != 0) text += " in " + seconds(stats.compile_seconds);
  if (stats.refused != 0) text += ", " + grouped(stats.refused) + " refused";
  if (stats.left_again != 0)
    text += ", " + grouped(stats.left_again) + " left again, since the virtual machine was faster";
  text += "\n";
  if (stats.native_cases != 0) {
    text +=
        "native: " + counted(stats.native_cases, "case") + " in " + seconds(stats.native_seconds);
    if (stats.vm_seconds > 0) {
      const f64 gained = stats.vm_seconds - stats.known_native_seconds;
      text += ", about " + seconds(stats.vm_seconds) +
              " on the virtual machine: " + seconds(gained) + " gained, " +
              seconds(gained - stats.compile_seconds) + " with the compiles";
    }
    text += "\n";
  }
  if (stats.kernel_cases != 0)
    text += "native: " + counted(stats.kernel_cases, "case") + " of them on the GPU, by " +
            counted(stats.kernels, "kernel") + ", in " + seconds(stats.kernel_seconds) + "\n";
  for (const std::string& reason : tier.reasons()) text += reason + "\n";
  for (const std::string& note : tier.notes()) text += note + "\n";
  return text;
}

std::string native_rows(const engine::NativeTier& tier) {
  std::string text;
  for (const engine::NativeRow& row : tier.rows())
    text += "  " + row.name + ": " + counted(row.instructions, "instruction") + ", compiled in " +
            seconds(row.compile_seconds) + ", " + counted(row.cases, "case") + "\n";
  return text;
}

}  // namespace komuz::services
