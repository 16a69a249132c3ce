// SPDX-License-Identifier: Apache-2.0
#include "cli/cluster/shard_scripts.h"

#include <cctype>
#include <string_view>

namespace komuz::cli {
namespace {

constexpr std::string_view kFirstLine = "#!/bin/sh\n";

// A word that a shell reads as it is.
std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}
std::string shell_words(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += " " + shell_word(word);
  return out;
}

// A log has come to its end if its last line says so, and is whole.
constexpr std::string_view kHasEnded = R"sh(
has_ended() {
  [ -s "$1" ] || return 1
  case $(tail -n 1 "$1"; echo .) in
    '{"end": '*'"crc32": "'????????'"}
.') return 0 ;;
    *) return 1 ;;
  esac
}
)sh";

std::string head(const ShardPlan& plan, std::string_view what) {
  return std::string(kFirstLine) + "# Written by `komuz shards`: " + std::string(what) +
         "\nfolder=" + shell_word(plan.folder) + "\nparts=" + std::to_string(plan.parts) + "\n";
}

// Tasks have as many threads as processors, however many the machine has: others use these.
constexpr std::string_view kThreads =
    R"sh( --threads "${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-1}}")sh";

std::string shard_text(const ShardPlan& plan) {
  std::string text = head(plan, "runs one part, `sh shard PART`, and goes on where its log ends.");
  text += kHasEnded;
  text += R"sh(
part=$1
log=$folder/logs/shard-$part.jsonl
echo "part $part of $parts"
cd )sh" + shell_word(plan.place) +
          " || exit 3\n" + shell_word(plan.komuz) + " eval" + shell_words(plan.eval_words) +
          " \\\n  --shard \"$part/$parts\" --resume \"$log\"";
  if (!plan.states_wait) text += " --wait 10m";
  if (!plan.states_threads) text += kThreads;
  return text + R"sh( \
  --top 1 >/dev/null
status=$?
# 1: no candidate of this part has a score. Others may have one.
if [ "$status" -eq 1 ] && has_ended "$log"; then status=0; fi
exit "$status"
)sh";
}

std::string merge_text(const ShardPlan& plan) {
  return head(plan, "joins the logs of all parts.") + R"sh(
set --
part=1
while [ "$part" -le "$parts" ]; do
  set -- "$@" "$folder/logs/shard-$part.jsonl"
  part=$((part + 1))
done
cd )sh" + shell_word(plan.place) +
         " || exit 3\nexec " + shell_word(plan.komuz) + " merge" + shell_words(plan.merge_words) +
         " \"$@\"\n";
}

std::string sbatch_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "#SBATCH " + line + "\n";
  return text;
}

std::string shard_job(const ShardPlan& plan) {
  return std::string(kFirstLine) + "#SBATCH --job-name=komuz-shard\n#SBATCH --array=1-" +
         std::to_string(plan.parts) +
         (plan.at_once == 0 ? "" : "%" + std::to_string(plan.at_once)) + "\n#SBATCH --requeue\n" +
         sbatch_lines(plan.job_lines) + sbatch_lines(plan.array_lines) +
         "# Written by `komuz shards`. An array has fewer tasks than MaxArraySize of the cluster; "
         "its "
         "parts are\n# those behind the number that `submit` gives.\nexec /bin/sh " +
         shell_word(plan.folder + "/shard") + " \"$((${1:-0} + SLURM_ARRAY_TASK_ID))\"\n";
}

std::string merge_job(const ShardPlan& plan) {
  return std::string(kFirstLine) + "#SBATCH --job-name=komuz-merge\n#SBATCH --requeue\n" +
         sbatch_lines(plan.job_lines) + "# Written by `komuz shards`.\nexec /bin/sh " +
         shell_word(plan.folder + "/merge") + "\n";
}

