// SPDX-License-Identifier: Apache-2.0
// Takes the weights of a model out of a file of tensors.
#pragma once
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "neural/model/weights.h"
#include "neural/safetensors/read_safetensors.h"

namespace komuz::neural {

// The rows of [outputs][inputs] in panels; `outputs` is a multiple of kPanel.
inline Matrix packed(const Numbers& rows, u32 outputs, u32 inputs) {
  Matrix matrix{.outputs = outputs, .inputs = inputs, .panels = Numbers(rows.size())};
  for (u32 out = 0; out < outputs; ++out)
    for (u32 in = 0; in < inputs; ++in)
      matrix.panels[(size_t{out / kPanel} * inputs + in) * kPanel + out % kPanel] =
          rows[size_t{out} * inputs + in];
  return matrix;
}

// Takes tensors by their names, and remembers the first fault.
class WeightReader {
 public:
  explicit WeightReader(const TensorFile& file) : file_(file) {}

  Numbers numbers(const std::string& name, std::vector<u64> shape) {
    const auto found = file_.tensors.find(name);
    if (found == file_.tensors.end()) return fault("it has no tensor `" + name + "`");
    const Tensor& tensor = found->second;
    if (tensor.shape != shape)
      return fault("the tensor `" + name + "` has another shape than its sizes say");
    const bool narrow = tensor.type == TensorType::BF16;
    if (!narrow && tensor.type != TensorType::F32)
      return fault("the tensor `" + name + "` has numbers of type " +
                   std::string(tensor_type_name(tensor.type)) + ", not F32 or BF16");
    ++taken_;
    const std::span<const char> bytes = file_.bytes_of(tensor);
    Numbers made(bytes.size() / (narrow ? 2 : 4));
    for (size_t i = 0; i < made.size(); ++i) {
      u32 bits = 0;  // BF16 is the upper half of an F32
      if (narrow)
        std::memcpy(reinterpret_cast<char*>(&bits) + 2, &bytes[2 * i], 2);
      else
        std::memcpy(&bits, &bytes[4 * i], 4);
      made[i] = __builtin_bit_cast(f32, bits);
      if (!std::isfinite(made[i]))
        return fault("the tensor `" + name + "` has a weight that is not finite");
    }
    return made;
  }
  Matrix matrix(const std::string& name, u32 outputs, u32 inputs) {
    const Numbers rows = numbers(name, {outputs, inputs});
    return why_.empty() ? packed(rows, outputs, inputs) : Matrix{};
  }

  // Empty if all tensors of the file were taken, and none was missing.
  [[nodiscard]] std::string why() const {
    if (why_.empty() && taken_ != file_.tensors.size()) return "it has tensors that belong nowhere";
    return why_;
  }

 private:
  Numbers fault(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    return {};
  }

  const TensorFile& file_;
  size_t taken_ = 0;
  std::string why_;
};

}  // namespace komuz::neural
