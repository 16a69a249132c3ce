// SPDX-License-Identifier: Apache-2.0
#include "base/problem.h"

namespace komuz {

const Problem::Said Problem::kNothing;

Problem::Problem(ProblemKind kind, InputPlace place, std::string message, std::string remedy)
    : said_(new Said{kind, std::move(place), std::move(message), std::move(remedy)}) {}

Problem::Problem(const Problem& other)
    : said_(other.said_ == nullptr ? nullptr : new Said(*other.said_)) {}

Problem& Problem::operator=(const Problem& other) {
  Problem copy = other;
  std::swap(said_, copy.said_);
  return *this;
}

std::string Problem::text() const {
  const Said& all = said();
  std::string out = all.place.file;
  if (all.place.line != 0) out += ':' + std::to_string(all.place.line);
  if (all.place.line != 0 && all.place.column != 0) out += ':' + std::to_string(all.place.column);
  if (!out.empty()) out += ": ";
  out += all.message;
  if (!all.remedy.empty()) out += "; " + all.remedy;
  return out;
}

Problem Problem::at(InputPlace place) && {
  if (said_ != nullptr) said_->place = std::move(place);
  return std::move(*this);
}

Problem Problem::with_remedy(std::string remedy) && {
  if (said_ != nullptr) said_->remedy = std::move(remedy);
  return std::move(*this);
}

Problem Problem::with_note(std::string_view note) && {
  if (said_ != nullptr) said_->message += note;
  return std::move(*this);
}

}  // namespace komuz
