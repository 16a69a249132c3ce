// SPDX-License-Identifier: Apache-2.0
// Object files are kept, and used again only where they are whole, the user's own, and of just this code for just this
// processor. Whatever is there, outcomes are the same.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/backend/native_agreement.h"
#include "tests/backend/scratch_folder.h"

namespace komuz::test {
namespace {

namespace fs = std::filesystem;
using backend::CacheUse;

// f(x) = x · x + number, with a mathematical function besides where that is wanted.
Code square_plus(i64 number, bool has_kernel = false) {
  CodeBuilder b;
  b.function("f", {Scalar::F64}, {Scalar::F64});
  b.load(0).load(0).op(Op::Mul, Scalar::F64);
  b.constant(Scalar::F64, cell_f64(static_cast<f64>(number))).op(Op::Add, Scalar::F64);
  if (has_kernel) b.op(Op::Tanh, Scalar::F64);
  b.end_function();
  return b.code;
}

// With a cache in a folder, and nothing in memory.
class NativeCache : public testing::Test {
 protected:
  void SetUp() override {
    KOMUZ_NEEDS_BACKEND;
    restart();
  }
  void TearDown() override {
    if (native_backend() != nullptr) native_backend()->configure({});
  }
  // As another process begins.
  void restart() {
    native_backend()->configure({.cache_folder = folder_.string(), .cache_levels = 2});
  }
  // What a compile of the code has used, if its outcomes are right.
  CacheUse use_of(const Code& code, const Making& making = kEfforts[1]) {
    const CacheUse before = native_backend()->cache_use();
    NativeAgreement agreement;
    EXPECT_TRUE(agreement.expect(code, {{cell_f64(0.5), cell_f64(-3), cell_f64(1e200)}}, 0, 1,
                                 kDefaultFuel, {&making, 1}));
    EXPECT_EQ(agreement.refused(), 0u) << agreement.last_refusal();
    const CacheUse now = native_backend()->cache_use();
    return {now.in_memory - before.in_memory, now.on_disk - before.on_disk, now.made - before.made};
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_, none)) found.push_back(entry.path());
    return found;
  }
  static bool is_noted(const std::string& what) {
    for (const std::string& note : native_backend()->notes())
      if (note.find(what) != std::string::npos) return true;
    return false;
  }

  const ScratchDirectory scratch_;
  fs::path folder_ = scratch_.path() / "komuz" / "native";
};

void expect_use(const CacheUse& use, u64 in_memory, u64 on_disk, u64 made) {
  EXPECT_EQ(use.in_memory, in_memory);
  EXPECT_EQ(use.on_disk, on_disk);
  EXPECT_EQ(use.made, made);
}

