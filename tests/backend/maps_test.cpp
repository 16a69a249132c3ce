// SPDX-License-Identifier: Apache-2.0
// Maps of native code for perf and gdb.
#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/backend/child_process.h"
#include "tests/backend/native_agreement.h"
#include "tests/backend/scratch_folder.h"

namespace komuz::test {
namespace {

namespace fs = std::filesystem;

// triangle(n) = n + triangle(n − 1), which main calls; and exp besides.
Code two_functions() {
  CodeBuilder b;
  b.function("start", {Scalar::I64}, {Scalar::I64});
  b.load(0).call(1).end_function();
  b.function("triangle", {Scalar::I64}, {Scalar::I64}, 100);
  b.load(0).constant(Scalar::I64, 0).op(Op::Le, Scalar::I64).if_();
  b.constant(Scalar::I64, 0).else_(1);
  b.load(0).load(0).constant(Scalar::I64, 1).op(Op::Sub, Scalar::I64).call(1);
  b.op(Op::Add, Scalar::I64).end_if();
  b.end_function();
  return b.code;
}

Result<backend::NativeCode> compile(const CaseRun& run, u32 lanes) {
  return native_backend()->compile(run.job().code, 0, backend::Effort::Normal, "native", {lanes});
}

// Is [address, address + size) code of this process that cannot be written?
bool is_code(u64 address, u64 size) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    u64 begin = 0, end = 0;
    char dash = 0, rights[5] = {};
    std::istringstream in(line);
    in >> std::hex >> begin >> dash >> end >> rights;
    if (address >= begin && address + size <= end) return std::string(rights) == "r-xp";
  }
  return false;
}

fs::path map_path() { return "/tmp/perf-" + std::to_string(getpid()) + ".map"; }

std::string wrong_in_perf_map() {
  const Code code = two_functions();
  CaseRun run(code, {{3, 5, 10}});
  native_backend()->configure({.maps = backend::Maps::Perf});
  std::string wrong;
  for (const u32 lanes : {1u, 8u}) {
    auto made = compile(run, lanes);
    if (made.problem()) return made.problem().text();
    made.value().run({run.job().cases, kDefaultFuel}, run.outcomes());
    if (run.values[0] != 6 || run.values[1] != 15 || run.values[2] != 55) wrong += "values; ";
    // While the code is there.
    bool has_start = false, has_triangle = false;
    const std::string text = bytes_of(map_path());
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      u64 address = 0, size = 0;
      std::string name;
      words >> std::hex >> address >> size;
      std::getline(words >> std::ws, name);
      const std::string suffix = lanes == 1 ? "" : "[8 lanes]";
      has_start = has_start || name == "komuz::start" + suffix;
      has_triangle = has_triangle || name == "komuz::triangle" + suffix;
      if (lanes == 1 && (size == 0 || !is_code(address, size))) wrong += "no code: " + line + "; ";
    }
    if (!has_start || !has_triangle) wrong += "names: " + text + "; ";
  }
  struct stat found = {};
  if (stat(map_path().c_str(), &found) != 0 || (found.st_mode & 0777) != 0600) wrong += "mode; ";
  for (const std::string& note : native_backend()->notes()) wrong += note + "; ";
  fs::remove(map_path());
  return wrong;
}

TEST(NativeMaps, PerfHasTheNames) {
  KOMUZ_NEEDS_BACKEND;
  EXPECT_EQ(in_child(wrong_in_perf_map), "");
}

// What a former process of the same number left is gone.
TEST(NativeMaps, AnOldMapIsEmptied) {
  KOMUZ_NEEDS_BACKEND;
  EXPECT_EQ(in_child([] {
              write_bytes(map_path(), "1000 10 old\n");
              fs::permissions(map_path(), fs::perms::owner_read | fs::perms::owner_write);
              fs::last_write_time(map_path(),
                                  fs::file_time_type::clock::now() - std::chrono::hours(1000));
              return wrong_in_perf_map();
            }),
            "");
}

