// SPDX-License-Identifier: Apache-2.0
#include "services/model/model_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/counts.h"
#include "base/machine/processors.h"
#include "services/display_text.h"

namespace komuz::services::model {
namespace {

using Json = nlohmann::ordered_json;

struct Unit {
  f64 size;
  std::string_view name;
};
constexpr Unit kSeconds[] = {{86'400, "days"}, {3600, "h"},  {60, "min"}, {1, "s"},
                             {1e-3, "ms"},     {1e-6, "µs"}, {1e-9, "ns"}};
constexpr Unit kJoules[] = {{1e9, "GJ"},  {1e6, "MJ"},  {1e3, "kJ"}, {1, "J"},
                            {1e-3, "mJ"}, {1e-6, "µJ"}, {1e-9, "nJ"}};
constexpr Unit kBytes[] = {{1e15, "PB"}, {1e12, "TB"}, {1e9, "GB"},
                           {1e6, "MB"},  {1e3, "kB"},  {1, "B"}};

// In the largest unit of which there is at least one; of the last there may be less.
const Unit& unit_of(f64 value, std::span<const Unit> units) {
  for (const Unit& unit : units)
    if (value >= unit.size) return unit;
  return units.back();
}
std::string number_in(f64 value, const Unit& unit) {
  const f64 shown = value / unit.size;
  if (shown >= 999.5) return grouped(static_cast<u64>(std::llround(shown)));
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", shown);
  return text;
}
std::string quantity(f64 value, std::span<const Unit> units) {
  const Unit& unit = unit_of(value, units);
  return number_in(value, unit) + " " + std::string(unit.name);
}
std::string quantity(const Range& range, std::span<const Unit> units) {
  const Unit &low = unit_of(range.low, units), &high = unit_of(range.high, units);
  if (range.low == range.high) return quantity(range.low, units);
  if (&low != &high) return quantity(range.low, units) + " to " + quantity(range.high, units);
  return number_in(range.low, low) + " to " + quantity(range.high, units);
}

// Columns as wide as their widest cell, with two blanks between them.
using Table = std::vector<std::vector<std::string>>;
std::string lines_of(const Table& table) {
  std::vector<size_t> widths;
  for (const std::vector<std::string>& row : table) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], shown_width(row[column]));
  }
  std::string text;
  for (const std::vector<std::string>& row : table) {
    std::string line = " ";
    for (size_t column = 0; column < row.size(); ++column)
      line += " " + row[column] + std::string(widths[column] - shown_width(row[column]) + 1, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

constexpr std::string_view kSaysNothing = "not stated", kNoGpu = "no GPU yet";

std::string watts_text(const ModelReport& report) {
  char watts[32];
  std::snprintf(watts, sizeof watts, "%g W", report.watts);
  return std::string(watts) + " for a busy thread" +
         (report.states_watts ? "" : " (" + std::string(kThreadWattsSource) + ")");
}

std::string way_name(neural::TierChoice way) {
  return std::string(neural::kTierNames[static_cast<size_t>(way)]);
}

OurQuestion question_of(const ModelReport& report) {
  return {report.size, report.threads, report.watts};
}

void add_paper(const ModelReport& report, Table& table) {
  const auto add = [&](PaperWay way, const Gpu& gpu) {
    const PaperWayRow& row = kPaperWays[static_cast<size_t>(way)];
    const Prediction said = predict_by_paper(way, report.size, gpu);
    table.push_back({std::string(row.name), quantity(said.seconds, kSeconds),
                     quantity(said.joules, kJoules),
                     said.bytes ? quantity(*said.bytes, kBytes) : std::string(kSaysNothing),
                     std::string(row.equations)});
  };
  add(PaperWay::Cpu, kGpus[0]);
  if (report.gpu == nullptr) return;
  for (const PaperWay way : {PaperWay::Traditional, PaperWay::Neural, PaperWay::Hybrid})
    add(way, *report.gpu);
}

void add_ours(const ModelReport& report, Table& table) {
  for (const Constants& constants : our_constants()) {
    const OurPrediction said = predict_ours(constants, question_of(report));
    table.push_back({"CPU, " + way_name(constants.way), seconds_text(said.seconds),
                     joules_text(said.joules), bytes_text(said.bytes)});
  }
  if (report.gpu != nullptr) table.push_back({"GPU", std::string(kNoGpu)});
}

std::string measured_text(const ModelReport& report) {
  const Measured& measured = *report.measured;
  const f64 joules = measured.joules.value_or(measured.busy * report.watts);
  Table table = {{"", "latency", "energy", "memory", "processor time"}};
  const bool is_on_gpu = measured.gpus.has_value();
  const bool are_several = is_on_gpu && measured.gpus->count > 1;
  table.push_back({(are_several ? "with GPUs, "
                    : is_on_gpu ? "with a GPU, "
                                : "CPU, ") +
                       way_name(measured.run.way),
                   seconds_text(measured.median), joules_text(joules),
                   bytes_text(static_cast<f64>(measured.bytes)), seconds_text(measured.busy)});
  if (is_on_gpu)
    table.push_back(
        {are_several ? "  the GPUs' own" : "  the GPU's own", "",
         measured.gpus->joules ? joules_text(*measured.gpus->joules) : "not told",
         measured.gpus->bytes ? bytes_text(static_cast<f64>(*measured.gpus->bytes)) : "not told",
         ""});
  return "\nMeasured now, on " + (is_on_gpu ? printable(measured.gpus->name) + " and " : "") +
         printable(machine::processor_name()) + ", " + counted(report.threads, "thread") + ":\n" +
         lines_of(table) + "  of " + counted(measured.run.rounds, "round") + ": " +
         seconds_text(measured.low) + " to " + seconds_text(measured.high) + "; energy " +
         (measured.joules ? "of the whole machine, by the processor's counters (RAPL)"
                          : "modelled: no counter (RAPL) is shown here, so " + watts_text(report)) +
         "\n" +
         (is_on_gpu ? "  the GPU's are those of the whole card, by the driver's counters (NVML); "
                      "the line above has the processor's energy "
                      "and the process's memory\n"
                    : "");
}

Json range_json(const Range& range) { return {range.low, range.high}; }

Json paper_json(const ModelReport& report, PaperWay way, const Gpu& gpu) {
  const PaperWayRow& row = kPaperWays[static_cast<size_t>(way)];
  const Prediction said = predict_by_paper(way, report.size, gpu);
  Json out = {{"way", row.name},
              {"equations", row.equations},
              {"seconds", range_json(said.seconds)},
              {"joules", range_json(said.joules)},
              {"bytes", nullptr}};
  if (said.bytes) out["bytes"] = range_json(*said.bytes);
  return out;
}

}  // namespace

std::string seconds_text(f64 seconds) { return quantity(seconds, kSeconds); }
std::string joules_text(f64 joules) { return quantity(joules, kJoules); }
std::string bytes_text(f64 bytes) { return quantity(bytes, kBytes); }

std::string model_text(const ModelReport& report) {
  const Machine& machine = our_machine();
  std::string text = counted(report.size.programs, "program") + " of " +
                     counted(report.size.bytes, "byte") + " on " +
                     counted(report.size.cases, "case") + ", compiled and run\n\n";
  Table table = {{"", "latency", "energy", "memory", "equations"}};
  add_paper(report, table);
  text += "By the paper's constants" +
          (report.gpu == nullptr
               ? std::string()
               : ", on " + grouped(static_cast<u64>(report.gpu->cores)) + " cores of a GPU at " +
                     grouped(static_cast<u64>(report.gpu->watts)) + " W (" +
                     std::string(report.gpu->source) + ")") +
          ":\n" + lines_of(table);
  table = {{"", "latency", "energy", "memory"}};
  add_ours(report, table);
  text += "\nBy our constants, of " + std::string(machine.processor) + " (" +
          std::string(machine.date) + "), " + counted(report.threads, "thread") + ":\n" +
          lines_of(table) + "  energy modelled: " + watts_text(report) + "\n";
  text += "  neural: as most programs of up to " + counted(kMostNeuralBytes, "byte") +
          " are; one whose proof is hard takes a second more\n";
  if (report.gpu != nullptr)
    text += "  a GPU's constants were not measured: of GPUs there are the paper's rows alone\n";
  if (report.measured) text += measured_text(report);
  return text;
}

nlohmann::ordered_json model_json(const ModelReport& report) {
  Json out = {
      {"programs", report.size.programs}, {"size", report.size.bytes}, {"cases", report.size.cases},
      {"threads", report.threads},        {"watts", report.watts},     {"gpu", nullptr}};
  Json paper = Json::array(), ours = Json::array();
  paper.push_back(paper_json(report, PaperWay::Cpu, kGpus[0]));
  if (report.gpu != nullptr) {
    out["gpu"] = {{"name", report.gpu->name},
                  {"cores", static_cast<u64>(report.gpu->cores)},
                  {"watts", static_cast<u64>(report.gpu->watts)},
                  {"source", report.gpu->source}};
    for (const PaperWay way : {PaperWay::Traditional, PaperWay::Neural, PaperWay::Hybrid})
      paper.push_back(paper_json(report, way, *report.gpu));
  }
  out["paper"] = std::move(paper);
  for (const Constants& constants : our_constants()) {
    const OurPrediction said = predict_ours(constants, question_of(report));
    ours.push_back({{"way", "CPU, " + way_name(constants.way)},
                    {"seconds", said.seconds},
                    {"joules", said.joules},
                    {"bytes", said.bytes}});
  }
  const Machine& machine = our_machine();
  out["ours"] = {{"processor", machine.processor},
                 {"date", machine.date},
                 {"use", machine.use},
                 {"ways", std::move(ours)},
                 {"gpu", nullptr}};
  out["measured"] = nullptr;
  if (!report.measured) return out;
  const Measured& measured = *report.measured;
  out["measured"] = {{"tier", way_name(measured.run.way)},
                     {"processor", machine::processor_name()},
                     {"rounds", measured.run.rounds},
                     {"seconds", measured.median},
                     {"seconds_range", {measured.low, measured.high}},
                     {"processor_seconds", measured.busy},
                     {"memory_bytes", measured.bytes},
                     {"joules", measured.joules.value_or(measured.busy * report.watts)},
                     {"energy", measured.joules ? "counters" : "modelled"},
                     {"gpu", nullptr}};
  if (!measured.gpus) return out;
  Json gpu = {{"name", measured.gpus->name}, {"memory_bytes", nullptr}, {"joules", nullptr}};
  if (measured.gpus->bytes) gpu["memory_bytes"] = *measured.gpus->bytes;
  if (measured.gpus->joules) gpu["joules"] = *measured.gpus->joules;
  out["measured"]["gpu"] = std::move(gpu);
  return out;
}

}  // namespace komuz::services::model
