# SPDX-License-Identifier: Apache-2.0
# What the scripts share: where the repository is, how they speak, how many jobs to use. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  bold=$'\e[1m' plain=$'\e[0m'
else
  bold='' plain=''
fi

say() { printf '%s== %s%s\n' "$bold" "$*" "$plain"; }
fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# A compiler needs up to 1.5 GB here: at most one job for each 1.5 GB of memory that is free.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { n = int($2 / 1500000); print n < 1 ? 1 : n }' /proc/meminfo)
  echo $((memory < cores ? memory : cores))
}

# Has this machine a GPU of NVIDIA?
has_gpu() { compgen -G '/dev/nvidia[0-9]*' >/dev/null || [ -e /dev/dxg ]; }

# Further definitions for cmake, such as -DKOMUZ_CUDA=OFF.
definitions=()

# build PRESET TARGET…: configures and builds.
build() {
  local preset=$1
  shift
  say "Configuring build/$preset"
  mkdir -p build
  if ! cmake --preset "$preset" "${definitions[@]}" >"build/$preset.log" 2>&1; then
    cat "build/$preset.log" >&2
    fail "the configuration failed"
  fi
  sed -n '/^-- CUDA/p; /^-- ccache/p; /^-- Browser/p' "build/$preset.log"
  say "Building"
  cmake --build "build/$preset" --parallel "$(jobs)" "$@"
}
