// SPDX-License-Identifier: Apache-2.0
// glibc says here whether the process has one thread alone, and libstdc++ then counts references without atomic operations. The code of
// executables looks at it where no shared object may (scripts/cmake/KomuzPython.cmake). This one, which the module has for itself, says
// that there are more.
extern "C" {
char __libc_single_threaded = 0;
}
