// SPDX-License-Identifier: Apache-2.0
#include "cli/session/live_editors.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "cli/process/version.h"

namespace komuz::cli {
namespace {

// An editor that sends faster than the session takes is told to wait.
constexpr size_t kMostWaiting = 256;

}  // namespace

LiveEditors::LiveEditors()
    : server_(files_, std::string(kVersion),
              [this](std::string items) { return add(std::move(items)); }) {
  if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) ends_[0] = ends_[1] = -1;
}
LiveEditors::~LiveEditors() {
  server_.end();
  for (const int end : ends_)
    if (end >= 0) close(end);
}

bool LiveEditors::add(std::string items) {
  const std::scoped_lock lock(mutex_);
  if (items_.size() == kMostWaiting || ends_[1] < 0) return false;
  items_.push_back(std::move(items));
  static_cast<void>(!write(ends_[1], "", 1));
  return true;
}

std::string LiveEditors::take() {
  const std::scoped_lock lock(mutex_);
  char byte = 0;
  static_cast<void>(!read(ends_[0], &byte, 1));
  if (items_.empty()) return {};
  std::string items = std::move(items_.front());
  items_.pop_front();
  return items;
}

}  // namespace komuz::cli