// Whoever may write to /tmp may put something there.
TEST(NativeMaps, NothingIsWrittenThroughALink) {
  KOMUZ_NEEDS_BACKEND;
  const ScratchDirectory scratch;
  const fs::path victim = scratch.path() / "victim";
  for (const bool is_symbolic : {true, false}) {
    write_bytes(victim, "precious");
    const std::string wrong = in_child([&] {
      if (is_symbolic)
        fs::create_symlink(victim, map_path());
      else
        fs::create_hard_link(victim, map_path());
      const std::string found = wrong_in_perf_map();
      fs::remove(map_path());
      return found;
    });
    EXPECT_EQ(bytes_of(victim), "precious");
    EXPECT_NE(wrong.find("perf gets no names of native code: /tmp/perf-"), std::string::npos)
        << wrong;
    EXPECT_EQ(wrong.find("values"), std::string::npos) << wrong;
  }
}

// The rows of gdb's list, as it reads them.
struct Entry {
  Entry *next, *previous;
  const char* object;
  u64 bytes;
};
struct Descriptor {
  u32 version, action;
  Entry *relevant, *first;
};

// In the opened komuz_backend.so.
const void* gdb_list() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const size_t path = line.find('/');
    if (path == std::string::npos || !line.ends_with(".so")) continue;
    void* const file = dlopen(line.c_str() + path, RTLD_NOLOAD | RTLD_LAZY);
    void* const list = file == nullptr ? nullptr : dlsym(file, "__jit_debug_descriptor");
    if (list != nullptr) return list;
  }
  return nullptr;
}

// The functions of an object, with their addresses.
std::vector<std::pair<std::string, u64>> functions_of(const Entry& entry) {
  const auto* const head = reinterpret_cast<const Elf64_Ehdr*>(entry.object);
  const auto* const sections = reinterpret_cast<const Elf64_Shdr*>(entry.object + head->e_shoff);
  std::vector<std::pair<std::string, u64>> found;
  for (u32 k = 0; k < head->e_shnum; ++k) {
    if (sections[k].sh_type != SHT_SYMTAB) continue;
    const char* const names = entry.object + sections[sections[k].sh_link].sh_offset;
    const auto* const symbols =
        reinterpret_cast<const Elf64_Sym*>(entry.object + sections[k].sh_offset);
    for (u64 n = 1; n < sections[k].sh_size / sizeof(Elf64_Sym); ++n)
      found.emplace_back(names + symbols[n].st_name, symbols[n].st_value);
  }
  return found;
}

std::string wrong_in_gdb_list() {
  const auto* const list = static_cast<const Descriptor*>(gdb_list());
  if (list == nullptr || list->version != 1) return "no list";
  native_backend()->configure({.maps = backend::Maps::Gdb});
  const Code code = two_functions();
  CaseRun run(code, {{3, 5, 10}});
  std::string wrong;
  {
    auto made = compile(run, 1);
    auto other = compile(run, 8);
    if (made.problem() || other.problem()) return "not compiled";
    u32 count = 0;
    for (const Entry* entry = list->first; entry != nullptr; entry = entry->next) {
      ++count;
      if (std::memcmp(entry->object, ELFMAG, SELFMAG) != 0) wrong += "no object; ";
      bool has_triangle = false;
      for (const auto& [name, address] : functions_of(*entry)) {
        has_triangle = has_triangle || name.starts_with("komuz::triangle");
        if (!is_code(address, 1)) wrong += "no code: " + name + "; ";
      }
      if (!has_triangle) wrong += "no triangle; ";
    }
    if (count != 2) wrong += std::to_string(count) + " objects; ";
  }
  // What is freed is taken off the list.
  if (list->first != nullptr) wrong += "the list is not empty; ";
  return wrong;
}

TEST(NativeMaps, GdbHasAnObjectOfEachCode) {
  KOMUZ_NEEDS_BACKEND;
  EXPECT_EQ(in_child(wrong_in_gdb_list), "");
}

}  // namespace
}  // namespace komuz::test
