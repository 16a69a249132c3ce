// SPDX-License-Identifier: Apache-2.0
// Files of cases that gzip has packed.
#include <gtest/gtest.h>
#include <zlib.h>

#include "engine/cases/unpack.h"
#include "tests/engine/suite_builder.h"

namespace komuz::engine {
namespace {

std::string packed(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(
      deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
      Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

std::string error_of(std::string_view file, std::string bytes, u64* rows = nullptr) {
  CasesTable table;
  const Problem error = read_cases(file, std::move(bytes), {}, table);
  if (rows != nullptr) *rows = table.rows.size();
  return error.text();
}

constexpr std::string_view kCsv = "x,expected\n1,2\n3,4\n";

TEST(Unpack, WhateverTheNameOfTheFileIs) {
  for (const char* const name : {"c.csv.gz", "c.csv", "c", "-", "c.gz"}) {
    u64 rows = 0;
    EXPECT_EQ(error_of(name, packed(kCsv), &rows), "") << name;
    EXPECT_EQ(rows, 2u) << name;
  }
  u64 rows = 0;
  EXPECT_EQ(error_of("c.jsonl.gz", packed("{\"x\": 1, \"expected\": 2}\n"), &rows), "");
  EXPECT_EQ(rows, 1u);
  EXPECT_EQ(error_of("c.csv.gz", packed("x,expected\n1,2\n3\n")).substr(0, 11), "c.csv.gz:3:");
}

TEST(Unpack, MembersBehindEachOtherAreOneText) {
  u64 rows = 0;
  const std::string both = packed(kCsv) + packed("5,6\n") + packed("") + packed("7,8\n");
  EXPECT_EQ(error_of("c.csv", both, &rows), "");
  EXPECT_EQ(rows, 4u);
  EXPECT_EQ(error_of("c.csv", both + std::string(512, '\0'), &rows), "");
  EXPECT_EQ(rows, 4u);
  EXPECT_EQ(error_of("c.csv", both + "more"),
            "c.csv: behind the data of gzip there are 4 bytes of something else; pack the file "
            "again");
}

// Any prefix, and any byte that is another one, is an error or, where a header does not matter, the same text.
TEST(Unpack, DamagedFilesAreErrors) {
  const std::string whole = packed(kCsv);
  for (size_t length = 2; length < whole.size(); ++length)
    EXPECT_EQ(error_of("c.csv", whole.substr(0, length)),
              "c.csv: the file is packed by gzip, and its end is missing; copy it again; `gzip -t` "
              "tests such a file")
        << length;
  for (size_t at = 12; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    // The bits behind the last code say nothing.
    std::string out;
    EXPECT_TRUE(unpack_gzip("c.csv", damaged, size_t{1} << 32, Watch(), out) || out == kCsv) << at;
  }
  std::string crc = whole;
  crc[crc.size() - 6] = static_cast<char>(crc[crc.size() - 6] ^ 1);
  EXPECT_EQ(error_of("c.csv", crc),
            "c.csv: the file is packed by gzip, and is damaged; `gzip -t` tests such a file");
}

TEST(Unpack, WhatIsInThemIsLookedAt) {
  EXPECT_NE(error_of("c.csv.gz", packed("PAR1\x15\x04")).find("the file is Parquet"),
            std::string::npos);
  EXPECT_EQ(error_of("c.csv.gz", packed(packed(kCsv))),
            "c.csv.gz: the file is packed by gzip twice; unpack it: `gzip -dc c.csv.gz | gzip -dc "
            ">cases.csv`");
  EXPECT_NE(error_of("c.csv", packed("")).find("the file holds no cases: it is empty"),
            std::string::npos);
}

// A few bytes may be packed from many: no more are unpacked than a text of cases may have.
TEST(Unpack, BombsEnd) {
  const std::string line = packed(std::string(size_t{8} << 20, '1'));
  std::string out;
  ASSERT_FALSE(unpack_gzip("c.csv", line, size_t{1} << 32, Watch(), out));
  EXPECT_LT(out.size(), 4 * kMaxCaseLine);
  EXPECT_EQ(error_of("c.csv", line).substr(0, 36), "c.csv:1: this line is too long; a li");
  std::string lines;
  for (int k = 0; k < 1 << 20; ++k) lines += "1\n";
  EXPECT_EQ(unpack_gzip("c.csv", packed(lines), size_t{1} << 20, Watch(), out).text(),
            "c.csv: the file is packed by gzip, and has more than 1,048,576 bytes when it is "
            "unpacked, the most that is read; is it the right file?");
}

TEST(Unpack, StopsInBetween) {
  class Stopping : public Watch {
   public:
    explicit Stopping(std::stop_source& source) : Watch(source.get_token()), source_(source) {}
    void tell(u64 /*done*/, u64 /*all*/, std::string_view /*noun*/) const override {
      source_.request_stop();
    }

   private:
    std::stop_source& source_;
  };
  std::string text(size_t{1} << 20, '\0');
  u32 state = 1;
  for (char& c : text) {
    state = state * 1664525 + 1013904223;
    c = static_cast<char>(state >> 24);
  }
  std::stop_source source;
  std::string out;
  EXPECT_TRUE(unpack_gzip("c.csv", packed(text), size_t{1} << 32, Stopping(source), out)
                  .is(ProblemKind::Stop));
}

}  // namespace
}  // namespace komuz::engine
