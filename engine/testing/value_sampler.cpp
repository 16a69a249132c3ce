// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/value_sampler.h"

#include <algorithm>

namespace komuz::engine {
namespace {

// Samples that only take edges: first all scalars take the edge of the same number, in lists of each length; then
// come all combinations of the first scalars' edges.
constexpr u32 kEdgeSamples = 1024, kSameEdges = 32, kLengths = 4;
// In random samples, one scalar in so many is an edge, and one in so many repeats the previous value in its place:
// the element before it.
constexpr u32 kEdgeOdds = 8, kRepeatOdds = 8;

}  // namespace

ValueSampler::ValueSampler(const ValueShape& shape, std::span<const Domain> domains)
    : shape_(shape),
      domains_(shape.nodes.size()),
      edges_(shape.nodes.size()),
      last_(shape.nodes.size()),
      cursor_(shape) {
  u32 node = 1;
  for (const Domain& domain : domains) {
    domains_[node] = domain;
    node = shape.nodes[node].next;
  }
  for (u32 n = 0; n < shape.nodes.size(); ++n) {
    if (shape.nodes[n].code == kListCode) lengths_ = kLengths;
    has_elements_ |= shape.nodes[n].has_elements();
    if (!shape.nodes[n].is_scalar()) continue;
    if (domains_[n].type == Scalar::None) domains_[n] = whole_domain(shape.nodes[n].scalar());
    edges_[n] = edge_cells(domains_[n]);
  }
}

void ValueSampler::sample(u64 seed, u32 number, std::span<u64> cells) {
  const u32 same = kSameEdges * lengths_;
  source_ = number < same           ? Source::SameEdge
            : number < kEdgeSamples ? Source::CrossedEdges
                                    : Source::Random;
  turn_ = source_ == Source::CrossedEdges ? number - same : number;
  random_ = Random(Random(seed + number * 0xD134'2543'DE82'EF95u).next());
  make(cells);
}

void ValueSampler::replay(std::span<const u64> numbers, std::span<u64> cells) {
  source_ = Source::Replay;
  replay_ = numbers;
  at_ = 0;
  make(cells);
}

void ValueSampler::sample_guided(const Guides& guides, u64 seed, u64 number, std::span<u64> cells) {
  source_ = Source::Guided;
  guides_ = &guides;
  for (std::vector<u64>& drawn : drawn_) drawn.clear();
  random_ = Random(Random(seed + number * 0xD134'2543'DE82'EF95u).next());
  mood_ = Mood::Wild;
  if (has_elements_ && cells.size() > kFewCells) {
    constexpr Mood kMoods[] = {Mood::Zero, Mood::Sparse, Mood::Small, Mood::OneGuided,
                               Mood::Wild, Mood::Wild,   Mood::Wild,  Mood::Wild};
    mood_ = random_.pick(kMoods);
    count_ = cells.size();
    guided_cell_ = random_.below(cells.size());
  }
  make(cells);
}

void ValueSampler::adopt(std::span<const u64> given, std::span<u64> cells) {
  source_ = Source::Given;
  replay_ = given;
  make(cells);
}

void ValueSampler::make(std::span<u64> cells) {
  std::ranges::fill(cells, 0);
  choices_.numbers.clear();
  choices_.elements.clear();
  std::ranges::fill(last_, std::nullopt);
  cursor_.reset();
  node_ = lists_ = 0;
  for (;;) {
    if (value(cells)) continue;
    close(cells);
    if (open_.empty()) return;
  }
}

// True if a part comes next.
bool ValueSampler::value(std::span<u64> cells) {
  const ShapeNode& node = shape_.nodes[node_];
  if (node.is_scalar()) {
    const u32 cell = cursor_.cell(node_);
    cells[cell] = scalar(node_, cell);
    return false;
  }
  Open of = {.node = node_};
  if (node.code == kTupleCode) {
    of.count = node.count;
  } else if (node.code == kRecordCode) {
    of.fields = shape_.fields_of(shape_.constructors[node.first_constructor]);
    of.count = static_cast<u32>(of.fields.size());
  } else if (node.has_elements()) {
    of.count = node.count;
    of.is_list = node.code == kListCode;
    if (of.is_list) {
      of.list = lists_++;
      of.wanted = source_ == Source::Replay ? 0 : length(node.count, cursor_.cell(node_));
    }
    of.is_region = node.count != 0;
    if (of.is_region) of.outer = cursor_.enter_elements(node_);
  } else {  // a sum or an Option
    const u32 cell = cursor_.cell(node_);
    const u32 alternative = static_cast<u32>(below(node.count, cell));
    cells[cell] = alternative;
    of.fields = shape_.fields_of(shape_.constructors[node.first_constructor + alternative]);
    of.count = static_cast<u32>(of.fields.size());
    of.is_region = of.count != 0;
    if (of.is_region) of.outer = cursor_.enter_alternative(node_, alternative);
  }
  open_.push_back(of);
  return next_part();
}

// False: there is no further part.
bool ValueSampler::next_part() {
  Open& of = open_.back();
  if (of.is_list && !next_element(of)) return false;
  if (of.given == of.count) return false;
  if (!of.fields.empty())
    of.part = of.fields[of.given].node;
  else if (of.given == 0)
    of.part = of.node + 1;
  else if (shape_.nodes[of.node].has_elements())
    cursor_.next_element(of.node);
  else
    of.part = shape_.nodes[of.part].next;
  node_ = of.part;
  ++of.given;
  return true;
}

// True if the list goes on.
bool ValueSampler::next_element(Open& of) {
  const u32 now = static_cast<u32>(choices_.numbers.size());
  if (of.in_element) choices_.elements.push_back({of.element, now, of.list});
  of.in_element = false;
  if (of.given < of.count) {
    const bool more = source_ == Source::Replay ? replayed() != 0 : of.given < of.wanted;
    choices_.numbers.push_back(more);
    of.in_element = more;
    of.element = now;
  }
  if (!of.in_element) of.count = of.given;
  return of.in_element;
}

// A complete value is a part of the open one around it.
void ValueSampler::close(std::span<u64> cells) {
  for (; !open_.empty(); open_.pop_back()) {
    if (next_part()) return;
    const Open& of = open_.back();
    if (of.is_region) cursor_.leave(of.outer);
    if (of.is_list) cells[cursor_.cell(of.node)] = of.given;
  }
}

u64 ValueSampler::scalar(u32 node, u32 cell) {
  const Domain& domain = domains_[node];
  const std::vector<u64>& edges = edges_[node];
  u64 value = 0;
  switch (source_) {
    case Source::SameEdge:
    case Source::CrossedEdges: value = edges[edge(edges.size())]; break;
    case Source::Random: {
      const bool is_edge = random_.one_in(kEdgeOdds), is_last = random_.one_in(kRepeatOdds);
      const u64 one = random_.next(), other = random_.next();
      value = is_edge ? edges[one % edges.size()] : random_cell(domain, one, other);
      std::optional<u64>& last = last_[node];
      if (is_last) value = last.value_or(value);
      last = value;
      break;
    }
    case Source::Guided: value = guided_scalar(node, cell); break;
    case Source::Replay: {
      const bool is_negative = is_float(domain.type) && replayed() != 0;
      value = cell_of(domain, {replayed(), is_negative});
      break;
    }
    case Source::Given: value = replay_[cell]; break;
  }
  const Choice choice = choice_of(domain, value);
  if (is_float(domain.type)) choices_.numbers.push_back(choice.is_negative);
  choices_.numbers.push_back(choice.number);
  return value;
}

namespace {

// 0 and -0 are equal numbers, and programs that take one for the other differ in nothing else.
u64 equal_number(const Domain& domain, u64 value, bool is_negative) {
  const bool is_zero = is_float(domain.type) && (value == cell_of(domain, {0, false}) ||
                                                 value == cell_of(domain, {0, true}));
  return is_zero ? cell_of(domain, {0, is_negative}) : value;
}

}  // namespace

u64 ValueSampler::guided_scalar(u32 node, u32 cell) {
  constexpr u64 kGuidedCells = 3, kSmallNumbers = 8;
  const Domain& domain = domains_[node];
  const auto small = [&] {
    const u64 number = random_.below(kSmallNumbers);
    return cell_of(domain, {number, random_.one_in(2)});
  };
  switch (mood_) {
    case Mood::Wild: break;
    case Mood::Zero: return cell_of(domain, {});
    case Mood::Sparse:
      if (random_.below(count_) >= kGuidedCells) return cell_of(domain, {});
      break;
    case Mood::Small: return small();
    case Mood::OneGuided:
      if (cell != guided_cell_) return small();
      break;
  }
  return wild_scalar(node);
}

u64 ValueSampler::wild_scalar(u32 node) {
  const Domain& domain = domains_[node];
  const std::vector<u64>& guides = guides_->cells[static_cast<u8>(domain.type)];
  std::vector<u64>& drawn = drawn_[static_cast<u8>(domain.type)];
  const u64 kind = random_.below(20), one = random_.next(), other = random_.next();
  constexpr u64 kGuide = 6, kEqual = 10, kEdge = 13, kSmall = 16;
  u64 value = random_cell(domain, one, other);
  if (kind < kGuide && !guides.empty())
    value = guides[one % guides.size()];
  else if (kind < kEqual && !drawn.empty())
    value = equal_number(domain, drawn[one % drawn.size()], (other & 1) != 0);
  else if (kind < kEdge)
    value = edges_[node][one % edges_[node].size()];
  else if (kind < kSmall)
    value = cell_of(domain, {one % 8, (other & 1) != 0});
  // Guides and other scalars may lie outside of the domain.
  value = cell_of(domain, choice_of(domain, value));
  drawn.push_back(value);
  return value;
}

u64 ValueSampler::below(u64 count, u32 cell) {
  u64 number = 0;
  switch (source_) {
    case Source::SameEdge:
    case Source::CrossedEdges: number = edge(count); break;
    case Source::Random:
    case Source::Guided: number = random_.below(count); break;
    case Source::Replay: number = std::min(replayed(), count - 1); break;
    case Source::Given: number = std::min(replay_[cell], count - 1); break;
  }
  choices_.numbers.push_back(number);
  return number;
}

// Empty, full, with one element, and short more often than long.
u32 ValueSampler::length(u32 most, u32 cell) {
  if (source_ == Source::Given) return static_cast<u32>(std::min<u64>(replay_[cell], most));
  const u32 edges[kLengths] = {0, most, std::min(most, 1u), std::min(most, 2u)};
  if (source_ == Source::SameEdge) return edges[turn_ % kLengths];
  if (source_ == Source::CrossedEdges) return edges[edge(kLengths)];
  if (random_.one_in(kEdgeOdds)) return random_.pick(edges);
  const u32 longest = random_.one_in(2) ? std::min(most, 8u) : most;
  return random_.below(size_t{longest} + 1);
}

u32 ValueSampler::edge(size_t count) {
  if (source_ == Source::SameEdge) return turn_ / lengths_ % static_cast<u32>(count);
  const u32 number = turn_ % static_cast<u32>(count);
  turn_ /= static_cast<u32>(count);
  return number;
}

}  // namespace komuz::engine
