// SPDX-License-Identifier: Apache-2.0
// From values to places on an axis, and the values that are written beside it.

export interface Scale {
  /** 0 at the axis's begin, 1 at its end. */
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

/** 1, 2 or 5 times a power of ten, so that about `count` of them lie in the range. */
function stepFor(range: number, count: number): number {
  const rough = range / count, power = 10 ** Math.floor(Math.log10(rough)), times = rough / power;
  return (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10) * power;
}

export function linearScale(low: number, high: number, count = 4): Scale {
  if (low === high) [low, high] = [low - (Math.abs(low) || 1), high + (Math.abs(high) || 1)];
  const step = stepFor(high - low, count), ticks: number[] = [];
  // By whole steps: a sum of steps would collect their errors. The ends themselves are in, however a quotient was rounded.
  const last = Math.floor(high / step + 1e-9);
  for (let i = Math.ceil(low / step - 1e-9); i <= last; ++i) ticks.push(Number((i * step).toPrecision(12)));
  return { place: (value) => (value - low) / (high - low), ticks };
}

/** Powers of ten. Both ends are above zero. */
export function logScale(low: number, high: number, count = 4): Scale {
  const first = Math.floor(Math.log10(low)), last = Math.max(first + 1, Math.ceil(Math.log10(high)));
  const every = Math.ceil((last - first) / count), ticks: number[] = [];
  for (let i = first; i <= last; i += every) ticks.push(Number(`1e${i}`));
  return { place: (value) => (Math.log10(value) - first) / (last - first), ticks };
}

/** Logarithmic where the values lie far apart and all are above zero. */
export function scaleFor(values: readonly number[]): Scale {
  let low = Infinity, high = -Infinity;
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return linearScale(0, 1);
  return low > 0 && high / low > 50 ? logScale(low, high) : linearScale(low, high);
}
