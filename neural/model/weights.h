// SPDX-License-Identifier: Apache-2.0
// The weights of a model as the kernels take them: each matrix in panels (kernels.h), packed once.
#pragma once
#include <new>
#include <vector>

#include "base/ints.h"
#include "neural/model/kernels.h"

namespace komuz::neural {

// Memory that begins at a line of the cache.
template <class T>
struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}
  T* allocate(size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* data, size_t) { ::operator delete (data, std::align_val_t{64}); }
  template <class U>
  bool operator==(const LineAllocator<U>&) const {
    return true;
  }
};
using Numbers = std::vector<f32, LineAllocator<f32>>;

// What the numbers of a model file say of its shape. The names are those of its metadata.
struct ModelSize {
  u32 d = 0;  // of each word's vector; a multiple of 16 times `heads`
  u32 heads = 0;
  u32 ff = 0;  // inner width of feed-forward layers, a multiple of 16
  u32 encoder_layers = 0, decoder_layers = 0;
  u32 source = 0, target = 0;  // the most words of a source, and of a target with its END
  u32 words = 0, types = 0;    // rows of the tables; `words` is a multiple of 16, at most 256
  [[nodiscard]] u32 head_width() const { return d / heads; }
};

struct Matrix {
  u32 outputs = 0, inputs = 0;
  Numbers panels;  // [outputs / kPanel][inputs][kPanel]
};

// The sum of a row of each is what a word is.
struct WordTables {
  Numbers words, types, places;  // [words][d], [types][d], [length][d]
};

struct EncoderLayer {
  Numbers attention_norm;
  Matrix query_key_value, out;
  Numbers feed_norm;
  Matrix up, down;
};

struct DecoderLayer {
  Numbers self_norm;
  Matrix self_query_key_value, self_out;
  Numbers cross_norm;
  Matrix cross_query, cross_key_value, cross_out;
  Numbers feed_norm;
  Matrix up, down;
};

struct Weights {
  WordTables source, target;
  std::vector<EncoderLayer> encoder;
  Numbers encoder_norm;
  std::vector<DecoderLayer> decoder;
  Numbers decoder_norm;
  Matrix logits;  // the target's words once more, in panels
};

}  // namespace komuz::neural
