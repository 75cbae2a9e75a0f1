#include "sinew/offline/contact/contact_report.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew::contact {
namespace {

Json ErrorJson(const PressField& field, double seen, double held) {
  return {{"trained", seen}, {"held_back", field.errors.held_samples > 0 ? Json(held) : Json()}};
}

std::string ErrorText(const PressField& field) {
  const PressErrors& errors = field.errors;
  const std::string held =
      errors.held_samples > 0 ? fmt::format("{:.0f}% on {} that were held back", 100 * errors.held, errors.held_samples)
                              : "none was held back, as there are too few";
  std::string text = fmt::format("relative error {:.0f}% on {} samples that were trained on, {}\n", 100 * errors.seen,
                                 errors.seen_samples, held);
  if (std::abs(errors.seen - field.network_seen) + std::abs(errors.held - field.network_held) >= 0.005) {
    text += fmt::format("before it was rounded for the bundle, {:.0f}% and {:.0f}%\n", 100 * field.network_seen,
                        100 * field.network_held);
  }
  const Penetration& through = errors.penetration;
  return text + fmt::format(
                    "{:.0f}% are out of the window's reach; hovering moves the skin by {:.1f}% of the largest dent\n"
                    "depth of touched vertices, of the collider's: {:.1f}%, pushed out {:.1f}%; simulated {:.1f}%, "
                    "skinned {:.1f}%\n",
                    100 * errors.outside, 100 * errors.hover, 100 * through.predicted, 100 * through.pushed_out,
                    100 * through.simulated, 100 * through.skinned);
}

}  // namespace

Json ContactJson(const LearnedContact& learned) {
  Json covered = Json::array();
  for (const CoveredJoint& joint : learned.covered) {
    covered.push_back({{"joint", joint.joint}, {"places", joint.places}, {"share_of_skin", joint.share}});
  }
  const PressField& field = learned.field;
  const Penetration& through = field.errors.penetration;
  return {{"collider", field.field.name},
          {"states", learned.states},
          {"places", learned.places},
          {"rotations", learned.rotations},
          {"depths", {learned.shallowest, learned.deepest}},
          {"window", field.field.window * field.field.unit},
          {"contacts", learned.made.total},
          {"failed", learned.made.failed},
          {"complete", learned.made.complete},
          {"core_seconds_per_contact", learned.made.solved > 0 ? learned.made.core_seconds / learned.made.solved : 0},
          {"estimated_minutes", learned.estimated_minutes},
          {"steps", field.trained.steps},
          {"relative_error", ErrorJson(field, field.errors.seen, field.errors.held)},
          {"relative_error_of_the_network", ErrorJson(field, field.network_seen, field.network_held)},
          {"outside_of_the_window", field.errors.outside},
          {"hover", field.errors.hover},
          {"penetration",
           {{"skinned", through.skinned},
            {"predicted", through.predicted},
            {"pushed_out", through.pushed_out},
            {"simulated", through.simulated}}},
          {"coverage", covered}};
}

std::string ContactText(const LearnedContact& learned, const std::string& bundle) {
  const PressField& field = learned.field;
  std::string text = fmt::format("{}: contact with {}, {} states x {} places x {} rotations, depths {:.3g} to {:.3g}\n",
                                 bundle, field.field.name, learned.states, learned.places, learned.rotations,
                                 learned.shallowest, learned.deepest);
  text += fmt::format("{} contacts, {} of them could not be simulated{}\n", learned.made.total, learned.made.failed,
                      learned.made.complete ? "" : "; the time was over before all were, the same command goes on");
  text += ErrorText(field);
  text += fmt::format("{:<24}{:>8}{:>22}\n", "joint", "places", "share of its skin");
  for (const CoveredJoint& joint : learned.covered) {
    text += fmt::format("{:<24}{:>8}{:>21.0f}%\n", joint.joint, joint.places, 100 * joint.share);
  }
  return text;
}

render::Picture DrawCoverage(const Character& character, const LearnedContact& learned) {
  render::PictureInput input{.character = &character, .label = learned.field.field.name};
  input.poses = {character.skeleton.RestPose()};
  input.heat = {{learned.contacts.begin(), learned.contacts.end()}};
  render::PictureOptions options;
  options.views = {render::ParseView("front"), render::ParseView("back")};
  options.heat_title = "contacts within reach";
  return render::MakePicture({input}, options);
}

}  // namespace sinew::contact
