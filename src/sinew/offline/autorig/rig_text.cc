#include "sinew/offline/autorig/rig_text.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew::autorig {

std::string AxisText(const Eigen::RowVector3d& direction) {
  constexpr double kExact = 0.9999;
  Eigen::Index largest;
  direction.cwiseAbs().maxCoeff(&largest);
  const bool exact = std::abs(direction[largest]) > kExact;
  return fmt::format("{}{}{}", exact ? "" : "about ", direction[largest] < 0 ? "-" : "+", "xyz"[largest]);
}

Json JsonOf(const Rig& rig) {
  Json json = Json::object();
  for (int j = 0; j < kJoints; ++j) {
    const auto place = rig.joints.row(j);
    json["joints"][BipedJoints()[j].name] = {{"position", {place[0], place[1], place[2]}}, {"spread", rig.spreads[j]}};
  }
  const auto axis = [&](int row) {
    const Eigen::RowVector3d direction = rig.frame.turn.row(row);
    return Json{direction[0], direction[1], direction[2]};
  };
  json["frame"] = {{"left", axis(0)}, {"up", axis(1)}, {"front", axis(2)}, {"height", rig.frame.height}};
  json["both_sides"] = rig.both_sides;
  json["verdicts"] = Json::array();
  for (const Verdict& verdict : rig.verdicts) {
    json["verdicts"].push_back({{"check", verdict.check},
                                {"good", verdict.good},
                                {"value", verdict.value},
                                {"limit", verdict.limit},
                                {"sentence", verdict.sentence}});
  }
  for (const ExtraJoint& joint : rig.extra) {
    json["extra"][joint.name] = {{"position", {joint.position[0], joint.position[1], joint.position[2]}},
                                 {"below", BipedJoints()[joint.anchor].name}};
  }
  json["islands"] = Json::array();
  for (const BoundIsland& island : rig.islands) {
    json["islands"].push_back({{"vertices", island.vertices}, {"joint", BipedJoints()[island.joint].name}});
  }
  return json;
}

std::string TextOf(const Rig& rig) {
  std::string text = fmt::format("  stands      up is {}, front is {}, {:.4g} units high\n",
                                 AxisText(rig.frame.turn.row(1)), AxisText(rig.frame.turn.row(2)), rig.frame.height);
  if (rig.both_sides) text += "  both sides  are mirror images, and so are joints and weights\n";
  if (!rig.islands.empty()) {
    int vertices = 0;
    for (const BoundIsland& island : rig.islands) vertices += island.vertices;
    text += fmt::format("  islands     {} small ones of {} vertices move as one piece each\n", rig.islands.size(),
                        vertices);
  }
  for (const Verdict& verdict : rig.verdicts) {
    text += fmt::format("  {}  {}\n", verdict.good ? "good      " : "look here ", verdict.sentence);
  }
  return text;
}

}  // namespace sinew::autorig
