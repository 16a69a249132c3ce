// SPDX-License-Identifier: Apache-2.0
// Files of tensors (safetensors): 8 bytes, the length of a header; the header, which is JSON; then the numbers of all
// tensors, row by row, little endian, without holes:
//
//   {"NAME": {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]}, …, "__metadata__": {"key": "text", …}}
//
// Whoever wrote a file may have meant harm. Nothing of it is taken before it is known to fit.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "base/problem.h"

namespace komuz::neural {

enum class TensorType : u8 {
#define TENSOR_TYPE(Name, spelling, bytes) Name,
#include "neural/safetensors/tensor_types.def"
};
[[nodiscard]] std::string_view tensor_type_name(TensorType type);
// The bytes of one number.
[[nodiscard]] u32 tensor_type_bytes(TensorType type);

inline constexpr u64 kMostHeaderBytes = u64{1} << 20;
inline constexpr u32 kMostTensors = 4096;
inline constexpr u32 kMostTensorDimensions = 8;

struct Tensor {
  TensorType type = TensorType::U8;
  std::vector<u64> shape;
  u64 begin = 0, bytes = 0;  // among the bytes of all tensors
};

class TensorFile {
 public:
  // Both are in the order of their names.
  std::map<std::string, Tensor, std::less<>> tensors;
  std::map<std::string, std::string, std::less<>> metadata;

  // The bytes of a tensor of this file.
  [[nodiscard]] std::span<const char> bytes_of(const Tensor& tensor) const {
    return std::span(bytes_).subspan(first_ + tensor.begin, tensor.bytes);
  }

 private:
  friend Result<TensorFile> read_safetensors(std::string bytes, const std::string& file);
  std::string bytes_;  // the whole file
  u64 first_ = 0;      // where the numbers begin
};

// Takes the bytes of a whole file. `file`: its name, for problems.
[[nodiscard]] Result<TensorFile> read_safetensors(std::string bytes, const std::string& file);
// Reads the file, unless it has more than `most` bytes.
[[nodiscard]] Result<TensorFile> read_safetensors_file(const std::string& file, u64 most);

}  // namespace komuz::neural
