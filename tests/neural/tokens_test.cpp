// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/random.h"
#include "frontend_gpu/frontend.h"
#include "lang/check/check_code.h"
#include "neural/tokens/decoding.h"
#include "neural/tokens/made_constant.h"
#include "neural/tokens/read_words.h"
#include "neural/tokens/words_on_types.h"
#include "neural/tokens/write_words.h"
#include "neural/windows/windows.h"
#include "tests/neural/random_words.h"

namespace komuz::neural {
namespace {

Scalar random_type(Random& random) {
  return static_cast<Scalar>(1 + random.below(kScalarCount - 1));
}

// A source of random types, some with constants.
Source random_source(Random& random) {
  Scalar inputs[kMostInputWords];
  const u32 count = random.below(kMostInputWords + 1);
  for (u32 k = 0; k < count; ++k) inputs[k] = random_type(random);
  std::vector<TypedCell> constants;
  for (u32 k = random.below(kMostConstantWords + 1); k > 0; --k)
    constants.push_back({Scalar::I64, 1000 + u64{k}});
  return {{inputs, count}, {}, constants, random_type(random)};
}

std::vector<u8> random_words(Random& random, const Source& source, u32 limit) {
  std::vector<u8> words;
  // Some sequences like to push, others to combine: they reach the limit, or end soon.
  const u32 leaves = random.below(4);
  Decoding prefix(source, limit);
  while (!prefix.is_done()) {
    if (prefix.allowed().count() == 0) {
      ADD_FAILURE() << words_text(words) << ": nothing may follow, " << prefix.words_to_close()
                    << " to close, limit " << limit;
      return {};
    }
    u8 word = random_word(random, prefix.allowed());
    for (u32 tries = 0; tries < 8 * leaves && word_row(word).kind != WordKind::Operation &&
                        word_row(word).kind != WordKind::If;
         ++tries)
      word = random_word(random, prefix.allowed());
    EXPECT_TRUE(prefix.feed(word));
    words.push_back(word);
  }
  return words;
}

u32 sequences() {
  const char* const asked = std::getenv("KOMUZ_MASKED_SEQUENCES");
  return asked ? static_cast<u32>(std::strtoul(asked, nullptr, 10)) : 50'000;
}

TEST(Vocabulary, HasAWordForEachPureOperationAndNames) {
  EXPECT_LE(word_count(), kMostWords);
  std::vector<std::string> names;
  for (u32 w = 0; w < word_count(); ++w) names.push_back(word_name(static_cast<u8>(w)));
  EXPECT_EQ(names[kPad], "PAD");
  EXPECT_EQ(names[word_of(WordKind::Constant, 3)], "K3");
  EXPECT_EQ(names[*literal_word(Scalar::F64, 0x3FE0'0000'0000'0000u)], "HALF_f64");
  EXPECT_EQ(names[*literal_word(Scalar::U8, 255)], "MINUS_ONE_u8");
  EXPECT_EQ(names[*literal_word(Scalar::Bool, 1)], "ONE_bool");
  EXPECT_EQ(names[operation_word({Op::Convert, Scalar::F32, 0, 0})], "CONVERT_f32");
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
  for (u32 op = 0; op < kOpCount; ++op) {
    if (!is_pure_form(op_row(static_cast<Op>(op)).form)) continue;
    for (u32 t = 1; t < kScalarCount; ++t) {
      const Instruction i{static_cast<Op>(op), static_cast<Scalar>(t), 0, 0};
      if (op_row(i.op).form == OpForm::Convert && convertible_types(i.op, i.type) == 0) continue;
      if ((op_row(i.op).types & type_bit(i.type)) != 0) {
        EXPECT_EQ(word_row(operation_word(i)).op, i.op);
      }
    }
  }
}

// What the checker says of every word, after any prefix, is what the mask says, as long as there is room.
TEST(Mask, IsWhatTheCheckerSays) {
  Random random(1);
  for (u32 k = 0; k < 1'000; ++k) {
    const Source source = random_source(random);
    const std::vector<u8> words = random_words(random, source, kMostTargetWords);
    Decoding prefix(source);
    for (const u8 word : words) {
      if (prefix.words_to_close() + 30 < kMostTargetWords - prefix.size())
        for (u32 w = 0; w < kMostWords; ++w) {
          const bool accepts = prefix.checker_takes(static_cast<u8>(w));
          ASSERT_EQ(prefix.allowed().has(static_cast<u8>(w)), accepts)
              << words_text(words) << ": " << word_name(static_cast<u8>(w)) << " at "
              << prefix.size();
        }
      ASSERT_TRUE(prefix.feed(word));
    }
  }
}

TEST(Mask, RandomSequencesEndAndAreNotRefused) {
  Random random(2);
  u64 most = 0;
  for (u32 k = 0; k < sequences(); ++k) {
    const Source source = random_source(random);
    const u32 limit = random.one_in(4) ? 4 + random.below(kMostTargetWords - 3) : kMostTargetWords;
    const std::vector<u8> words = random_words(random, source, limit);
    ASSERT_FALSE(words.empty());
    ASSERT_LE(words.size(), limit) << words_text(words);
    most = std::max<u64>(most, words.size());
    const Result<Code> code = read_words(source, words);
    ASSERT_FALSE(code.problem()) << code.problem().message() << ": " << words_text(words);
  }
  EXPECT_EQ(most, kMostTargetWords);
}

TEST(Mask, IsNeverLongerToCloseThanItSays) {
  Random random(3);
  for (u32 k = 0; k < 3'000; ++k) {
    const Source source = random_source(random);
    Decoding prefix(source);
    while (!prefix.is_done()) {
      const u32 behind = prefix.words_to_close();
      ASSERT_LE(prefix.size() + behind, kMostTargetWords);
      ASSERT_TRUE(prefix.feed(random_word(random, prefix.allowed())));
      if (prefix.is_done()) {
        ASSERT_EQ(behind, 1u);
      }
    }
    EXPECT_EQ(prefix.allowed().count(), 0u);
    EXPECT_FALSE(prefix.feed(kEnd));
  }
}

// Code that words were read into has these words again, but for what was calculated.
TEST(Words, CodeOfRandomWordsIsWrittenAndReadBack) {
  Random random(4);
  u32 written = 0;
  for (u32 k = 0; k < 5'000; ++k) {
    const Source source = random_source(random);
    const Result<Code> code = read_words(source, random_words(random, source, kMostTargetWords));
    ASSERT_FALSE(code.problem());
    Source own;
    WordLine line;
    const Unwritten why = write_source(code.value().view(), own, line);
    if (why == Unwritten::TooManyConstants) continue;
    ASSERT_EQ(why, Unwritten::None) << sentence(why);
    const Result<Code> again = read_words(own, line.view());
    ASSERT_FALSE(again.problem()) << again.problem().message() << ": " << words_text(line.view());
    // Slots that the first source had, and the code does not use, are gone.
    EXPECT_EQ(again.value().instructions, code.value().instructions) << words_text(line.view());
    WordLine target;
    ASSERT_EQ(write_target(again.value().view(), own, target), Unwritten::None);
    EXPECT_EQ(words_text(target.view()), words_text(line.view()));
    ++written;
  }
  EXPECT_GT(written, 4'000u);
}

// A constant that the source has not is said by the operation that the source has, if that makes it.
TEST(Words, OfNewConstantsAreOperationsOnThoseThatAreThere) {
  const TypedCell constants[] = {{Scalar::I64, 43514}, {Scalar::I64, 37}, {Scalar::I64, 7}};
  const Scalar inputs[] = {Scalar::I64};
  Source source(inputs, {}, constants, Scalar::I64);
  const auto said = [&](u64 cell, Op op) {
    WordSet operations;
    operations.add(operation_word({op, Scalar::I64, 0, 0}));
    source.set_operations(operations);
    const MadeConstant made = make_constant({Scalar::I64, cell}, source);
    return words_text({made.words, made.count});
  };
  EXPECT_EQ(said(43514 ^ 37, Op::Xor), "K0 K1 BINARY_XOR");
  EXPECT_EQ(said(43514 - 37, Op::SubWrap), "K0 K1 SUB_WRAP");
  EXPECT_EQ(said(43514 + 37 + 7, Op::AddWrap), "K0 K1 ADD_WRAP K2 ADD_WRAP");
  EXPECT_EQ(said(1u << 7, Op::Add), "ONE_i64 K2 SHIFT_LEFT");
  EXPECT_EQ(said(7, Op::Add), "K2");
  EXPECT_EQ(said(8, Op::Add), "EIGHT_i64");
  EXPECT_EQ(said(123'456'789, Op::Add), "");
}

TEST(Words, ThatAreNoTargetAreRefused) {
  const Scalar inputs[] = {Scalar::I64};
  const Source source(inputs, {}, {}, Scalar::I64);
  const u8 value = word_of(WordKind::Input, 0), add = operation_word({Op::Add, Scalar::I64, 0, 0});
  const auto refusal = [&](std::vector<u8> words) {
    const Result<Code> code = read_words(source, words);
    return code.problem() ? code.problem().message() : "";
  };
  EXPECT_EQ(refusal({value, value, add, kEnd}), "");
  EXPECT_EQ(refusal({value, add, kEnd}), "word 2, `BINARY_ADD`, cannot stand there");
  EXPECT_EQ(refusal({value, value, add}), "the words have no END");
  EXPECT_EQ(refusal({value, kEnd, value}), "there are words behind END");
  EXPECT_EQ(refusal({255}), "word 1, `?`, cannot stand there");
  EXPECT_EQ(refusal({word_of(WordKind::Input, 1), kEnd}), "word 1, `V1`, cannot stand there");
  EXPECT_EQ(refusal({word_of(WordKind::Constant, 0), kEnd}), "word 1, `K0`, cannot stand there");
}

}  // namespace
}  // namespace komuz::neural
