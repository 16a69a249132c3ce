// SPDX-License-Identifier: Apache-2.0
// Shared objects that are cut off or damaged are known before the dynamic linker sees them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/machine/whole_object.h"

namespace komuz::machine {
namespace {

namespace fs = std::filesystem;

class WholeObject : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "whole_object_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    // Each executable here is a shared object to the linker, too.
    std::ifstream self("/proc/self/exe", std::ios::binary);
    std::ostringstream bytes;
    bytes << self.rdbuf();
    bytes_ = bytes.str();
    ASSERT_GT(bytes_.size(), 10'000u);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string fault_of(std::string_view bytes) {
    const fs::path path = folder_ / "object.so";
    std::ofstream(path, std::ios::binary) << bytes;
    return object_fault(path);
  }

  fs::path folder_;
  std::string bytes_;
};

TEST_F(WholeObject, AWholeOneHasNoFault) { EXPECT_EQ(fault_of(bytes_), ""); }

TEST_F(WholeObject, EveryCutIsAFault) {
  for (const size_t kept : {size_t{0}, size_t{10}, size_t{64}, size_t{200}, size_t{4'096},
                            bytes_.size() / 2, bytes_.size() - 4'096, bytes_.size() - 1})
    EXPECT_NE(fault_of(std::string_view(bytes_).substr(0, kept)), "") << kept;
}

TEST_F(WholeObject, OtherFilesAndDamagedHeadersAreFaults) {
  EXPECT_NE(fault_of(std::string(10'000, 'x')), "");
  std::string damaged = bytes_;
  for (size_t at = 72; at < 80; ++at) damaged[at] = '\xFF';  // the first segment's offset
  for (size_t at = 32; at < 40; ++at) damaged[at] = '\xFF';  // where the segments are
  EXPECT_NE(fault_of(damaged), "");
  EXPECT_NE(object_fault(folder_), "");
  EXPECT_NE(object_fault(folder_ / "none"), "");
  EXPECT_NE(object_fault("/dev/zero"), "");
}

}  // namespace
}  // namespace komuz::machine
