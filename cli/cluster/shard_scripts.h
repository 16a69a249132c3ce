// SPDX-License-Identifier: Apache-2.0
// The scripts that run a command line of `komuz eval` in shards: by Slurm, or as processes of one machine.
//
//   shard         runs one part: `sh shard PART`; started again, it goes on where the log of the part ends
//   merge         joins the logs of all parts
//   shard.sbatch  an array of tasks, each a part
//   merge.sbatch  a job that merges
//   submit        submits the parts that have not come to their end, and the merge that waits for them
//   run           the same as processes of this machine
//
// `shard` and `merge` are the same for all ways of starting them. The scripts are for any POSIX shell; `run` also takes
// the `-P` that every xargs has.
#pragma once
#include <string>
#include <vector>

#include "base/ints.h"

namespace komuz::cli {

struct ShardPlan {
  std::string komuz;   // the executable, as an absolute path
  std::string place;   // the folder that relative paths of the command line start at
  std::string folder;  // of the scripts and logs, as an absolute path
  u32 parts = 1;
  u32 at_once = 0;  // so many tasks run at a time at most; 0: as many as there is room for
  // Words behind `eval` and `merge`.
  std::vector<std::string> eval_words, merge_words;
  bool states_threads = false, states_wait = false;  // … has `eval_words`
  // Options of sbatch, a line each: for both jobs, and for the array alone.
  std::vector<std::string> job_lines, array_lines;
};

enum class ShardWay : u8 { Slurm, Local };

struct Script {
  std::string name;
  std::string text;
};
// The first one has the whole of what the logs depend on.
[[nodiscard]] std::vector<Script> shard_scripts(const ShardPlan& plan, ShardWay way);

// What Slurm reads as this value of an option, in a line of a script.
[[nodiscard]] std::string sbatch_option(std::string_view name, std::string_view value);

}  // namespace komuz::cli
