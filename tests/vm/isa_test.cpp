// SPDX-License-Identifier: Apache-2.0
// Each machine contains only instructions of its set: a wider instruction, which the linker took from another object
// or a wrong flag caused, would be illegal on a smaller processor. Disassembles the objects with objdump.
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <regex>
#include <string>
#include <vector>

namespace {

struct PipeCloser {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

std::vector<std::string> objects() {
  std::vector<std::string> paths;
  std::string all = KOMUZ_VM_OBJECTS;
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find(':', begin), all.size());
    paths.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

bool is_object_of(const std::string& path, const std::string& suffix) {
  return path.find(suffix + ".cpp.") != std::string::npos;
}

std::vector<std::string> output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, PipeCloser> pipe(popen(command.c_str(), "r"));
  std::vector<std::string> lines;
  std::string line;
  char part[512];
  while (pipe != nullptr && std::fgets(part, sizeof part, pipe.get()) != nullptr) {
    line += part;
    if (line.back() != '\n') continue;
    lines.push_back(line);
    line.clear();
  }
  return lines;
}

// The instructions of an object as objdump prints them: "vaddpd %ymm1,%ymm0,%ymm0".
std::vector<std::string> disassemble(const std::string& object) {
  std::vector<std::string> instructions;
  for (const std::string& line :
       output_of(std::string(KOMUZ_OBJDUMP) + " -d --no-show-raw-insn '" + object + "'")) {
    const size_t tab = line.find(":\t");  // "  1f:\tvaddpd …"
    if (tab != std::string::npos) instructions.push_back(line.substr(tab + 2));
  }
  return instructions;
}

// The first instruction that the pattern finds; empty if none.
std::string find(const std::vector<std::string>& instructions, const std::regex& pattern) {
  for (const std::string& instruction : instructions)
    if (std::regex_search(instruction, pattern)) return instruction;
  return {};
}

const std::regex kVex("^(v[a-z]|andn |bextr |bls|bzhi |mulx |pdep |pext |rorx |sarx |shlx |shrx )");
// 512-bit registers, mask registers, and the upper sixteen of the others, which only EVEX encodes.
const std::regex kAvx512("%zmm|%k[0-7]|%[xy]mm(1[6-9]|2[0-9]|3[01])");
const std::regex kWide512("%zmm");
const std::regex kWide256("%ymm");

TEST(InstructionSets, PortableObjectsHaveNoVexInstruction) {
  int count = 0;
  for (const std::string& object : objects()) {
    if (is_object_of(object, "_avx2") || is_object_of(object, "_avx512")) continue;
    const auto instructions = disassemble(object);
    EXPECT_FALSE(instructions.empty()) << object;
    EXPECT_EQ(find(instructions, kVex), "") << object;
    ++count;
  }
  EXPECT_GE(count, 2);
}

TEST(InstructionSets, Avx2ObjectsHaveNoAvx512) {
  int count = 0;
  for (const std::string& object : objects()) {
    if (!is_object_of(object, "_avx2")) continue;
    const auto instructions = disassemble(object);
    EXPECT_EQ(find(instructions, kAvx512), "") << object;
    // One lane has no use of wide registers.
    const std::regex& own = object.find("one_lane") == std::string::npos ? kWide256 : kVex;
    EXPECT_NE(find(instructions, own), "") << object << " was not compiled for AVX2";
    ++count;
  }
  EXPECT_GE(count, 1);
}

TEST(InstructionSets, Avx512ObjectsUseIt) {
  int count = 0;
  for (const std::string& object : objects()) {
    if (!is_object_of(object, "_avx512")) continue;
    EXPECT_NE(find(disassemble(object), kWide512), "") << object << " was not compiled for AVX-512";
    ++count;
  }
  EXPECT_GE(count, 1);
}

// Of functions that several objects define, the linker keeps one for all. What objects of a wider set define that way
// is in the namespace of that set, so that no other object can get it.
TEST(InstructionSets, WideObjectsShareNoFunction) {
  // DW.ref.…: an address that sanitizers have in each object, no code.
  const std::regex shared("^[0-9a-f]+ [WVu] (?!DW\\.ref\\.)");
  for (const std::string& object : objects()) {
    if (!is_object_of(object, "_avx2") && !is_object_of(object, "_avx512")) continue;
    const std::string space = is_object_of(object, "_avx2") ? "isa_avx2" : "isa_avx512";
    const auto symbols = output_of(std::string(KOMUZ_NM) + " -C --defined-only '" + object + "'");
    EXPECT_FALSE(symbols.empty()) << object;
    for (const std::string& symbol : symbols)
      EXPECT_FALSE(std::regex_search(symbol, shared) && symbol.find(space) == std::string::npos)
          << object << " defines " << symbol;
  }
}

}  // namespace
