#include "sinew/offline/pipeline/report_contact.h"

#include <fmt/format.h>

#include <string>

#include "sinew/offline/pipeline/layout.h"

namespace sinew::pipeline {
namespace {

std::string Percent(const Json& share) {
  return share.is_null() ? "none held back" : fmt::format("{:.1f}%", 100 * share.get<double>());
}

void AddErrors(const Json& facts, report::Page& page) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& collider : facts) {
    const Json& error = collider.at("relative_error");
    const Json& depth = collider.at("penetration");
    rows.push_back({collider.at("collider"), std::to_string(collider.at("contacts").get<int>()),
                    Percent(error.at("trained")), Percent(error.at("held_back")), Percent(depth.at("skinned")),
                    Percent(depth.at("predicted")), Percent(depth.at("pushed_out")), Percent(depth.at("simulated"))});
  }
  page.Table(
      {"collider", "contacts", "error, trained on", "error, held back", "depth, skinned", "learned", "pushed out",
       "simulated"},
      rows,
      {.caption = "error: that of skinning without contact is 100%. depth: how deep touched vertices stay in the "
                  "collider, as a share of its own depth",
       .first_number_column = 1});
}

void AddCoverage(const Json& collider, const Bytes& picture, report::Page& page) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& joint : collider.at("coverage")) {
    rows.push_back(
        {joint.at("joint"), std::to_string(joint.at("places").get<int>()), Percent(joint.at("share_of_skin"))});
  }
  const Json& depths = collider.at("depths");
  page.Table({"joint", "places", "skin within reach"}, rows,
             {.caption = fmt::format("{}: {} poses, {} rotations at each place, depths from {:.3g} to {:.3g}",
                                     collider.at("collider").get<std::string>(), collider.at("states").get<int>(),
                                     collider.at("rotations").get<int>(), depths.at(0).get<double>(),
                                     depths.at(1).get<double>()),
              .first_number_column = 1});
  if (!picture.empty()) {
    page.Picture(
        picture, "The body, coloured by the number of contacts that reached the skin",
        "How many contacts reached the skin. Where there were none, nothing was learned, and the skin stays as "
        "skinned.");
  }
}

}  // namespace

void AddContact(const Json& facts, const std::vector<Bytes>& pictures, report::Page& page) {
  if (facts.empty()) return;
  page.FoldedSection("Contact", "How the skin gives way to rigid things, and where that was learned.");
  page.Paragraph(fmt::format("The file with contact is {}.", kContactBundle));
  AddErrors(facts, page);
  for (size_t i = 0; i < facts.size(); ++i) AddCoverage(facts[i], i < pictures.size() ? pictures[i] : Bytes(), page);
}

}  // namespace sinew::pipeline
