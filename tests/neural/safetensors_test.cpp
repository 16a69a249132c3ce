// SPDX-License-Identifier: Apache-2.0
// Files of tensors: what is right is read, and what is not is refused with a sentence, whatever its bytes are.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/random.h"
#include "neural/safetensors/read_safetensors.h"
#include "tests/neural/tensor_bytes.h"

namespace komuz::neural {
namespace {

constexpr std::string_view kRight =
    R"({"a":{"dtype":"F32","shape":[2,1],"data_offsets":[4,12]},"b":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},)"
    R"("none":{"dtype":"U8","shape":[0,7],"data_offsets":[12,12]},"__metadata__":{"who":"me"}})";

TEST(Safetensors, AreRead) {
  const Result<TensorFile> read = read_safetensors(tensor_bytes(kRight, "0123456789ab"), "f");
  ASSERT_FALSE(read.problem()) << read.problem().text();
  const TensorFile& file = read.value();
  ASSERT_EQ(file.tensors.size(), 3u);
  const Tensor& a = file.tensors.at("a");
  EXPECT_EQ(a.type, TensorType::F32);
  EXPECT_EQ(a.shape, (std::vector<u64>{2, 1}));
  const std::span<const char> bytes = file.bytes_of(a);
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "456789ab");
  EXPECT_EQ(file.bytes_of(file.tensors.at("none")).size(), 0u);
  EXPECT_EQ(file.metadata.at("who"), "me");
}

struct Damage {
  const char* header;
  const char* numbers;
  const char* why;
};
constexpr Damage kDamages[] = {
    {"{", "", "its header is no JSON object"},
    {"[]", "", "its header is no JSON object"},
    {"{}", "1", "1 bytes belong to no tensor"},
    {R"({"a":3})", "", "`a` is no object"},
    {R"({"a":{"dtype":"F32","shape":[1]}})", "", "not just `dtype`, `shape` and `data_offsets`"},
    {R"({"a":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}})", "1234", "the unknown type `F33`"},
    {R"({"a":{"dtype":7,"shape":[1],"data_offsets":[0,4]}})", "1234", "`dtype` that is no text"},
    {R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "1234", "is no size"},
    {R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", "1234", "is no size"},
    {R"({"a":{"dtype":"F32","shape":4,"data_offsets":[0,4]}})", "1234", "no list of at most 8"},
    {R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}})", "1234",
     "no list of at most 8"},
    {R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", "",
     "more numbers than there can be"},
    {R"({"a":{"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]}})", "",
     "more numbers than there can be"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", "1234", "outside of the file"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "1234", "outside of the file"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", "1234", "are not two places"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,-4]}})", "1234", "are not two places"},
    {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "1234",
     "has 4 bytes, and its shape asks for 8"},
    {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
     "123", "`b` overlaps another one"},
    {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
     "123", "`b` lies behind a hole"},
    {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
     "1", "says `a` twice"},
    {R"({"a":{"dtype":"U8","shape":[1],"shape":[1],"data_offsets":[0,1]}})", "1",
     "says `shape` twice"},
    {R"({"__metadata__":[]})", "", "its metadata are no object"},
    {R"({"__metadata__":{"x":1}})", "", "its metadata `x` are no text"},
};

TEST(Safetensors, ThatAreDamagedAreRefused) {
  for (const Damage& damage : kDamages) {
    const Result<TensorFile> read =
        read_safetensors(tensor_bytes(damage.header, damage.numbers), "f");
    ASSERT_TRUE(read.problem().is(ProblemKind::Input)) << damage.header;
    EXPECT_NE(read.problem().message().find(damage.why), std::string::npos)
        << damage.header << "\n"
        << read.problem().message();
    EXPECT_EQ(read.problem().place().file, "f");
    EXPECT_FALSE(read.problem().remedy().empty());
  }
}

TEST(Safetensors, WithAWrongLengthOfTheHeaderAreRefused) {
  for (const u64 length : {u64{200}, u64{1} << 32, ~u64{0}, ~u64{0} - 7}) {
    std::string bytes = tensor_bytes(kRight, "0123456789ab");
    for (u32 i = 0; i < 8; ++i) bytes[i] = static_cast<char>(length >> (8 * i) & 0xFF);
    EXPECT_TRUE(read_safetensors(bytes, "f").problem()) << length;
  }
  const std::string large(kMostHeaderBytes + 1, ' ');
  EXPECT_NE(read_safetensors(tensor_bytes(large, ""), "f").problem().message().find("more than"),
            std::string::npos);
  for (size_t size = 0; size < 8; ++size)
    EXPECT_TRUE(read_safetensors(std::string(size, '\0'), "f").problem());
  // Deep nesting takes no stack.
  EXPECT_TRUE(
      read_safetensors(tensor_bytes(std::string(kMostHeaderBytes, '['), ""), "f").problem());
}

// Whatever single bytes become: a problem, or tensors that lie in the file.
TEST(Safetensors, MayHaveAnyBytes) {
  Random random(1);
  const std::string right = tensor_bytes(kRight, "0123456789ab");
  u32 refused = 0;
  for (u32 round = 0; round < 20'000; ++round) {
    std::string bytes = right;
    for (u32 n = 1 + random.below(3); n > 0; --n) {
      const u32 at = random.below(bytes.size());
      switch (random.below(4)) {
        case 0: bytes[at] = static_cast<char>(random.next()); break;
        case 1: bytes[at] = "0123456789{}[],:\"-"[random.below(18)]; break;
        case 2: bytes.erase(at, 1); break;
        case 3: bytes.insert(at, 1, bytes[random.below(bytes.size())]); break;
      }
    }
    const Result<TensorFile> read = read_safetensors(bytes, "f");
    if (read.problem()) {
      ++refused;
      continue;
    }
    for (const auto& [name, tensor] : read.value().tensors) {
      const std::span<const char> numbers = read.value().bytes_of(tensor);
      u64 count = 1;
      for (const u64 size : tensor.shape) count *= size;
      EXPECT_EQ(numbers.size(), count * tensor_type_bytes(tensor.type)) << name;
    }
  }
  EXPECT_GT(refused, 10'000u);
}

TEST(Safetensors, InFilesAreReadUpToALimit) {
  const std::string path = std::filesystem::temp_directory_path() /
                           ("komuz_tensors_" + std::to_string(getpid()) + ".safetensors");
  const std::string bytes = tensor_bytes(kRight, "0123456789ab");
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_FALSE(read_safetensors_file(path, bytes.size()).problem());
  EXPECT_NE(read_safetensors_file(path, bytes.size() - 1).problem().message().find("more than"),
            std::string::npos);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << "";
  EXPECT_EQ(read_safetensors_file(path, 100).problem().message(), "this file is empty");
  std::filesystem::remove(path);
  EXPECT_NE(read_safetensors_file(path, 100).problem().message().find("cannot read"),
            std::string::npos);
  EXPECT_TRUE(read_safetensors_file(std::filesystem::temp_directory_path(), 100).problem());
}

}  // namespace
}  // namespace komuz::neural
