// SPDX-License-Identifier: Apache-2.0
// What the results of a run depend on, as the first line of its log.
#pragma once
#include "engine/candidates/evaluate_options.h"
#include "engine/log/log_lines.h"

namespace komuz::engine {

// Texts that say where and how a run was, not what it was: the names of what was read, and how variants became code.
inline constexpr std::string_view kSideFields[] = {"candidate_files", "cases_file", "harness_file",
                                                   "variants", "held_out_file"};

// The command, and what it says beside the engine's options, such as the seed of a sample. `side`: some of kSideFields.
[[nodiscard]] LogHeader make_header(std::string_view version, std::string_view command,
                                    const EvaluateOptions& options, const CasesTable& cases,
                                    const LogHeader& more, const LogHeader& side = {});

// What is said of all results (results.h); rows are not touched. False: the header is damaged.
[[nodiscard]] bool read_results_head(const LogHeader& header, Results& out);
// That of the whole run where there is none. False: as above.
[[nodiscard]] bool read_shard(const LogHeader& header, Shard& out);
// The value of a field; none: there is none, or it is null.
[[nodiscard]] std::optional<std::string> header_text(const LogHeader& header,
                                                     std::string_view name);
[[nodiscard]] std::optional<u64> header_number(const LogHeader& header, std::string_view name);
// How many whole generations so many candidates of a search are; none: it was none.
[[nodiscard]] std::optional<u64> generations_of(const LogHeader& header, const Results& results);
// The files that it was read from, as they were called then.
[[nodiscard]] std::vector<std::string> files_of(const LogHeader& header);
// The first field in which they differ, where both have it and it is short: "`seed` was 0, and is 1"; else empty.
[[nodiscard]] std::string difference_text(const LogHeader& was, const LogHeader& is);
// What a run that goes on must have in common with the one that began it, and all shards of a run.
[[nodiscard]] LogHeader without_side(LogHeader header);
[[nodiscard]] LogHeader without_shard(LogHeader header);

}  // namespace komuz::engine
