// SPDX-License-Identifier: Apache-2.0
#include "engine/run/expanded_code.h"

#include "engine/sketch/sketch_candidates.h"

namespace komuz::engine {

ExpandedCode::ExpandedCode(const EvaluateOptions& options, frontend::Compiler& compiler)
    : sketch_(*options.programs.sketch),
      compiler_(compiler),
      fill_(sketch_.source, sketch_.plan),
      may_differ_in_numbers_(may_differ_in_numbers(options)) {
  if (sketch_.obstacle == BindObstacle::None) binder_.emplace(sketch_);
}

frontend::TextHash ExpandedCode::identify(const Candidate& candidate) {
  is_variant_ = false;
  if (!decisions_of(sketch_.plan, candidate, decisions_)) return {};
  if (binder_) {
    is_variant_ = binder_->bind(decisions_, bound_);
    return is_variant_ ? identity_of(bound_) : frontend::TextHash{};
  }
  is_variant_ = fill_.write(decisions_, text_);
  if (!is_variant_) return {};
  return may_differ_in_numbers_ ? compiler_.identify_alike(text_, fill_.shape())
                                : compiler_.identify(text_);
}

// Where there is no bound code it has been identified by its text.
void ExpandedCode::write_text() {
  if (binder_) static_cast<void>(fill_.write(decisions_, text_));
}

void ExpandedCode::supply(SuppliedCode& out) {
  for (u32& place : compilation_.code.places)
    if (file_of(place) == 0) place = fill_.place_in_sketch(place);
  out = {&compilation_, text_, {}, false};
  if (binder_) out.bound_bytes = static_cast<u32>(bound_bytes(bound_));
}

bool ExpandedCode::compile(const Candidate& /*candidate*/, SuppliedCode& out) {
  if (!is_variant_) return false;
  write_text();
  if (may_differ_in_numbers_)
    compiler_.compile_alike(text_, fill_.shape(), compilation_);
  else
    compiler_.compile(text_, compilation_);
  supply(out);
  return true;
}

std::string_view ExpandedCode::text_of(const Candidate& /*candidate*/) {
  write_text();
  return text_;
}

// The thread that reads may be another than the one that wrote the text.
void ExpandedCode::read(const frontend::BatchCompiler& device, u32 number,
                        frontend::BatchReader& reader, const Candidate& candidate,
                        SuppliedCode& out) {
  static_cast<void>(identify(candidate));
  write_text();
  device.read(number, reader, compilation_);
  supply(out);
}

}  // namespace komuz::engine