// Slurm replaces what `%` stands before.
std::string slurm_name(std::string_view path) {
  std::string out;
  for (const char c : path) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

constexpr std::string_view kSubmit = R"sh(
fail() {
  echo "submit: error: $1" >&2
  exit 1
}

cd "$folder" || exit 3
command -v sbatch >/dev/null || fail "there is no sbatch here; call this on a machine that submits jobs"
mkdir submitting 2>/dev/null ||
  fail "another submit is at work; if there is none, remove $folder/submitting"
trap 'rmdir submitting' EXIT
trap 'exit 130' HUP INT TERM

# The jobs of the last call, a line each.
if [ -s submitted ]; then
  queued=$(squeue --noheader --format=%F) || fail "squeue does not say which jobs there are"
  going=$(printf '%s\n' "$queued" | tr -d ' ' | grep -Fx -f submitted | sort -u | tr '\n' ' ')
  [ -z "$going" ] ||
    fail "the run is still going on, as job ${going% }; wait for it, or cancel it: scancel ${going% }"
fi

size=$(scontrol show config 2>/dev/null | sed -n 's/^MaxArraySize *= *\([0-9][0-9]*\).*/\1/p')
# Numbers of tasks are below MaxArraySize; 1001 is what Slurm takes where nothing is said.
size=$((${size:-1001} - 1))
[ "$size" -ge 1 ] || fail "this cluster has no arrays: its MaxArraySize is $((size + 1))"

: >submitted || exit 3
offset=0 list='' first=0 last=0 tasks=0 left=0 after='' ids=''

add_range() {
  [ "$first" -gt 0 ] || return 0
  if [ "$first" -eq "$last" ]; then
    list=$list,$first
  else
    list=$list,$first-$last
  fi
  first=0
}

# Submits what was collected of the parts behind `offset`.
submit_array() {
  add_range
  [ -n "$list" ] || return 0
  id=$(sbatch --parsable --array="${list#,}$most" --output="$outputs/output/%A_%a.txt" shard.sbatch "$offset") ||
    fail "sbatch did not take an array; what it took before goes on, and the next call submits the rest"
  id=${id%%;*}
  echo "$id" >>submitted
  after=$after:$id
  ids=$ids,$id
  if [ "$tasks" -eq 1 ]; then what="1 part"; else what="$tasks parts"; fi
  echo "job $id: $what"
  list='' tasks=0
}

part=1
while [ "$part" -le "$parts" ]; do
  if [ $((part - offset)) -gt "$size" ]; then
    submit_array
    offset=$((offset + size))
  fi
  if ! has_ended "logs/shard-$part.jsonl"; then
    task=$((part - offset))
    if [ "$first" -eq 0 ] || [ "$task" -ne $((last + 1)) ]; then
      add_range
      first=$task
    fi
    last=$task tasks=$((tasks + 1)) left=$((left + 1))
  fi
  part=$((part + 1))
done
submit_array

set -- --parsable --output="$outputs/merge.txt"
# If a part fails, its merge never starts: it goes, and the next call submits another.
[ -z "$after" ] || set -- "$@" "--dependency=afterok$after" --kill-on-invalid-dep=yes
id=$(sbatch "$@" merge.sbatch) ||
  fail "sbatch did not take the merge; what it took before goes on, and the next call submits the rest"
id=${id%%;*}
echo "$id" >>submitted
ids=$ids,$id
if [ "$left" -eq 0 ]; then
  echo "job $id: the merge; all $parts parts have come to their end"
else
  echo "job $id: the merge, once $left of $parts parts have come to their end"
fi
echo "The ranking will be in $folder/merge.txt. See what is left: squeue -j ${ids#,}"
)sh";

std::string submit_text(const ShardPlan& plan) {
  return head(plan, "submits the parts that have not come to their end, and the merge.") +
         "# … as Slurm reads it, in names of outputs.\noutputs=" +
         shell_word(slurm_name(plan.folder)) +
         "\nmost=" + (plan.at_once == 0 ? "''" : "%" + std::to_string(plan.at_once)) + "\n" +
         std::string(kHasEnded) + std::string(kSubmit);
}

constexpr std::string_view kRun = R"sh(
cd "$folder" || exit 3
unfinished() {
  part=1
  while [ "$part" -le "$parts" ]; do
    has_ended "logs/shard-$part.jsonl" || echo "$part"
    part=$((part + 1))
  done
}
unfinished | xargs -n 1 -P "${1:-$processes}" sh -c '
  [ -n "${1-}" ] || exit 0
  sh ./shard "$1" >"output/$1.txt" 2>&1 && exit 0
  echo "run: error: part $1 failed; see output/$1.txt" >&2
  exit 1' run || {
  echo "run: error: not all parts have come to their end; call this again, which goes on from there" >&2
  exit 1
}
exec sh ./merge
)sh";

std::string run_text(const ShardPlan& plan) {
  return head(plan,
              "runs the parts that have not come to their end, and the merge, on this machine.") +
         "processes=" +
         (plan.at_once == 0 ? "$(getconf _NPROCESSORS_ONLN)" : std::to_string(plan.at_once)) +
         "\n" + std::string(kHasEnded) + std::string(kRun);
}

}  // namespace

std::vector<Script> shard_scripts(const ShardPlan& plan, ShardWay way) {
  std::vector<Script> scripts = {{"shard", shard_text(plan)}, {"merge", merge_text(plan)}};
  if (way == ShardWay::Local) {
    scripts.push_back({"run", run_text(plan)});
    return scripts;
  }
  scripts.push_back({"shard.sbatch", shard_job(plan)});
  scripts.push_back({"merge.sbatch", merge_job(plan)});
  scripts.push_back({"submit", submit_text(plan)});
  return scripts;
}

std::string sbatch_option(std::string_view name, std::string_view value) {
  std::string line, quoted;
  bool is_plain = true;
  for (const char c : value) {
    is_plain = is_plain && (std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                            std::string_view("-_./:,+@%=").find(c) != std::string_view::npos);
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  line = "--" + std::string(name) + "=";
  return is_plain ? line + quoted : line + '"' + quoted + '"';
}

}  // namespace komuz::cli
