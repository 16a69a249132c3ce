// SPDX-License-Identifier: Apache-2.0
// Limits of control groups, energy and names of processors, on folders that imitate /proc and /sys.
#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/machine/control_groups.h"
#include "base/machine/energy.h"
#include "base/machine/processors.h"

namespace komuz::machine {
namespace {

namespace fs = std::filesystem;

class Root {
 public:
  Root() {
    std::string name = (fs::temp_directory_path() / "komuz-root-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Root() { fs::remove_all(path_); }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(path_ + path).parent_path());
    std::ofstream(path_ + path) << text;
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<std::string> folders(const Root& root, std::string_view controller) {
  std::vector<std::string> out;
  for (const ControlGroup& group : control_groups(controller, root.path()))
    out.push_back(group.folder.substr(root.path().size()));
  return out;
}

constexpr const char* kMountOfTwo =
    "31 25 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

TEST(ControlGroups, OfVersionTwoAreTheOwnAndThoseAbove) {
  const Root root;
  root.write("/proc/self/cgroup", "0::/user.slice/job\n");
  root.write("/proc/self/mountinfo",
             std::string("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n") + kMountOfTwo);
  EXPECT_EQ(folders(root, "cpu"),
            (std::vector<std::string>{"/sys/fs/cgroup/user.slice/job", "/sys/fs/cgroup/user.slice",
                                      "/sys/fs/cgroup"}));
}

TEST(ControlGroups, OfVersionOneAreThoseOfTheController) {
  const Root root;
  root.write("/proc/self/cgroup", "5:cpu,cpuacct:/docker/1f/job\n4:memory:/docker/1f\n0::/\n");
  root.write("/proc/self/mountinfo",
             "40 31 0:33 /docker/1f /sys/fs/cgroup/cpu\\040acct ro - cgroup cgroup rw,cpu,cpuacct\n"
             "41 31 0:34 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  EXPECT_EQ(folders(root, "cpu"),
            (std::vector<std::string>{"/sys/fs/cgroup/cpu acct/job", "/sys/fs/cgroup/cpu acct"}));
  EXPECT_EQ(folders(root, "memory"), (std::vector<std::string>{"/sys/fs/cgroup/memory"}));
}

// A container sees its own group as the root of all, whatever it is called outside.
TEST(ControlGroups, OutsideOfWhatIsMountedAreNotSeen) {
  const Root root;
  root.write("/proc/self/cgroup", "0::/../../other\n");
  root.write("/proc/self/mountinfo", kMountOfTwo);
  EXPECT_EQ(folders(root, "memory"), (std::vector<std::string>{"/sys/fs/cgroup"}));
  EXPECT_EQ(folders(Root(), "memory"), std::vector<std::string>());  // there is no /proc
}

TEST(Processors, AreThoseOfTheAffinity) {
  const Root empty;
  EXPECT_LE(usable_processors(empty.path()), all_processors());
  std::thread([&] {
    cpu_set_t all, one;
    ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    int first = 0;
    while (!CPU_ISSET(first, &all)) ++first;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(usable_processors(empty.path()), 1U);
  }).join();
}

// What the time of the group keeps busy, rounded up; those above count, too.
TEST(Processors, AreNoMoreThanAGroupIsGivenTimeFor) {
  if (usable_processors(Root().path()) < 2) GTEST_SKIP() << "there is one processor";
  struct Row {
    const char *own, *above;
    u32 expected;
  };
  const u32 all = usable_processors(Root().path());
  for (const Row& row :
       {Row{"max 100000", "max 100000", all}, Row{"50000 100000", "max 100000", 1},
        Row{"max 100000", "100000 100000", 1}, Row{"100001 100000", "max 100000", 2},
        Row{"", "", all}, Row{"99900000 100000", "max", all}}) {
    const Root root;
    root.write("/proc/self/cgroup", "0::/job\n");
    root.write("/proc/self/mountinfo", kMountOfTwo);
    root.write("/sys/fs/cgroup/job/cpu.max", std::string(row.own) + "\n");
    root.write("/sys/fs/cgroup/cpu.max", std::string(row.above) + "\n");
    EXPECT_EQ(usable_processors(root.path()), row.expected) << row.own << " " << row.above;
  }
  for (const auto& [quota, expected] :
       {std::pair("-1", all), {"30000", 1U}, {"150000", std::min(all, 2U)}}) {
    const Root root;
    root.write("/proc/self/cgroup", "5:cpu,cpuacct:/job\n");
    root.write("/proc/self/mountinfo",
               "40 31 0:33 / /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct\n");
    root.write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", std::string(quota) + "\n");
    root.write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(usable_processors(root.path()), expected) << quota;
  }
}

TEST(Energy, IsThatOfAllPackagesSinceTheBeginning) {
  const Root root;
  const std::string folder = "/sys/class/powercap/intel-rapl:";
  const auto write = [&](const char* package, const char* microjoules) {
    root.write(folder + package + "/energy_uj", microjoules);
    root.write(folder + package + "/max_energy_range_uj", "1000000\n");
  };
  write("0", "400000\n");
  write("1", "900000\n");
  // A part of a package is counted in it.
  write("0:0", "1\n");
  EnergyCounter energy(root.path());
  EXPECT_EQ(energy.joules(), 0.0);
  write("0", "650000\n");
  write("0:0", "100000\n");
  EXPECT_EQ(energy.joules(), 0.25);
  // The second one has begun again at its end.
  write("1", "150000\n");
  EXPECT_EQ(energy.joules(), 0.5);
}

TEST(Energy, IsUnknownWhereNothingShowsIt) {
  const Root root;
  EXPECT_EQ(EnergyCounter(root.path()).joules(), std::nullopt);
}

TEST(Processors, HaveTheNameThatTheSystemSays) {
  const Root root;
  EXPECT_EQ(processor_name(root.path()), "unknown");
  root.write("/proc/cpuinfo", "processor\t: 0\nmodel name\t: A Fast One\n\nmodel name\t: B\n");
  EXPECT_EQ(processor_name(root.path()), "A Fast One");
}

}  // namespace
}  // namespace komuz::machine
