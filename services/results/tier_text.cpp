// SPDX-License-Identifier: Apache-2.0
#include "services/results/tier_text.h"

#include <cstdio>

#include "base/counts.h"
#include "services/display_text.h"

namespace komuz::services {
namespace {

std::string seconds(f64 value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 1 && value > -1 ? "%.3f s" : "%.2f s", value);
  return text;
}

std::string row_text(const neural::TierRow& row) {
  const engine::CheaperWay& way = row.use.way;
  std::string text = "  " + printable(row.id, ~0u) + " " +
                     std::string(neural::kTierReasons[static_cast<size_t>(row.reason)].one);
  if (way.windows != 0)
    text += ": " + grouped(way.cheaper) + " of " + counted(way.windows, "window") + " cheaper";
  char number[64];
  if (row.use.is_cheaper) {
    std::snprintf(number, sizeof number, ", %.0f %% of the time expected", 100 * way.saved_share);
    text += number;
  }
  std::snprintf(number, sizeof number, "; %.1f ms", 1e-6 * way.cost_ns);
  text += number;
  if (row.use.cheaper_cases != 0)
    text += ", " + grouped(row.use.cheaper_cases) + " of " +
            counted(row.use.cases + row.use.cheaper_cases, "case");
  return text + "\n";
}

}  // namespace

std::string tier_text(const neural::Tier& tier) {
  const std::string name = "tier: ";
  std::string text =
      name + std::string(neural::kTierNames[static_cast<size_t>(tier.choice())]) + "\n";
  const neural::TierTotals totals = tier.totals();
  for (size_t reason = 0; reason < neural::kTierReasonCount; ++reason) {
    const u64 programs = totals.programs[reason];
    if (programs == 0) continue;
    const neural::TierReasonRow& row = neural::kTierReasons[reason];
    text += name + counted(programs, "program") + " " +
            std::string(programs == 1 ? row.one : row.many) + "\n";
  }
  if (totals.windows != 0) {
    text += name + counted(totals.windows, "window") + " looked at in " + seconds(totals.seconds);
    if (totals.known != 0) text += ", " + grouped(totals.known) + " of them known already";
    text += "; " + grouped(totals.cheaper) + " got cheaper";
    if (totals.by_terms != 0) text += ", " + grouped(totals.by_terms) + " by the same terms";
    if (totals.unproved != 0) text += "; " + grouped(totals.unproved) + " without a proof";
    text += "\n";
  }
  if (totals.cheaper_cases != 0) {
    text += name + counted(totals.cheaper_cases, "case") + " on cheaper code in " +
            seconds(totals.cheaper_seconds);
    if (totals.as_it_is_seconds > 0) {
      const f64 gained = totals.as_it_is_seconds - totals.known_cheaper_seconds;
      text += ", about " + seconds(totals.as_it_is_seconds) + " as they were: " + seconds(gained) +
              " gained, " + seconds(gained - totals.seconds) + " with the search";
    }
    text += "\n";
  }
  for (const neural::TierRow& row : tier.rows()) text += row_text(row);
  for (const std::string& what : tier.missing()) text += name + what + "\n";
  return text;
}

}  // namespace komuz::services
