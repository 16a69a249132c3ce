// SPDX-License-Identifier: Apache-2.0
// A session with files of its own, for tests of lines with holes and of cases.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "repl/repl.h"

namespace komuz::repl {

inline constexpr const char* kCases =
    "x,y,expected\n1.0,2.0,6.0\n2.0,3.0,13.0\n0.5,1.0,2.0\n4.0,0.5,8.25\n";

// A session with files of its own.
class VariantsTest : public testing::Test {
 protected:
  // The output of inputs, including errors.
  std::string told(std::string_view text, bool is_json = false) {
    std::string shown;
    if (!repl_ || is_json_ != is_json) {
      is_json_ = is_json;
      repl_ = std::make_unique<Repl>(nullptr, host(), ReplOptions{is_json, {}, {{}, columns_}},
                                     ReplOutput{[this](std::string_view p) { *out_ += p; },
                                                [this](std::string_view p) { *out_ += p; }});
    }
    out_ = &shown;
    repl_->add(text, "input", stop_.get_token());
    repl_->end("input", stop_.get_token());
    return shown;
  }
  Host host() {
    Host host;
    host.read_file = [this](const std::string& path) {
      const auto file = files_.find(path);
      return file == files_.end()
                 ? Result<std::string>(input_problem("there is no file `" + path + "`"))
                 : file->second;
    };
    host.read_cases = [read = host.read_file](const std::string& path, const engine::Watch&) {
      return read(path);
    };
    host.make_watch = [this](const std::stop_token& stop) {
      return std::make_unique<StoppingWatch>(*this, stop);
    };
    host.write_file = [this](const std::string& path, std::string_view text, auto) {
      files_[path] = text;
      return Problem();
    };
    host.file_stamp = [this](const std::string& path) {
      if (on_stamp_) on_stamp_();
      return files_[path];
    };
    host.make_progress = [this] { return std::make_unique<StoppingProgress>(*this); };
    return host;
  }

  // Stops the reading of cases at the report of this number.
  struct StoppingWatch final : engine::Watch {
    StoppingWatch(VariantsTest& of, const std::stop_token& stop) : engine::Watch(stop), test(of) {}
    void tell(u64 done, u64 all, std::string_view noun) const override {
      EXPECT_LE(done, all);
      test.told_nouns_.insert(std::string(noun));
      if (++test.tellings_ == test.stop_at_telling_) test.stop_.request_stop();
    }
    VariantsTest& test;
  };
  // Stops a run after so many candidates.
  struct StoppingProgress final : VariantProgress {
    explicit StoppingProgress(VariantsTest& of) : test(of) {}
    void on_progress(u64 done, std::optional<u64> total) override {
      test.totals_.push_back(total.value_or(0));
      if (done >= test.stop_after_) test.stop_.request_stop();
    }
    void on_best(std::string score) override { test.bests_.push_back(std::move(score)); }
    VariantsTest& test;
  };

  std::map<std::string, std::string> files_ = {{"data.csv", kCases}};
  std::unique_ptr<Repl> repl_;
  std::optional<u32> columns_;  // of a terminal
  std::stop_source stop_;
  std::function<void()> on_stamp_;  // called for a watched file, which is checked before each input
  u64 stop_after_ = ~u64{0};
  u64 tellings_ = 0, stop_at_telling_ = 0;
  std::set<std::string> told_nouns_;
  std::vector<u64> totals_;
  std::vector<std::string> bests_;

 private:
  bool is_json_ = false;
  std::string* out_ = nullptr;
};

}  // namespace komuz::repl
