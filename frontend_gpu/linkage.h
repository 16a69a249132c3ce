// SPDX-License-Identifier: Apache-2.0
// What follows the passes where a program uses modules or is a candidate of a harness: its code is joined with theirs. On
// the host, for every group and device.
#pragma once
#include <span>
#include <string_view>

#include "frontend_gpu/frontend.h"
#include "lang/link/link.h"

namespace komuz::frontend {

// A workspace for one thread.
class Linkage {
 public:
  // Forgets the program before.
  void begin() { is_linked_ = false; }
  // The code of `out` becomes linked code, where there is anything to link. `text` is what was compiled, `heads` the modules
  // behind it. False: diagnostics say why not.
  [[nodiscard]] bool link(const Options& options, std::span<const u32> heads, std::string_view text,
                          Compilation& out);

  // Of checked code: does the harness need more stack than is allowed? Said of what the program defines for it.
  [[nodiscard]] Diagnostic find_deep_harness(const Options& options, const Compilation& out) const;

  [[nodiscard]] bool is_linked() const { return is_linked_; }
  // The code of the program by itself, once it is linked.
  [[nodiscard]] Code& unlinked() { return unlinked_; }
  // Which function of the code is function f of the program; kNoModule: none is.
  [[nodiscard]] u32 number_of(u32 f) const { return is_linked_ ? linker_.number_of(f) : f; }

 private:
  [[nodiscard]] bool fits_harness(const Module& harness, std::string_view text,
                                  Compilation& out) const;

  Linker linker_;
  Code unlinked_;
  bool is_linked_ = false;
};

}  // namespace komuz::frontend
