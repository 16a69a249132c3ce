// SPDX-License-Identifier: Apache-2.0
#include "neural/model/cuda/model_device.h"

#include <algorithm>
#include <cstring>

#include "neural/model/layers.h"

namespace komuz::neural {
namespace {

// All weights, one behind the other, and where each part begins.
class PackedWeights {
 public:
  PackedWeights(const Model& model, ModelThere& there) {
    const Weights& weights = model.weights();
    tables(weights.source, there.source);
    tables(weights.target, there.target);
    begin_layers(there.source);
    for (const EncoderLayer& layer : weights.encoder) {
      LayerParts& parts = begin_layer(there.source);
      parts.self_norm = add(layer.attention_norm);
      parts.self_query_key_value = add(layer.query_key_value.panels);
      parts.self_out = add(layer.out.panels);
      parts.feed_norm = add(layer.feed_norm);
      parts.up = add(layer.up.panels);
      parts.down = add(layer.down.panels);
      end_layer(parts);
    }
    there.source.norm = add(weights.encoder_norm) + layer_;
    begin_layers(there.target);
    for (const DecoderLayer& layer : weights.decoder) {
      LayerParts& parts = begin_layer(there.target);
      parts.self_norm = add(layer.self_norm);
      parts.self_query_key_value = add(layer.self_query_key_value.panels);
      parts.self_out = add(layer.self_out.panels);
      parts.cross_norm = add(layer.cross_norm);
      parts.cross_query = add(layer.cross_query.panels);
      parts.cross_out = add(layer.cross_out.panels);
      parts.feed_norm = add(layer.feed_norm);
      parts.up = add(layer.up.panels);
      parts.down = add(layer.down.panels);
      end_layer(parts);
    }
    there.target.norm = add(weights.decoder_norm) + layer_;
    there.cross_key_value = static_cast<u32>(numbers_.size());
    for (const DecoderLayer& layer : weights.decoder) add(layer.cross_key_value.panels);
    there.logits = static_cast<u32>(numbers_.size());
    add(weights.logits.panels);
  }
  [[nodiscard]] const Numbers& numbers() const { return numbers_; }

 private:
  // Its place within the layer.
  u32 add(const Numbers& more) {
    const size_t at = numbers_.size() - layer_;
    numbers_.insert(numbers_.end(), more.begin(), more.end());
    return static_cast<u32>(at);
  }
  void tables(const WordTables& of, SideParts& side) {
    side.words = add(of.words);
    side.types = add(of.types);
    side.places = add(of.places);
  }
  void begin_layers(SideParts& side) { side.first_layer = static_cast<u32>(numbers_.size()); }
  LayerParts& begin_layer(SideParts& side) {
    layer_ = static_cast<u32>(numbers_.size());
    return side.layer;
  }
  void end_layer(LayerParts& parts) {
    parts.size = static_cast<u32>(numbers_.size()) - layer_;
    layer_ = 0;
  }

