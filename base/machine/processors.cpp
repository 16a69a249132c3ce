// SPDX-License-Identifier: Apache-2.0
#include "base/machine/processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/machine/control_groups.h"

namespace komuz::machine {
namespace {

u32 affine_processors() {
  // The kernel refuses a set that is too small for the machine.
  constexpr size_t kFirst = 1024, kMost = size_t{1} << 20;
  for (size_t processors = kFirst; processors <= kMost; processors *= 2) {
    cpu_set_t* const set = CPU_ALLOC(processors);
    if (set == nullptr) break;
    const size_t bytes = CPU_ALLOC_SIZE(processors);
    const bool is_known = sched_getaffinity(0, bytes, set) == 0;
    const int count = is_known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (is_known) return static_cast<u32>(std::max(1, count));
  }
  return all_processors();
}

// How many processors the time that a group is given would keep busy.
u64 paid_processors(const ControlGroup& group) {
  u64 quota = 0, period = 0;
  switch (group.version) {
    case ControlGroup::Version::Two: {  // "150000 100000", "max 100000"
      std::istringstream in(first_line(group.folder + "/cpu.max").value_or(""));
      in >> quota >> period;
      break;
    }
    case ControlGroup::Version::One:  // -1: there is no limit
      quota = first_number(group.folder + "/cpu.cfs_quota_us").value_or(0);
      period = first_number(group.folder + "/cpu.cfs_period_us").value_or(0);
      break;
  }
  if (quota == 0 || period == 0) return std::numeric_limits<u64>::max();
  return (quota + period - 1) / period;
}

}  // namespace

u32 all_processors() { return static_cast<u32>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

u32 usable_processors(const std::string& root) {
  u64 count = affine_processors();
  for (const ControlGroup& group : control_groups("cpu", root))
    count = std::min(count, paid_processors(group));
  return static_cast<u32>(std::max<u64>(count, 1));
}

std::string processor_name(const std::string& root) {
  std::ifstream info(root + "/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      if (const size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "unknown";
}

}  // namespace komuz::machine
