// SPDX-License-Identifier: Apache-2.0
// The prover is looked for where it is said to be, and its absence is a problem with a remedy.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/machine/opened_library.h"

namespace komuz::machine {
namespace {

OwnLibrary named(const char* variable, u32 version = 1) {
  return {.file = "komuz_no_such_library.so",
          .variable = variable,
          .table = "komuz_prover",
          .version = version,
          .what = "prover",
          .lacks = "Z3",
          .package = "libz3-dev"};
}

TEST(OwnLibrary, ThatIsMissingIsAProblemWithARemedy) {
  const Result<const void*> opened = open_own_library(named("KOMUZ_TEST_UNSET"));
  ASSERT_TRUE(opened.problem().is(ProblemKind::Device));
  EXPECT_NE(opened.problem().message().find("this Komuz was built or installed without Z3"),
            std::string::npos)
      << opened.problem().message();
  EXPECT_EQ(opened.problem().remedy(),
            "install libz3-dev and build Komuz again, or name a file of another installation of "
            "this version: KOMUZ_TEST_UNSET=…/komuz_no_such_library.so");
}

TEST(OwnLibrary, ThatIsNamedIsTheOnlyOne) {
  setenv("KOMUZ_TEST_LIBRARY", "/no/such.so", 1);
  const Result<const void*> opened = open_own_library(named("KOMUZ_TEST_LIBRARY"));
  EXPECT_EQ(opened.problem().message(), "there is no /no/such.so, which KOMUZ_TEST_LIBRARY names");
}

TEST(OwnLibrary, ThatIsNoneOfOursIsRefused) {
  const std::string path = std::filesystem::temp_directory_path() / "komuz_text.so";
  std::ofstream(path) << "no library";
  setenv("KOMUZ_TEST_LIBRARY", path.c_str(), 1);
  EXPECT_TRUE(open_own_library(named("KOMUZ_TEST_LIBRARY")).problem());
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace komuz::machine
