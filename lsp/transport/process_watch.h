// SPDX-License-Identifier: Apache-2.0
// Tells when another process ends. Where the system can tell, no thread waits and nothing asks again and again. Else it takes half a
// second to be seen.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <map>

#include "base/ints.h"

namespace komuz::lsp {

class ProcessWatch {
 public:
  // `on_end` is called in the loop, or by `add`.
  ProcessWatch(boost::asio::io_context& loop, std::function<void()> on_end);
  // The number of a process. One that is there no more has ended already; what is no number of one is passed over.
  void add(i64 process);

 private:
  void ask_again(i64 process, boost::asio::steady_timer& timer);

  boost::asio::io_context& loop_;
  std::function<void()> on_end_;
  std::map<i64, boost::asio::posix::stream_descriptor> watched_;
  std::map<i64, boost::asio::steady_timer> asked_;
};

}  // namespace komuz::lsp
