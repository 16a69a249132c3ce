// SPDX-License-Identifier: Apache-2.0
#include "lang/text/code_file.h"

#include <cstring>

#include "tests/lang/assembled.h"

namespace komuz {
namespace {

std::vector<u8> sample_file() {
  const Code code = checked(kSampleText);
  std::vector<u8> file;
  write_code_file(code.view(), file);
  return file;
}

// A writer that lies consistently: the bytes from 32 on changed, and the hash made to fit.
std::vector<u8> forged(std::vector<u8> file) {
  const auto word = [&](size_t at) {
    u64 value = 0;
    for (size_t byte = 0; byte < 8; ++byte) value |= u64{file[at + byte]} << (8 * byte);
    return value;
  };
  Hash128 hash;
  for (size_t at = 0; at < file.size(); at += 8)
    if (at < 16 || at >= 32) hash.add(word(at));
  hash.add(file.size());
  hash.add(hash.high);
  for (size_t byte = 0; byte < 8; ++byte) {
    file[16 + byte] = static_cast<u8>(hash.low >> (8 * byte));
    file[24 + byte] = static_cast<u8>(hash.high >> (8 * byte));
  }
  return file;
}

TEST(CodeFile, ComesBackByteForByte) {
  const Code code = checked(kSampleText);
  const std::vector<u8> file = sample_file();
  Code again;
  const CodeFileError error = read_code_file(file, again);
  ASSERT_FALSE(error) << error.offset << ": " << error.reason;
  EXPECT_EQ(disassemble(again.view()), disassemble(code.view()));
  EXPECT_EQ(std::memcmp(again.functions.data(), code.functions.data(),
                        code.functions.size() * sizeof(Function)),
            0);
  std::vector<u8> file_again;
  write_code_file(again.view(), file_again);
  EXPECT_EQ(file, file_again);
}

TEST(CodeFile, IsAppended) {
  std::vector<u8> bytes = {1, 2, 3};
  write_code_file(checked(kSampleText).view(), bytes);
  EXPECT_EQ(std::vector<u8>(bytes.begin() + 3, bytes.end()), sample_file());
}

TEST(CodeFile, NoCodeIsCode) {
  std::vector<u8> file;
  write_code_file(CodeView(), file);
  EXPECT_EQ(file.size(), 96u);
  Code code;
  EXPECT_FALSE(read_code_file(file, code));
  EXPECT_TRUE(code.functions.empty());
}

TEST(CodeFile, EveryPrefixIsRefused) {
  const std::vector<u8> file = sample_file();
  Code code;
  for (size_t size = 0; size < file.size(); ++size) {
    const CodeFileError error = read_code_file(std::span(file).first(size), code);
    EXPECT_TRUE(error) << size;
    EXPECT_LE(error.offset, size);
    EXPECT_TRUE(code.instructions.empty());
  }
}

TEST(CodeFile, EveryChangedByteIsRefused) {
  std::vector<u8> file = sample_file();
  Code code;
  for (size_t at = 0; at < file.size(); ++at)
    for (u8 flip : {u8{0x01}, u8{0x80}, u8{0xFF}}) {
      file[at] ^= flip;
      EXPECT_TRUE(read_code_file(file, code)) << at;
      file[at] ^= flip;
    }
}

TEST(CodeFile, ErrorsNameTheOffset) {
  const std::vector<u8> good = sample_file();
  const auto error_of = [](const std::vector<u8>& file) {
    Code code;
    const CodeFileError error = read_code_file(file, code);
    return std::to_string(error.offset) + ": " + error.reason;
  };
  const auto with = [&](size_t at, u8 byte) {
    std::vector<u8> file = good;
    file[at] = byte;
    return forged(file);
  };
  EXPECT_EQ(error_of({}), "0: this is no bytecode file");
  EXPECT_EQ(error_of({0x89, 'K', 'B', 'C', '\n'}), "4: this is no bytecode file");
  EXPECT_EQ(error_of({good.begin(), good.begin() + 50}),
            "50: the file ends inside its header of 96 bytes");
  EXPECT_EQ(error_of(with(8, 8)), "8: the file has format version 8, this program reads version 9");
  EXPECT_EQ(error_of(with(12, 7)), "12: the file has 7 sections, not 8");
  EXPECT_EQ(error_of(with(36, 1)).substr(0, 37), "32: the section of instructions has 4");
  EXPECT_NE(error_of(with(33, 9)).find("the file ends inside the section of instructions"),
            std::string::npos);
  std::vector<u8> longer = good;
  longer.resize(longer.size() + 8);
  EXPECT_EQ(error_of(forged(longer)),
            std::to_string(good.size()) + ": the file goes on behind its last section");
  std::vector<u8> flipped = good;
  flipped[100] ^= 1;
  EXPECT_EQ(error_of(flipped),
            "16: the file's content does not have the hash that its header states");
  std::vector<u8> tail = good;
  ASSERT_EQ(tail.back(), 0) << "the sample's names need padding for this test";
  tail.back() = 1;
  EXPECT_EQ(error_of(forged(tail)),
            std::to_string(good.size() - 1) + ": the padding behind a section is not zero");
}

// Whatever the bytes say, a file with a fitting hash gives checked code or an error.
TEST(CodeFile, ForgedFilesAreSafe) {
  const std::vector<u8> good = sample_file();
  Code code;
  u32 read = 0, refused = 0;
  for (size_t at = 32; at < good.size(); ++at)
    for (u8 byte : {u8{0x00}, u8{0x01}, u8{0x7F}, u8{0xFF}}) {
      std::vector<u8> file = good;
      file[at] = byte;
      if (const CodeFileError error = read_code_file(forged(file), code)) {
        EXPECT_LE(error.offset, file.size());
        ++refused;
      } else {
        EXPECT_FALSE(check_code(code.view(), code.functions));
        ++read;
      }
    }
  EXPECT_GT(read, 100u) << "places and constants may change";
  EXPECT_GT(refused, 100u);
}

TEST(CodeFile, TheStackLimitHolds) {
  Code code;
  EXPECT_TRUE(read_code_file(sample_file(), code, 100));
}

TEST(CodeFile, HashIsTheIdentityOfCode) {
  Code code = checked(kSampleText);
  const Hash128 hash = code_hash(code.view());
  EXPECT_EQ(code_hash(checked(kSampleText).view()), hash);
  code.constants[0] = 5;
  EXPECT_FALSE(code_hash(code.view()) == hash);
}

}  // namespace
}  // namespace komuz
