# SPDX-License-Identifier: Apache-2.0
"""The model: an encoder and a decoder, pre-norm, ReLU, no biases, learned places, the target's words also its softmax.

The names of the parameters are those of the tensors in the model file; neural/model/ says the same in C++.
"""
import torch
import torch.nn.functional as F
from torch import nn

from sizes import SIZES, Size  # noqa: F401

PAD, BEGIN = 0, 1
WORDS, TYPES = 256, 32  # rows of the tables of words and of types


def matrix(out, into):
    return nn.Parameter(torch.randn(out, into) * into ** -0.5)


def table(rows, d):
    return nn.Parameter(torch.randn(rows, d) * d ** -0.5)


def norm(d):
    return nn.Parameter(torch.ones(d))


def product(x, weights, narrow):
    """x with the transposed matrix. With `narrow`, products are of BF16, and sums of F32: processors with AMX, and GPUs, do that many times
    faster. What is stored and what is added up between layers stays F32."""
    return F.linear(x.bfloat16(), weights.bfloat16()) if narrow else F.linear(x, weights)


def attend(query, key, value, heads, forbidden):
    """[B, T, d] by [B, S, d]; `forbidden` is true where a query may not look."""
    def split(x):
        return x.view(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)
    query, key, value = split(query), split(key), split(value)
    scores = (query @ key.transpose(2, 3)).float() * query.shape[-1] ** -0.5
    weights = scores.masked_fill(forbidden, float("-inf")).softmax(-1).to(value.dtype)
    return (weights @ value).transpose(1, 2).flatten(2)


def normed(x, gain):
    return F.layer_norm(x, gain.shape, gain, None, 1e-5)


class Words(nn.Module):
    """What one side says: the sum of a word, a type and a place."""

    def __init__(self, length, d):
        super().__init__()
        self.words, self.types, self.places = table(WORDS, d), table(TYPES, d), table(length, d)

    def forward(self, words, types):
        return F.embedding(words, self.words) + F.embedding(types, self.types) + self.places[:words.shape[1]]


class EncoderLayer(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.heads, self.narrow = size.heads, False
        self.attention_norm = norm(size.d)
        self.query_key_value, self.out = matrix(3 * size.d, size.d), matrix(size.d, size.d)
        self.feed_norm = norm(size.d)
        self.up, self.down = matrix(size.ff, size.d), matrix(size.d, size.ff)

    def forward(self, x, forbidden):
        query, key, value = product(normed(x, self.attention_norm), self.query_key_value, self.narrow).chunk(3, -1)
        x = x + product(attend(query, key, value, self.heads, forbidden), self.out, self.narrow)
        return x + product(F.relu(product(normed(x, self.feed_norm), self.up, self.narrow)), self.down, self.narrow)


class DecoderLayer(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.heads, self.narrow = size.heads, False
        self.self_norm = norm(size.d)
        self.self_query_key_value, self.self_out = matrix(3 * size.d, size.d), matrix(size.d, size.d)
        self.cross_norm = norm(size.d)
        self.cross_query, self.cross_key_value = matrix(size.d, size.d), matrix(2 * size.d, size.d)
        self.cross_out = matrix(size.d, size.d)
        self.feed_norm = norm(size.d)
        self.up, self.down = matrix(size.ff, size.d), matrix(size.d, size.ff)

    def forward(self, x, encoded, later, padded):
        query, key, value = product(normed(x, self.self_norm), self.self_query_key_value, self.narrow).chunk(3, -1)
        x = x + product(attend(query, key, value, self.heads, later), self.self_out, self.narrow)
        query = product(normed(x, self.cross_norm), self.cross_query, self.narrow)
        key, value = product(encoded, self.cross_key_value, self.narrow).chunk(2, -1)
        x = x + product(attend(query, key, value, self.heads, padded), self.cross_out, self.narrow)
        return x + product(F.relu(product(normed(x, self.feed_norm), self.up, self.narrow)), self.down, self.narrow)


class Model(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.source, self.target = Words(size.source, size.d), Words(size.target, size.d)
        self.encoder = nn.ModuleList(EncoderLayer(size) for _ in range(size.encoder_layers))
        self.encoder_norm = norm(size.d)
        self.decoder = nn.ModuleList(DecoderLayer(size) for _ in range(size.decoder_layers))
        self.decoder_norm = norm(size.d)
        # Each layer adds to the stream: so many that its spread stays near 1.
        with torch.no_grad():
            for layer in [*self.encoder, *self.decoder]:
                for name, parameter in layer.named_parameters():
                    if name in ("out", "self_out", "cross_out", "down"):
                        parameter *= (2 * (size.encoder_layers + size.decoder_layers)) ** -0.5

    def forward(self, source, source_types, words, types):
        """[B, S] and [B, T] numbers → [B, T, d], whose product with the target's words are the logits. words[:, 0] is BEGIN."""
        padded = (source == PAD)[:, None, None, :]
        x = self.source(source, source_types)
        for layer in self.encoder:
            x = layer(x, padded)
        encoded = normed(x, self.encoder_norm)
        later = torch.ones(words.shape[1], words.shape[1], dtype=torch.bool, device=words.device).triu(1)
        x = self.target(words, types)
        for layer in self.decoder:
            x = layer(x, encoded, later, padded)
        return normed(x, self.decoder_norm)

    def logits(self, x):
        return F.linear(x, self.target.words)

    def learn_narrow(self, narrow):
        """Products of BF16 or of F32 (`product`). Logits are always products of F32."""
        for layer in [*self.encoder, *self.decoder]:
            layer.narrow = narrow
        return self
