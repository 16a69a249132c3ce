# SPDX-License-Identifier: Apache-2.0
# What the bundle's `test` and `bench` share. Sourced, not run. The bundle is this file's folder:
#   bin/ the executables   lib/ the libraries they need beside those of the system   tests, benches  what is run
set -euo pipefail
bundle=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export LD_LIBRARY_PATH="$bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# No GPU can be used: the exit code of `komuz eval --device cuda`, too.
readonly kNoGpu=4

# Shows the GPU, or says why there is none and ends.
need_gpu() {
  "$bundle/bin/komuz" devices
  if "$bundle/bin/komuz" devices --json | grep -q '"problem": null'; then return; fi
  echo "$(basename "$0"): nothing was run: no GPU can be used, for the reason above" >&2
  exit "$kNoGpu"
}
