#include "sinew/offline/evaluate/evaluation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sinew/offline/evaluate/measure_table.h"

namespace sinew::evaluate {
namespace {

Json ToJson(const LevelError& error, const LevelError& linear, double exact, double to_mm) {
  Json json = {{"rms_mm", to_mm * error.rms}, {"max_mm", to_mm * error.max}, {"soft_rms_mm", to_mm * error.soft_rms}};
  json["of_linear_blend"] = linear.rms > exact ? Json(error.rms / linear.rms) : Json();
  AddMeasures(error, to_mm, json);
  return json;
}

// Share of linear blend skinning's error; "-" if there are no frames.
std::string Share(const LevelError& error, const LevelError& linear, double exact) {
  return linear.frame_rms.empty() ? "-" : ShareText(error.rms, linear.rms, exact);
}

}  // namespace

Json EvaluationJson(const Evaluation& evaluation, double to_mm) {
  Json levels = Json::array();
  for (int i = 0; i < evaluation.level_count(); ++i) {
    const double exact = evaluation.exact();
    Json level = {{"level", i + 1},
                  {"soft_share", evaluation.SoftShare(i + 1)},
                  {"closed_share", evaluation.closed_shares[i]},
                  {"regions", RegionsJson(evaluation, i + 1, to_mm)}};
    for (size_t m = 0; m < evaluation.methods.size(); ++m) {
      Json& method = level[evaluation.methods[m]];
      method = ToJson(evaluation.errors[m][i], evaluation.errors[0][i], exact, to_mm);
      method["free"] = ToJson(evaluation.free[m][i], evaluation.free[0][i], exact, to_mm);
      method["touching"] = ToJson(evaluation.touching[m][i], evaluation.touching[0][i], exact, to_mm);
    }
    levels.push_back(std::move(level));
  }
  if (const Json crossings = CrossingsJson(evaluation); !crossings.is_null()) levels.back()["crossings"] = crossings;
  return levels;
}

std::string EvaluationText(const Evaluation& evaluation, double to_mm) {
  const bool all_soft = evaluation.AllSoft();
  const double exact = evaluation.exact();
  const auto line = [&](const std::string& level, const std::string& method, const std::string& rms,
                        const std::string& soft, const std::array<std::string, 4>& others) {
    std::string text = fmt::format("{:>5} {:<18} {:>10}", level, method, rms);
    if (!all_soft) text += fmt::format(" {:>10}", soft);
    const auto& [share, largest, free, touch] = others;
    return text + fmt::format(" {:>8} {:>11} {:>12} {:>12}\n", share, largest, free, touch);
  };
  const auto mm = [&](double length, int digits) { return fmt::format("{:.{}f} mm", to_mm * length, digits); };
  std::string text = line("level", "method", "rms", "soft rms", {"share", "largest", "free share", "touch share"});
  for (int i = 0; i < evaluation.level_count(); ++i) {
    for (size_t m = 0; m < evaluation.methods.size(); ++m) {
      const LevelError& e = evaluation.errors[m][i];
      text += line(m == 0 ? std::to_string(i + 1) : "", evaluation.methods[m], mm(e.rms, 3),
                   evaluation.SoftShare(i + 1) > 0 ? mm(e.soft_rms, 3) : "-",
                   {Share(e, evaluation.errors[0][i], exact), mm(e.max, 2),
                    Share(evaluation.free[m][i], evaluation.free[0][i], exact),
                    Share(evaluation.touching[m][i], evaluation.touching[0][i], exact)});
    }
  }
  text +=
      "rms: over the surface and all frames; share: of what linear blend skinning gets wrong; touch: frames in which\n"
      "limbs touch\n";
  if (evaluation.role_shares.empty()) return text;
  if (!all_soft) text += "soft rms: over the points that are not rigid\n";
  return text + fmt::format("roles of the finest level's points: {}\n", RolesText(evaluation.role_shares.back()));
}

std::string ShareText(double error, double of, double exact) {
  if (of > exact) return fmt::format("{:.3f}", error / of);
  return error > exact ? "-" : "exact";
}

Json RolesJson(const RoleShares& shares) {
  Json json = Json::object();
  for (size_t r = 0; r < shares.size(); ++r) json[NameOf(static_cast<Role>(r))] = shares[r];
  return json;
}

std::string RolesText(const RoleShares& shares) {
  std::string text;
  for (size_t r = 0; r < shares.size(); ++r) {
    if (shares[r] == 0) continue;
    text += fmt::format("{}{:.3g}% {}", text.empty() ? "" : ", ", 100 * shares[r], NameOf(static_cast<Role>(r)));
  }
  return text;
}

int TouchingFrames(const Evaluation& evaluation) {
  return static_cast<int>(std::count(evaluation.touches.begin(), evaluation.touches.end(), true));
}

}  // namespace sinew::evaluate
