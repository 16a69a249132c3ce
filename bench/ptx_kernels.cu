// SPDX-License-Identifier: Apache-2.0
// What nvcc makes of the programs, for bench/ptx_size.py.
#include "lang/ops/op_eval.h"
#define KOMUZ_BENCH_MATH
#include "bench/ptx_kernels.h"

KOMUZ_BENCH_KERNEL(Poly, poly_kernel)
KOMUZ_BENCH_KERNEL(Pendulum, pendulum_kernel)
KOMUZ_BENCH_KERNEL(Lorentz, lorentz_kernel)
KOMUZ_BENCH_KERNEL(Collatz, collatz_kernel)
KOMUZ_BENCH_KERNEL(Sort, sort_kernel)
KOMUZ_BENCH_KERNEL(Packing, packing_kernel)
