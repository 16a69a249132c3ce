// SPDX-License-Identifier: Apache-2.0
// Runs a part of a test in a process of its own.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace komuz::test {

// What `body` has found wrong, as text; empty: nothing. A child that dies is wrong.
template <class Body>
std::string in_child(Body body) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string found = body();
    const ssize_t written = write(ends[1], found.data(), found.size());
    _exit(written == static_cast<ssize_t>(found.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string found;
  char bytes[4096];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof bytes)) > 0;)
    found.append(bytes, static_cast<size_t>(count));
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return "no child";
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    found += " (the child ended with status " + std::to_string(status) + ")";
  return found;
}

}  // namespace komuz::test
