// SPDX-License-Identifier: Apache-2.0
#include "tests/gen/bounded_variation.h"

#include <algorithm>

#include "engine/device/search_proposals.h"

namespace komuz::test {
namespace {

constexpr u32 kRoom = 256;  // decisions

class BoundedVariation {
 public:
  explicit BoundedVariation(const engine::VariantPlan& plan)
      : memory_(engine::SearchScratch::bytes(plan.tables(), kRoom, 0, 0) / sizeof(u64) + 1) {
    task_.variants = plan.tables();
    task_.proposals.room = kRoom;
  }
  [[nodiscard]] engine::VariationOf<Bounded> make() {
    return {task_.variants,
            engine::SearchScratch::take(task_, reinterpret_cast<u8*>(memory_.data())).variation};
  }

 private:
  engine::SearchTask task_{};
  std::vector<u64> memory_;
};

bool are_equal(const Rows<u32>& there, const engine::Decisions& here) {
  return std::equal(here.begin(), here.end(), there.data(), there.data() + there.size());
}

}  // namespace

std::string compare_variation(const engine::VariantPlan& plan, u64 seed) {
  engine::Variation host(plan);
  BoundedVariation bounded(plan);
  engine::VariationOf<Bounded> device = bounded.make();
  host.random = device.random = Random(seed);
  engine::Decisions here, other;
  u32 words[kRoom], other_words[kRoom];
  Rows<u32> there(words, kRoom), other_there(other_words, kRoom);
  for (u32 round = 0; round < 6; ++round) {
    const engine::DrawKind kind = engine::DrawKind(round % 2);
    host.draw(here, kind);
    device.draw(there, kind);
    for (u32 step = 0; step < 8; ++step) {
      if (device.ran_out()) return {};
      if (!are_equal(there, here)) return "a list that cannot grow has other decisions";
      if (here.empty()) return {};  // there is nothing to decide
      if (step % 3 == 2) {
        host.draw(other);
        device.draw(other_there);
        host.cross(here, other);
        device.cross(there, {other_there.data(), other_there.size()});
      } else {
        host.mutate(here);
        device.mutate(there);
      }
    }
  }
  return {};
}

}  // namespace komuz::test
