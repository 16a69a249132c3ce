// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/missing_parts.h"

#include "base/counts.h"
#include "services/display_text.h"

namespace komuz::cli {
namespace {

// The candidates that a part lacks, counted from 1.
std::string missing_text(const engine::MergedLogs::Unfinished& part) {
  const engine::Shard& shard = part.shard;
  const std::string text = "  part " + engine::shard_text(shard);
  if (part.path.empty())
    return text + " has no log: of each " + grouped(engine::Shard::kBlock * shard.of) +
           " candidates numbers " + grouped(shard.position_of(0) + 1) + " to " +
           grouped(shard.position_of(engine::Shard::kBlock - 1) + 1) + " are missing\n";
  const std::string reason = part.damaged_line == 0
                                 ? ", has no end"
                                 : ", is damaged in line " + grouped(part.damaged_line);
  if (part.has_all_rows)
    return text + ", " + services::printable(part.path) + reason +
           ": by the ends of other parts none of its candidates is missing\n";
  return text + ", " + services::printable(part.path) + reason + ": candidate " +
         grouped(shard.position_of(part.rows) + 1) + " is missing, and what follows of the part\n";
}

}  // namespace

std::string missing_parts_text(const engine::MergedLogs& logs) {
  if (logs.unfinished().empty()) return "";
  std::string text;
  for (const engine::MergedLogs::Unfinished& part : logs.unfinished()) text += missing_text(part);
  for (const std::string& path : logs.unbegun())
    text += "  " + services::printable(path) + " is empty: the run of its part did not begin\n";
  return text;
}

}  // namespace komuz::cli
