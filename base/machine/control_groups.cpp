// SPDX-License-Identifier: Apache-2.0
// /proc/self/cgroup names the groups. /proc/self/mountinfo says where their file systems are mounted, and which
// part of each:
//
//   0::/user/job                                                          version 2 has one line
//   5:cpu,cpuacct:/user/job                                               version 1 one for each hierarchy
//
//   31 25 0:26 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw
//   40 31 0:33 /docker/1f /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct
//      │       │          └ where                 │              └ which controllers
//      │       └ the group that is seen there     └ the kind
#include "base/machine/control_groups.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace komuz::machine {
namespace {

using Version = ControlGroup::Version;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(std::move(part));
  return parts;
}

bool lists(const std::string& names, std::string_view name) {
  const std::vector<std::string> all = split(names, ',');
  return std::ranges::find(all, name) != all.end();
}

// Blanks in paths are written as \040, and so on.
std::string unescaped(std::string_view path) {
  std::string out;
  constexpr size_t kDigits = 3;
  for (size_t i = 0; i < path.size(); ++i) {
    u32 code = 0;
    const char* const digits = path.data() + i + 1;
    const bool is_escape =
        path[i] == '\\' && i + kDigits < path.size() &&
        std::from_chars(digits, digits + kDigits, code, 8).ptr == digits + kDigits;
    out += is_escape ? static_cast<char>(code) : path[i];
    if (is_escape) i += kDigits;
  }
  return out;
}

struct Mount {
  Version version;
  std::string group, folder, controllers;
};

std::optional<Mount> read_mount(const std::string& line) {
  const std::vector<std::string> words = split(line, ' ');
  const auto dash = std::ranges::find(words, "-");
  constexpr size_t kGroup = 3, kFolder = 4, kKind = 1, kControllers = 3;
  if (dash - words.begin() <= static_cast<std::ptrdiff_t>(kFolder) ||
      words.end() - dash <= static_cast<std::ptrdiff_t>(kControllers))
    return std::nullopt;
  const std::string& kind = dash[kKind];
  if (kind != "cgroup" && kind != "cgroup2") return std::nullopt;
  return Mount{kind == "cgroup2" ? Version::Two : Version::One, unescaped(words[kGroup]),
               unescaped(words[kFolder]), dash[kControllers]};
}

// The part of `path` below `above`; none: the path is not below it.
std::optional<std::string> below(const std::string& path, const std::string& above) {
  if (above == "/") return path == "/" ? "" : path;
  if (!path.starts_with(above)) return std::nullopt;
  const std::string rest = path.substr(above.size());
  if (!rest.empty() && rest.front() != '/') return std::nullopt;
  return rest;
}

void add_with_those_above(const Mount& mount, const std::string& group, const std::string& root,
                          std::vector<ControlGroup>& out) {
  // A group outside of the mounted part cannot be seen. The mounted part limits it all the same.
  const std::optional<std::string> rest = below(group, mount.group);
  const bool is_seen = rest && rest->find("/..") == std::string::npos;
  for (std::string at = is_seen ? *rest : "";; at.resize(at.rfind('/'))) {
    out.push_back({mount.version, root + mount.folder + at});
    if (at.empty()) return;
  }
}

}  // namespace

std::vector<ControlGroup> control_groups(std::string_view controller, const std::string& root) {
  std::vector<ControlGroup> out;
  std::optional<std::string> one, two;  // the process's groups
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    if (names.empty()) two = line.substr(second + 1);
    if (lists(names, controller)) one = line.substr(second + 1);
  }
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::optional<Mount> mount = read_mount(line);
    if (!mount) continue;
    if (mount->version == Version::Two && two) add_with_those_above(*mount, *two, root, out);
    if (mount->version == Version::One && one && lists(mount->controllers, controller))
      add_with_those_above(*mount, *one, root, out);
  }
  return out;
}

std::optional<std::string> first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  return line;
}

std::optional<u64> first_number(const std::string& path) {
  const std::optional<std::string> line = first_line(path);
  u64 number = 0;
  if (!line || std::from_chars(line->data(), line->data() + line->size(), number).ec != std::errc{})
    return std::nullopt;
  return number;
}

}  // namespace komuz::machine
