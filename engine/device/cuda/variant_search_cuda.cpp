// SPDX-License-Identifier: Apache-2.0
// Searches on a GPU. Only counts of a generation come to the host, and what the tuning of constants needs.
#include "engine/device/cuda/cuda_work.h"
#include "engine/device/cuda/search_kernels.h"
#include "engine/device/variant_search.h"

namespace komuz::engine {
namespace {

// Other streams read what the steps write. A fetch of counts, which waits, comes between the two.
class CudaVariantSearch final : public CudaWork<VariantSearch> {
 protected:
  Problem run(SearchStep step, const SearchTask& task, u64 elements) override {
    return launch([&](cudaStream_t stream) { return launch_search(step, task, elements, stream); },
                  false, "searching on the GPU");
  }
};

}  // namespace

Result<std::unique_ptr<VariantSearch>> open_cuda_variant_search(int gpu) {
  auto search = std::make_unique<CudaVariantSearch>();
  if (Problem problem = search->open(gpu)) return problem;
  return std::unique_ptr<VariantSearch>(std::move(search));
}

}  // namespace komuz::engine
