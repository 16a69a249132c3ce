// SPDX-License-Identifier: Apache-2.0
// What follows the passes if a program uses modules or is a candidate of a harness: its code is joined with theirs.
// This runs on the host, for every group and device.
#pragma once
#include <span>
#include <string_view>

#include "frontend_gpu/frontend.h"
#include "lang/link/link.h"

namespace komuz::frontend {

// A workspace for one thread.
class Linkage {
 public:
  // Forgets the last program.
  void begin() { is_linked_ = false; }
  // Links the code of `out`, if there is anything to link. `text` is the compiled text, `heads` the modules whose
  // interfaces stand in it. Returns false if diagnostics were added instead.
  [[nodiscard]] bool link(const Options& options, std::span<const u32> heads, std::string_view text,
                          Compilation& out);

  // The diagnostic for a harness that needs more stack than is allowed; None if it does not. Takes checked code,
  // and points at what the program defines for the harness.
  [[nodiscard]] Diagnostic find_deep_harness(const Options& options, const Compilation& out) const;

  [[nodiscard]] bool is_linked() const { return is_linked_; }
  // The program's own code, before it was linked.
  [[nodiscard]] Code& unlinked() { return unlinked_; }
  // The number in the linked code of the program's function f; kNoModule: the linked code has no such function.
  [[nodiscard]] u32 number_of(u32 f) const { return is_linked_ ? linker_.number_of(f) : f; }

 private:
  [[nodiscard]] bool fits_harness(const Module& harness, std::string_view text,
                                  Compilation& out) const;

  Linker linker_;
  Code unlinked_;
  bool is_linked_ = false;
};

}  // namespace komuz::frontend
