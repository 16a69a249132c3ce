// SPDX-License-Identifier: Apache-2.0
#include "services/options/table_rows.h"

namespace komuz::services {

TableRows read_table_rows(const Args& args) {
  if (args.has("pareto")) return TableRows::ParetoFront;
  return args.has("distinct") ? TableRows::Behaviours : TableRows::Best;
}

Problem find_table_conflict(const Args& args) {
  if (args.has("pareto") && args.has("distinct"))
    return input_problem(
        "either `--pareto` or `--distinct`: of equal programs the front has one already");
  if (args.has("pareto") && args.has("cut-off"))
    return input_problem(
        "either `--pareto` or `--cut-off`, which stops candidates that may be on the front");
  if (args.has("distinct") && args.has("cut-off"))
    return input_problem(
        "either `--distinct` or `--cut-off`, which stops candidates that may be among the best "
        "behaviours");
  if (args.has("distinct") && args.has("first-failure"))
    return input_problem(
        "either `--distinct` or `--first-failure`: what a candidate does on every case has to "
        "be known");
  return {};
}

Problem find_table_conflict(const Args& args, const engine::Results& logged) {
  if (args.has("distinct") && logged.ends_at_failure)
    return input_problem(
        "`--distinct` is not for logs of `--first-failure`: what a candidate does on every case "
        "has to be known");
  return {};
}

}  // namespace komuz::services
