# SPDX-License-Identifier: Apache-2.0
"""Sizes of models. Arguments are read with them, so nothing here needs torch."""
import dataclasses


@dataclasses.dataclass
class Size:
    d: int
    heads: int
    ff: int
    encoder_layers: int
    decoder_layers: int
    source: int = 96  # the most words of a source, and of a target
    target: int = 96


SIZES = {
    "small": Size(d=128, heads=4, ff=512, encoder_layers=3, decoder_layers=2),
    "main": Size(d=192, heads=6, ff=768, encoder_layers=4, decoder_layers=2),
    # For tests.
    "tiny": Size(d=32, heads=2, ff=64, encoder_layers=1, decoder_layers=1, source=24, target=24),
}
