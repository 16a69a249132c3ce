// SPDX-License-Identifier: Apache-2.0
// The settings on which the results of a run depend: the first line of its log.
#pragma once
#include "engine/candidates/evaluate_options.h"
#include "engine/log/log_lines.h"

namespace komuz::engine {

// Fields that tell where and how a run took place, and not what it computed: the names of its files, and how variants
// became code.
inline constexpr std::string_view kSideFields[] = {"candidate_files", "cases_file", "harness_file",
                                                   "variants", "held_out_file"};

// The header for a command. `side` holds some of kSideFields, and settings beside the engine's options, such as the
// seed of a sample.
[[nodiscard]] LogHeader make_header(std::string_view version, std::string_view command,
                                    const EvaluateOptions& options, const CasesTable& cases,
                                    const LogHeader& more, const LogHeader& side = {});

// Reads what holds for all results (results.h), without rows. False: the header is damaged.
[[nodiscard]] bool read_results_head(const LogHeader& header, Results& out);
// Reads the shard; without one, it is the whole run. False: the header is damaged.
[[nodiscard]] bool read_shard(const LogHeader& header, Shard& out);
// The value of a field; none if the field is absent or null.
[[nodiscard]] std::optional<std::string> header_text(const LogHeader& header,
                                                     std::string_view name);
[[nodiscard]] std::optional<u64> header_number(const LogHeader& header, std::string_view name);
// The number of whole generations in the candidates of a search; none if the run was no search.
[[nodiscard]] std::optional<u64> generations_of(const LogHeader& header, const Results& results);
// The files that the run read, by their names at that time.
[[nodiscard]] std::vector<std::string> files_of(const LogHeader& header);
// The first field that differs, if both headers have it and it is short: "`seed` was 0, and is 1". Otherwise empty.
[[nodiscard]] std::string difference_text(const LogHeader& was, const LogHeader& is);
// The part of the header that must agree between a run and its continuation, and between all shards of a run.
[[nodiscard]] LogHeader without_side(LogHeader header);
[[nodiscard]] LogHeader without_shard(LogHeader header);

}  // namespace komuz::engine
