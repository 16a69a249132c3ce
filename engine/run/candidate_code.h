// SPDX-License-Identifier: Apache-2.0
// How a thread comes by the code of one candidate, without anybody's help: a text is compiled, a variant of a sketch is bound, or
// expanded, which means that the text of its plain program is compiled. Each way is a class. program_supply.h says what an epoch
// does for all of its candidates at once.
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "engine/candidates/candidates.h"
#include "engine/candidates/evaluate_options.h"
#include "frontend_gpu/device/batch.h"
#include "frontend_gpu/frontend.h"

namespace komuz::engine {

// How candidates are compiled, and the texts of variants.
[[nodiscard]] frontend::Options compile_options(const EvaluateOptions& options);
// Are candidates variants of a sketch that is bound? Nothing of them is compiled then.
[[nodiscard]] bool binds_variants(const EvaluateOptions& options);
// Are they variants of a sketch whose codes may differ in numbers alone, those of its grids?
[[nodiscard]] bool may_differ_in_numbers(const EvaluateOptions& options);

// Code that a candidate has come to. It stays until the next one is identified.
struct SuppliedCode {
  frontend::Compilation* compilation = nullptr;
  std::string_view text;  // that was compiled; of bound code the candidate's
  // The size of a variant that could be bound, however it is run; none: it is that of the code.
  std::optional<u32> bound_bytes;
  // All candidates that come by their code in this way have the same entry and signature.
  bool has_one_entry = false;
};

// A workspace for one thread.
class CandidateCode {
 public:
  virtual ~CandidateCode() = default;
  // What is compiled next, as it is known among all candidates; zeros: there is no such program.
  [[nodiscard]] virtual frontend::TextHash identify(const Candidate& candidate) = 0;
  // The code of the candidate that was identified last. False: it is no variant of the sketch.
  [[nodiscard]] virtual bool compile(const Candidate& candidate, SuppliedCode& out) = 0;
};

// The two ways that go by a text, so that a device may compile it.
class TextCode : public CandidateCode {
 public:
  // What is compiled, of the candidate that was identified last.
  [[nodiscard]] virtual std::string_view text_of(const Candidate& candidate) = 0;
  // The same as compile(), of source `number` of the batch that the device compiled last: text_of the candidate.
  virtual void read(const frontend::BatchCompiler& device, u32 number,
                    frontend::BatchReader& reader, const Candidate& candidate,
                    SuppliedCode& out) = 0;
};

// The candidate's own text, compiled by the worker.
class CompiledCode final : public TextCode {
 public:
  explicit CompiledCode(const EvaluateOptions& options);
  [[nodiscard]] frontend::TextHash identify(const Candidate& candidate) override;
  [[nodiscard]] bool compile(const Candidate& candidate, SuppliedCode& out) override;
  [[nodiscard]] std::string_view text_of(const Candidate& candidate) override;
  void read(const frontend::BatchCompiler& device, u32 number, frontend::BatchReader& reader,
            const Candidate& candidate, SuppliedCode& out) override;
  // That of the thread.
  [[nodiscard]] frontend::Compiler& compiler() { return compiler_; }

 private:
  frontend::Compiler compiler_;
  frontend::Compilation compilation_;
};

// The way of variants of the sketch, which the options have. Of texts the compiler is used; it outlives what is returned.
// `texts`: the same where the way goes by a text, else null.
struct VariantCode {
  std::unique_ptr<CandidateCode> code;
  TextCode* texts = nullptr;
};
[[nodiscard]] VariantCode open_variant_code(const EvaluateOptions& options,
                                            frontend::Compiler& compiler);

}  // namespace komuz::engine