TEST_F(NativeCache, CodeIsMadeOnceInAProcessAndOnceOnAMachine) {
  const Code code = square_plus(1);
  expect_use(use_of(code), 0, 0, 1);
  expect_use(use_of(code), 1, 0, 0);
  restart();
  expect_use(use_of(code), 0, 1, 0);
  expect_use(use_of(code), 1, 0, 0);
  ASSERT_EQ(files().size(), 1u);
  struct stat found = {};
  ASSERT_EQ(stat(files()[0].c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  ASSERT_EQ(stat(folder_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0700u);
}

TEST_F(NativeCache, WithoutAFolderNothingIsWritten) {
  native_backend()->configure({});
  expect_use(use_of(square_plus(2)), 0, 0, 1);
  EXPECT_FALSE(fs::exists(scratch_.path() / "komuz"));
}

TEST_F(NativeCache, WhatCodeDependsOnIsToldApart) {
  use_of(square_plus(3));
  expect_use(use_of(square_plus(4)), 0, 0, 1);
  for (const Making& making : {kEfforts[0], kEfforts[2], kLaneWays[1], kLaneWays[2], kLaneWays[4],
                               Making{backend::Effort::Normal, "x86-64-v3"}})
    expect_use(use_of(square_plus(3), making), 0, 0, 1);
  native_backend()->configure(
      {.maps = backend::Maps::Gdb, .cache_folder = folder_.string(), .cache_levels = 2});
  expect_use(use_of(square_plus(3)), 0, 0, 1);
  EXPECT_EQ(files().size(), 9u);
}

// The mathematical functions are files of their own: what calls them finds them again.
TEST_F(NativeCache, CodeThatCallsMathematicalFunctionsIsKept) {
  const Code code = square_plus(5, true);
  use_of(code);
  restart();
  expect_use(use_of(code), 0, 1, 0);
}

TEST_F(NativeCache, DamagedFilesAreMadeAnew) {
  const Code code = square_plus(6);
  use_of(code);
  ASSERT_EQ(files().size(), 1u);
  const fs::path file = files()[0];
  const std::string whole = bytes_of(file);
  const auto expect_made = [&](const std::string& bytes, const std::string& why) {
    write_bytes(file, bytes);
    restart();
    expect_use(use_of(code), 0, 0, 1);
    EXPECT_TRUE(is_noted(file.string() + ": " + why)) << why;
    // And it is whole again.
    EXPECT_TRUE(bytes_of(file) == whole) << why;
  };
  for (const size_t size : {size_t{0}, size_t{1}, size_t{20}, size_t{47}, size_t{100},
                            whole.size() / 2, whole.size() - 1})
    expect_made(whole.substr(0, size), "it is cut off or damaged");
  expect_made(whole + "x", "it is cut off or damaged");
  expect_made("Komuz native 0" + whole.substr(14), "it is of another version, or damaged");
  for (size_t at = 15; at < whole.size(); at += 1 + whole.size() / 9) {
    std::string other = whole;
    other[at] = static_cast<char>(other[at] ^ 0x10);
    expect_made(other, "it is cut off or damaged");
  }
}

TEST_F(NativeCache, AFileOfAnotherProcessorOrOfOtherCodeIsNotUsed) {
  const Code code = square_plus(7);
  use_of(code, {backend::Effort::Normal, "x86-64-v3"});
  const fs::path other = files()[0];
  const std::string of_other = bytes_of(other);
  fs::remove(other);
  use_of(code, {backend::Effort::Normal, "x86-64"});
  const fs::path file = files()[0];
  write_bytes(file, of_other);
  restart();
  expect_use(use_of(code, {backend::Effort::Normal, "x86-64"}), 0, 0, 1);
  EXPECT_TRUE(is_noted(file.string() + ": it was made for another processor, x86-64-v3"));

  const std::string of_code = bytes_of(file);
  fs::remove(file);
  use_of(square_plus(8), {backend::Effort::Normal, "x86-64"});
  const fs::path second = files()[0];
  write_bytes(second, of_code);
  restart();
  expect_use(use_of(square_plus(8), {backend::Effort::Normal, "x86-64"}), 0, 0, 1);
  EXPECT_TRUE(is_noted(second.string() + ": it was made of other code"));
}

// What somebody else may have written would run as this user.
TEST_F(NativeCache, WhatOthersMayWriteIsNotUsed) {
  const Code code = square_plus(9);
  use_of(code);
  const fs::path file = files()[0], elsewhere = scratch_.path() / "elsewhere";
  fs::permissions(file, fs::perms::group_write, fs::perm_options::add);
  restart();
  expect_use(use_of(code), 0, 0, 1);
  EXPECT_TRUE(is_noted(file.string() + ": others may write it"));
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  restart();
  expect_use(use_of(code), 0, 0, 1);
  EXPECT_TRUE(is_noted(file.string() + ": Too many levels of symbolic links"));
  EXPECT_FALSE(fs::is_symlink(file));
  fs::remove(file);
  fs::create_directory(file);
  restart();
  expect_use(use_of(code), 0, 0, 1);
  EXPECT_TRUE(is_noted(file.string() + ": it is no file"));
  fs::remove(file);
  fs::permissions(folder_, fs::perms::others_write, fs::perm_options::add);
  expect_use(use_of(square_plus(10)), 0, 0, 1);
  EXPECT_TRUE(is_noted("is not kept in " + folder_.string() + ": others may write there"));
  EXPECT_TRUE(files().empty());
}

TEST_F(NativeCache, AFolderThatCannotBeWrittenIsSaid) {
  write_bytes(scratch_.path() / "file", "");
  folder_ = scratch_.path() / "file" / "native";
  restart();
  expect_use(use_of(square_plus(11)), 0, 0, 1);
  EXPECT_TRUE(is_noted("native code is not kept in " + folder_.string() + ": Not a directory"));
  folder_ = scratch_.path() / "file";
  restart();
  expect_use(use_of(square_plus(12)), 0, 0, 1);
  EXPECT_TRUE(is_noted("native code is not kept in " + folder_.string() + ": it is no folder"));
}

// What was used last stays. The folder is looked through now and then.
TEST_F(NativeCache, TheOldestFilesGo) {
  use_of(square_plus(13));
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(50);
  const auto put = [&](const char* name, u64 bytes, int hours) {
    write_bytes(folder_ / name, "");
    fs::resize_file(folder_ / name, bytes);
    fs::last_write_time(folder_ / name, old + std::chrono::hours(hours));
  };
  put("a.object", 100u << 20, 1);
  put("b.object", 100u << 20, 2);
  put("c.object", 100u << 20, 3);
  put("d.unfinished", 1, 1);
  put("notes.txt", 100u << 20, 0);
  for (i64 k = 0; k < 64 && fs::exists(folder_ / "a.object"); ++k)
    use_of(square_plus(100 + k), kEfforts[0]);
  EXPECT_FALSE(fs::exists(folder_ / "a.object"));
  EXPECT_FALSE(fs::exists(folder_ / "b.object"));
  EXPECT_TRUE(fs::exists(folder_ / "c.object"));
  EXPECT_FALSE(fs::exists(folder_ / "d.unfinished"));
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
  restart();
  expect_use(use_of(square_plus(13)), 0, 1, 0);
}

}  // namespace
}  // namespace komuz::test
