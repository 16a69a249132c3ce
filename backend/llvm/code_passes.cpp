// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/code_passes.h"

#include <llvm/Pass.h>

#include <algorithm>
#include <iterator>

namespace komuz::backend {
namespace {

// They take a quarter of the generator's time, and kernels have as few instructions and registers without them. What
// LLVM calls loop strength reduction makes kernels worse: it keeps a loop's counters as sums of others, which takes
// registers.
constexpr llvm::StringLiteral kNotForGpus[] = {
    "Canonicalize Freeze Instructions in Loops",
    "Constant Hoisting",
    "Early CSE",
    "Expand memcmp() to load/stores",
    "GPU Load and Store Vectorizer",
    "Loop Strength Reduction",
    "Machine Instruction Scheduler",
    "Merge contiguous icmps into a memcmp",
    "Nary reassociation",
    "Partially inline calls to library functions",
    "Speculatively execute instructions",
    "Split GEPs to a variadic base and a constant offset for better CSE",
    "Straight line strength reduction",
};

class ForGpus final : public llvm::legacy::PassManagerBase {
 public:
  explicit ForGpus(llvm::legacy::PassManager& passes) : passes_(passes) {}
  // Takes the pass.
  void add(llvm::Pass* pass) override {
    if (std::ranges::find(kNotForGpus, pass->getPassName()) == std::end(kNotForGpus))
      passes_.add(pass);
    else
      delete pass;
  }

 private:
  llvm::legacy::PassManager& passes_;
};

}  // namespace

bool add_code_passes(llvm::TargetMachine& machine, llvm::legacy::PassManager& passes,
                     llvm::raw_pwrite_stream& out, llvm::CodeGenFileType kind) {
  if (!machine.getTargetTriple().isNVPTX())
    return !machine.addPassesToEmitFile(passes, out, nullptr, kind);
  ForGpus chosen(passes);
  return !machine.addPassesToEmitFile(chosen, out, nullptr, kind);
}

}  // namespace komuz::backend
