// SPDX-License-Identifier: Apache-2.0
// The door of a model on a device: weights go there once, then words of a source, and then the words of many targets, a step
// at a time; logits come back, with the bits of the host's (model.h). It knows nothing of masks and of decoding.
//
//   Result<std::unique_ptr<ModelDevice>> device = ModelDevice::open(std::move(machine), model);
//   Result<std::unique_ptr<DevicePrefixes>> prefixes = device.value()->prefixes(words, types, 1000);
//   prefixes.value()->step(words, types);
//
// A step is two transfers and one kernel. Rows need nothing of each other, so a block of threads takes some of them
// through all layers, and only threads of a block wait for each other. Weights and all keys and values stay on the
// device; rows that continue the same row share the cells of what they have in common.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "base/problem.h"
#include "neural/model/cuda/model_machine.h"
#include "neural/model/model.h"
#include "neural/model/prefixes.h"

namespace komuz::neural {

class DevicePrefixes;

class ModelDevice {
 public:
  // Sends the weights. A problem: there is no memory for them, or the model is too wide for a block.
  [[nodiscard]] static Result<std::unique_ptr<ModelDevice>> open(
      std::unique_ptr<ModelMachine> machine, const Model& model);

  // Encodes a source (as EncodedSource), and begins with one row without words. The prefixes before end: a device has one
  // batch at a time, and is used by one thread at a time. It lives longer than they do.
  [[nodiscard]] Result<std::unique_ptr<DevicePrefixes>> prefixes(std::span<const u8> words,
                                                                 std::span<const u8> types,
                                                                 u32 most);

 private:
  friend class DevicePrefixes;
  explicit ModelDevice(std::unique_ptr<ModelMachine> machine) : machine_(std::move(machine)) {}
  [[nodiscard]] Problem load(const Model& model);
  [[nodiscard]] Problem encode(std::span<const u8> words, std::span<const u8> types);
  // Rows of a block when so many rows are there: so few that all multiprocessors have some.
  [[nodiscard]] u32 rows_of_a_block(u32 rows) const;

  std::unique_ptr<ModelMachine> machine_;
  ModelThere there_;
  u32 target_ = 0;
  f32* source_ = nullptr;  // what decoders ask of it
  u32 source_words_ = 0;
};

class DevicePrefixes final : public Prefixes {
 public:
  [[nodiscard]] u32 rows() const override { return static_cast<u32>(from_.size()); }
  void keep(std::span<const u32> from) override;
  // After a problem there are no more steps, and all logits are zero.
  void step(std::span<const u8> words, std::span<const u8> types) override;
  [[nodiscard]] std::span<const f32> logits(u32 row) const override;
  // Of the first step that failed.
  [[nodiscard]] const Problem& problem() const { return problem_; }

 private:
  friend class ModelDevice;
  DevicePrefixes(ModelDevice& device, u32 most) : device_(device), most_(most), from_(1) {}
  [[nodiscard]] Problem reserve();
  [[nodiscard]] Problem run_step();

  ModelDevice& device_;
  u32 most_, length_ = 0;
  std::vector<u32> from_;  // of each row: which row of the last step it continues
  u32* cells_[2] = {};     // of the last step, and of the next one
  f32* cache_ = nullptr;
  RowInput *inputs_ = nullptr, *host_inputs_ = nullptr;
  f32 *logits_ = nullptr, *host_logits_ = nullptr;
  Problem problem_;
};

}  // namespace komuz::neural
