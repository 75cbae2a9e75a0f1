#include "sinew/offline/pipeline/report_rig.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sinew/offline/autorig/rig_text.h"

namespace sinew::pipeline {
namespace {

std::string AxisOf(const Json& direction) {
  const auto along = [&direction](int axis) { return direction.at(axis).get<double>(); };
  return autorig::AxisText(Eigen::RowVector3d(along(0), along(1), along(2)));
}

void AddVerdicts(const Json& facts, report::Page& page) {
  const Json& frame = facts.at("frame");
  page.Paragraph(fmt::format(
      "A network found {} joints. In the file, up is {} and the front is {}; the body is {:.4g} units high.",
      facts.at("joints").size(), AxisOf(frame.at("up")), AxisOf(frame.at("front")), frame.at("height").get<double>()));
  std::vector<std::vector<std::string>> rows;
  for (const Json& verdict : facts.at("verdicts")) {
    rows.push_back({verdict.at("check"), verdict.at("good").get<bool>() ? "good" : "LOOK", verdict.at("sentence"),
                    fmt::format("{:.3g}", verdict.at("value").get<double>()),
                    fmt::format("{:.3g}", verdict.at("limit").get<double>())});
  }
  page.Table({"check", "", "what was found", "measured", "limit"}, rows,
             {.caption = "what can be said without knowing the true skeleton", .first_number_column = 3});
  if (!facts.at("has_weights").get<bool>()) {
    page.Paragraph("Volume and stretch are those of the network's weights, which optimised ones have replaced since.");
  }
}

}  // namespace

void AddRig(const Json& facts, const Bytes& picture, report::Page& page) {
  if (facts.empty()) return;
  page.FoldedSection("Skeleton", "Where it is from, and what speaks for and against it.");
  if (facts.at("from") == "network") {
    AddVerdicts(facts, page);
  } else {
    page.Paragraph(fmt::format("It was taken from {}.", facts.at("skeleton").get<std::string>()));
  }
  if (!picture.empty()) {
    page.Picture(picture, "The skeleton in the body, and the body in some poses",
                 "The skeleton in the body, and what linear blend skinning makes of it.");
  }
}

}  // namespace sinew::pipeline
