# SPDX-License-Identifier: Apache-2.0
# komuz_mpfr: GNU MPFR, numbers of many bits. The tests measure errors with it.
find_path(KOMUZ_MPFR_INCLUDE mpfr.h)
find_library(KOMUZ_MPFR_LIBRARY mpfr)
find_library(KOMUZ_GMP_LIBRARY gmp)
if(NOT KOMUZ_MPFR_INCLUDE OR NOT KOMUZ_MPFR_LIBRARY OR NOT KOMUZ_GMP_LIBRARY)
  message(FATAL_ERROR "MPFR was not found, which the tests need: run scripts/setup, or configure with -DBUILD_TESTING=OFF")
endif()
add_library(komuz_mpfr INTERFACE)
target_include_directories(komuz_mpfr SYSTEM INTERFACE ${KOMUZ_MPFR_INCLUDE})
target_link_libraries(komuz_mpfr INTERFACE ${KOMUZ_MPFR_LIBRARY} ${KOMUZ_GMP_LIBRARY})
