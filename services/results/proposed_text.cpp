// SPDX-License-Identifier: Apache-2.0
#include "services/results/proposed_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "services/display_text.h"
#include "services/results/proof_text.h"

namespace komuz::services {
namespace {

using neural::JudgedProposal;
using neural::ProposedWindow;
using neural::Verdict;

WindowSite window_site_of(const ProposedProgram& p, const ProposedWindow& proposed) {
  const neural::CodeWindow& window = proposed.window;
  return window_site(p.program, window.function, window.begin, window.end);
}

f64 probability(const JudgedProposal& judged) {
  return std::exp(judged.proposal.candidate.log_probability);
}

std::string_view verdict_name(const JudgedProposal& judged) {
  return neural::kVerdictNames[static_cast<u8>(judged.equality.verdict)];
}

std::string summary(const ProposedWindow& window) {
  if (window.unwritten != neural::Unwritten::None)
    return "nothing is proposed: " + std::string(sentence(window.unwritten));
  const auto is_proved = [](const JudgedProposal& judged) {
    return judged.equality.verdict == Verdict::Proved;
  };
  const auto proved = std::ranges::count_if(window.proposals, is_proved);
  const auto cheaper = std::ranges::count_if(window.proposals, [&](const JudgedProposal& judged) {
    return is_proved(judged) && judged.cost < window.cost;
  });
  return counted(window.proposals.size(), "proposal") + ", " + grouped(proved) + " proved equal, " +
         grouped(cheaper) + (cheaper == 1 ? " of them cheaper" : " of these cheaper");
}

}  // namespace

std::string proposed_text(const ProposedProgram& p, const RenderStyle& style) {
  const Palette& colours = palette(style);
  std::string text = printable(p.program.name, ~0u) + ": " +
                     counted(p.proposed.windows.size(), "window") +
                     (p.proposed.is_interrupted ? ", interrupted\n" : "\n");
  for (const ProposedWindow& window : p.proposed.windows) {
    text += "  " + window_name(p.program, window.window.function, window_site_of(p, window)) +
            ": cost " + grouped(window.cost) + "; " + summary(window) + "\n";
    const std::vector<std::string> names =
        slot_names(p.program.code, window.window.function, window.lone.slots);
    for (const JudgedProposal& judged : window.proposals) {
      char line[96];
      std::snprintf(line, sizeof line, "    probability %.4f%s, cost %s: ", probability(judged),
                    judged.proposal.candidate.times > 1
                        ? (", drawn " + counted(judged.proposal.candidate.times, "time")).c_str()
                        : "",
                    grouped(judged.cost).c_str());
      const bool is_proved = judged.equality.verdict == Verdict::Proved;
      const std::string_view colour = !is_proved                  ? ""
                                      : judged.cost < window.cost ? colours.note
                                                                  : "";
      text += line + std::string(colour) + std::string(verdict_name(judged)) +
              std::string(colour.empty() ? "" : colours.plain);
      if (judged.equality.verdict != Verdict::Refuted)
        text += ": " + evidence_text(judged.equality);
      text += "\n" + lone_code_text(judged.proposal.code.view(), names, "      ");
    }
  }
  return text;
}

nlohmann::ordered_json proposed_json(const ProposedProgram& p) {
  nlohmann::ordered_json object;
  object["file"] = p.program.name;
  object["interrupted"] = p.proposed.is_interrupted;
  auto& windows = object["windows"] = nlohmann::ordered_json::array();
  for (const ProposedWindow& window : p.proposed.windows) {
    nlohmann::ordered_json row;
    add_window(row, p.program, window.window.function, window_site_of(p, window));
    row["cost"] = window.cost;
    row["unwritten"] = nullptr;
    if (window.unwritten != neural::Unwritten::None) row["unwritten"] = sentence(window.unwritten);
    auto& proposals = row["proposals"] = nlohmann::ordered_json::array();
    for (const JudgedProposal& judged : window.proposals) {
      nlohmann::ordered_json proposal;
      proposal["words"] = neural::words_text(judged.proposal.candidate.words);
      proposal["probability"] = probability(judged);
      proposal["times"] = judged.proposal.candidate.times;
      proposal["cost"] = judged.cost;
      proposal["verdict"] = verdict_name(judged);
      proposal["evidence"] = neural::kEvidenceNames[static_cast<u8>(judged.equality.evidence)];
      proposal["method"] = nullptr;
      if (!judged.equality.method.empty()) proposal["method"] = judged.equality.method;
      proposals.push_back(std::move(proposal));
    }
    windows.push_back(std::move(row));
  }
  return object;
}

}  // namespace komuz::services
