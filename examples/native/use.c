/* SPDX-License-Identifier: Apache-2.0
   A program in C that calls functions of window.komuz. */
#include <stdio.h>

#include "window.h"

int main(void) {
  const double windows[2][8] = {{3, 4, 3, 4, 3, 4, 3, 4}, {-1, 2, 0.5, 0, 0, 0, 7, 1}};
  double rms_of[2];
  struct Spread spread_of;
  if (rms_rows(2, windows[0], rms_of, NULL) != 0) return 1;
  if (spread(windows[1], &spread_of, NULL) != 0) return 1;
  printf("rms %.17g %.17g, from %g to %g\n", rms_of[0], rms_of[1], spread_of.low, spread_of.high);

  /* A trap is a result, too. */
  int64_t each = 0;
  struct komuz_trap trap;
  if (share(7, 0, &each, &trap) == KOMUZ_DIV_ZERO)
    printf("share(7, 0) divides by zero on line %d, after %d tick\n", (int)trap.line, (int)trap.ticks);
  return 0;
}