  Numbers numbers_;
  u32 layer_ = 0;  // where the layer begins
};

template <class T>
Problem reserve_as(ModelMachine& machine, DeviceRoom room, size_t count, T*& at) {
  Result<u8*> reserved = machine.reserve(room, count * sizeof(T));
  if (!reserved.problem()) at = reinterpret_cast<T*>(reserved.value());
  return reserved.problem();
}
template <class T>
Problem reserve_host_as(ModelMachine& machine, HostRoom room, size_t count, T*& at) {
  Result<u8*> reserved = machine.reserve_host(room, count * sizeof(T));
  if (!reserved.problem()) at = reinterpret_cast<T*>(reserved.value());
  return reserved.problem();
}

}  // namespace

Result<std::unique_ptr<ModelDevice>> ModelDevice::open(std::unique_ptr<ModelMachine> machine,
                                                       const Model& model) {
  std::unique_ptr<ModelDevice> device(new ModelDevice(std::move(machine)));
  if (Problem problem = device->load(model)) return problem;
  return device;
}

Problem ModelDevice::load(const Model& model) {
  const ModelSize& size = model.size();
  target_ = size.target;
  there_.d = size.d;
  there_.heads = size.heads;
  there_.ff = size.ff;
  there_.encoder_layers = size.encoder_layers;
  there_.decoder_layers = size.decoder_layers;
  there_.words = size.words;
  there_.most_places = whole_panels(std::max(size.source, size.target));
  there_.score_scale = score_scale(size.head_width());
  if (block_numbers(there_, kRowsOfABlock[0]) * sizeof(f32) > machine_->shared_bytes())
    return device_problem("the model is too wide for this device: a row takes " +
                          std::to_string(block_numbers(there_, 1) * sizeof(f32)) +
                          " bytes, and a block has " + std::to_string(machine_->shared_bytes()))
        .with_remedy("use the CPU");
  const PackedWeights packed(model, there_);
  const size_t count = packed.numbers().size();
  f32* weights = nullptr;
  if (Problem problem = reserve_as(*machine_, DeviceRoom::Weights, count, weights)) return problem;
  there_.weights = weights;
  return machine_
      ->send(reinterpret_cast<u8*>(weights), packed.numbers().data(), count * sizeof(f32))
      .then([&] { return machine_->wait(); });
}

u32 ModelDevice::rows_of_a_block(u32 rows) const {
  u32 chosen = kRowsOfABlock[0];
  for (const u32 more : kRowsOfABlock) {
    if (block_numbers(there_, more) * sizeof(f32) > machine_->shared_bytes()) break;
    chosen = more;
    if ((rows + more - 1) / more <= machine_->blocks()) break;
  }
  return chosen;
}

Problem ModelDevice::encode(std::span<const u8> words, std::span<const u8> types) {
  const u32 count = static_cast<u32>(words.size());
  const size_t d = there_.d;
  u8 *given = nullptr, *host = nullptr;
  f32* work = nullptr;
  if (Problem problem =
          reserve_as(*machine_, DeviceRoom::Words, count * (7 * d * sizeof(f32) + 2), given))
    return problem;
  if (Problem problem = reserve_host_as(*machine_, HostRoom::Words, size_t{2} * count, host))
    return problem;
  if (Problem problem =
          reserve_as(*machine_, DeviceRoom::Source, there_.decoder_layers * count * 2 * d, source_))
    return problem;
  // What was sent last may still be on its way from there.
  if (Problem problem = machine_->wait()) return problem;
  std::memcpy(host, words.data(), count);
  std::memcpy(host + count, types.data(), count);
  work = reinterpret_cast<f32*>(given);
  given += count * 7 * d * sizeof(f32);
  if (Problem problem = machine_->send(given, host, size_t{2} * count)) return problem;
  source_words_ = count;
  EncodeLaunch launch{.model = there_,
                      .words = given,
                      .types = given + count,
                      .count = count,
                      .phase = 0,
                      .stream = work,
                      .at = work + count * d,
                      .next = work + count * 4 * d,
                      .source = source_};
  f32* at = work + count * d;
  for (; launch.phase <= there_.encoder_layers; ++launch.phase) {
    if (Problem problem = machine_->encode(launch, rows_of_a_block(count))) return problem;
    launch.at = launch.next;
    std::swap(launch.next, at);
  }
  return {};
}

Result<std::unique_ptr<DevicePrefixes>> ModelDevice::prefixes(std::span<const u8> words,
                                                              std::span<const u8> types, u32 most) {
  if (Problem problem = encode(words, types)) return problem;
  std::unique_ptr<DevicePrefixes> made(new DevicePrefixes(*this, most));
  if (Problem problem = made->reserve()) return problem;
  return made;
}

Problem DevicePrefixes::reserve() {
  ModelMachine& machine = *device_.machine_;
  const ModelThere& there = device_.there_;
  const size_t target = device_.target_;
  const size_t numbers = there.decoder_layers * target * most_ * 2 * there.d;
  return reserve_as(machine, DeviceRoom::Cache, numbers, cache_)
      .then([&] { return reserve_as(machine, DeviceRoom::Cells, 2 * target * most_, cells_[0]); })
      .then([&] { return reserve_as(machine, DeviceRoom::Inputs, most_, inputs_); })
      .then([&] { return reserve_host_as(machine, HostRoom::Inputs, most_, host_inputs_); })
      .then([&] {
        return reserve_as(machine, DeviceRoom::Logits, size_t{most_} * there.words, logits_);
      })
      .then([&] {
        return reserve_host_as(machine, HostRoom::Logits, size_t{most_} * there.words,
                               host_logits_);
      })
      .then([&] {
        cells_[1] = cells_[0] + target * most_;
        return Problem();
      });
}

void DevicePrefixes::keep(std::span<const u32> from) {
  std::vector<u32> kept;
  kept.reserve(from.size());
  for (const u32 row : from) kept.push_back(from_[row]);
  from_ = std::move(kept);
}

void DevicePrefixes::step(std::span<const u8> words, std::span<const u8> types) {
  for (u32 row = 0; row < rows(); ++row)
    host_inputs_[row] = {.from = from_[row], .word = words[row], .type = types[row], .unused = {}};
  if (!problem_) problem_ = run_step();
  if (problem_) std::fill_n(host_logits_, size_t{most_} * device_.there_.words, 0.0f);
  for (u32 row = 0; row < rows(); ++row) from_[row] = row;
  std::swap(cells_[0], cells_[1]);
  ++length_;
}

Problem DevicePrefixes::run_step() {
  if (rows() == 0) return {};
  ModelMachine& machine = *device_.machine_;
  const StepLaunch launch{.model = device_.there_,
                          .inputs = inputs_,
                          .rows = rows(),
                          .most = most_,
                          .place = length_,
                          .target = device_.target_,
                          .source = device_.source_,
                          .source_words = device_.source_words_,
                          .cache = cache_,
                          .cells_from = cells_[0],
                          .cells_to = cells_[1],
                          .logits = logits_};
  return machine.send(reinterpret_cast<u8*>(inputs_), host_inputs_, rows() * sizeof(RowInput))
      .then([&] { return machine.step(launch, device_.rows_of_a_block(rows())); })
      .then([&] {
        return machine.fetch(host_logits_, reinterpret_cast<const u8*>(logits_),
                             size_t{rows()} * device_.there_.words * sizeof(f32));
      })
      .then([&] { return machine.wait(); });
}

std::span<const f32> DevicePrefixes::logits(u32 row) const {
  const size_t words = device_.there_.words;
  return {host_logits_ + row * words, words};
}

}  // namespace komuz::neural
