// SPDX-License-Identifier: Apache-2.0
#include "services/model/draw_overtaking.h"

#include <algorithm>
#include <cmath>

#include "base/counts.h"
#include "services/charts/chart.h"

namespace komuz::services::model {
namespace {

// Twenty sizes in a decade, of three.
constexpr size_t kSizes = 61;
constexpr f64 kStep = 1.1220184543019633;
constexpr u32 kHalvings = 60;

// Seconds of either side; the paper's ones in the middle of its figures.
enum class Side : u8 { OurCpu, Traditional, Neural, Hybrid };
struct SideRow {
  std::string_view name;
  PaperWay way = PaperWay::Cpu;  // of the paper's
};
constexpr SideRow kSides[] = {
    {"our CPU", PaperWay::Cpu},
    {"the paper's GPU", PaperWay::Traditional},
    {"its neural way", PaperWay::Neural},
    {"its hybrid way", PaperWay::Hybrid},
};
struct Pair {
  Side first, later;
  std::string_view label;  // in the legend; empty: it is said in a note alone
};
constexpr Pair kPairs[] = {
    {Side::Neural, Side::Traditional, "GPU over neural"},
    {Side::OurCpu, Side::Traditional, "GPU over our CPU"},
    {Side::Neural, Side::OurCpu, ""},
    {Side::Hybrid, Side::OurCpu, ""},
};

f64 seconds_of(Side side, const Size& size, const OvertakingQuestion& question) {
  if (side == Side::OurCpu)
    return predict_ours(our_constants().front(), {size, question.threads, 0}).seconds;
  const PaperWay way = kSides[static_cast<size_t>(side)].way;
  return predict_by_paper(way, size, *question.gpu).seconds.middle();
}

bool is_later_faster(const Pair& pair, f64 bytes, f64 programs,
                     const OvertakingQuestion& question) {
  const Size size = {static_cast<u64>(programs), static_cast<u64>(bytes), question.cases};
  return seconds_of(pair.later, size, question) < seconds_of(pair.first, size, question);
}

Overtaking overtaking_of(const Pair& pair, const OvertakingQuestion& question) {
  Overtaking out{.first = kSides[static_cast<size_t>(pair.first)].name,
                 .later = kSides[static_cast<size_t>(pair.later)].name,
                 .places = {},
                 .sizes = kSizes,
                 .always = 0};
  f64 bytes = kLeastDrawnBytes;
  for (size_t at = 0; at < kSizes; ++at, bytes *= kStep) {
    f64 low = 1, high = kMostDrawnPrograms;
    if (is_later_faster(pair, bytes, low, question)) {
      ++out.always;
      continue;
    }
    if (!is_later_faster(pair, bytes, high, question)) continue;
    for (u32 halving = 0; halving < kHalvings && high - low > 0.5; ++halving) {
      const f64 middle = std::sqrt(low * high);
      (is_later_faster(pair, bytes, middle, question) ? high : low) = middle;
    }
    out.places.push_back({bytes, high});
  }
  return out;
}

// `line`: how it is drawn; empty: it is not.
std::string note_of(const Overtaking& found, std::string_view line) {
  const std::string faster =
      std::string(found.later) + " is faster than " + std::string(found.first);
  if (found.always == found.sizes) return faster + " everywhere";
  if (found.places.empty())
    return found.always == 0
               ? std::string(found.later) + " is nowhere faster than " + std::string(found.first)
               : faster + " for some sizes, whatever the number";
  if (!line.empty()) return "above the " + std::string(line) + " line " + faster;
  f64 latest = 0;
  for (const Overtaking::Place& place : found.places) latest = std::max(latest, place.programs);
  const bool is_of_all = found.places.size() + found.always == found.sizes;
  return faster + (is_of_all ? "" : " for some sizes") + " from " +
         counted(static_cast<u64>(std::ceil(latest)), "program") + " on" +
         (is_of_all ? ", of any size" : "");
}

}  // namespace

std::vector<Overtaking> find_overtaking(const OvertakingQuestion& question) {
  std::vector<Overtaking> out;
  for (const Pair& pair : kPairs) out.push_back(overtaking_of(pair, question));
  return out;
}

std::string draw_overtaking(const OvertakingQuestion& question) {
  Extent sizes, programs;
  sizes.add(kLeastDrawnBytes);
  sizes.add(kMostDrawnBytes);
  programs.add(1);
  programs.add(kMostDrawnPrograms);
  Chart chart{.id = "overtaking",
              .title = "Where one way overtakes another",
              .x = {"bytes of a program", Scale(ScaleKind::Logarithmic, sizes)},
              .y = {"programs", Scale(ScaleKind::Logarithmic, programs)}};
  const std::vector<Overtaking> found = find_overtaking(question);
  constexpr LayerKind kKinds[] = {LayerKind::Line, LayerKind::Dashes};
  constexpr std::string_view kLines[] = {"solid", "dashed"};
  size_t drawn = 0;
  for (size_t pair = 0; pair < found.size(); ++pair) {
    const bool is_drawn = !kPairs[pair].label.empty();
    const size_t kind = std::min(drawn, std::size(kKinds) - 1);
    chart.notes.push_back(note_of(found[pair], is_drawn ? kLines[kind] : ""));
    if (!chart.description.empty()) chart.description += " ";
    chart.description += chart.notes.back() + ".";
    if (!is_drawn || found[pair].places.empty()) continue;
    Layer layer{kKinds[kind], std::string(kPairs[pair].label), {}};
    for (const Overtaking::Place& place : found[pair].places)
      layer.marks.push_back(
          {chart.x.scale.position(place.bytes), chart.y.scale.position(place.programs), {}, false});
    chart.layers.push_back(std::move(layer));
    ++drawn;
  }
  chart.notes.push_back("on " + counted(question.cases, "case") +
                        "; the paper in the middle of its figures; ours on " +
                        counted(question.threads, "thread"));
  if (chart.layers.empty()) chart.message = "no way overtakes another one here";
  return write_svg(chart);
}

}  // namespace komuz::services::model
