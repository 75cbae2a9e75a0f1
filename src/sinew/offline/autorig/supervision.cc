#include "sinew/offline/autorig/supervision.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "sinew/offline/autorig/named_choice.h"

namespace sinew::autorig {
namespace {

constexpr double kAngle = std::numbers::pi / 6;  // standard deviation of the angles of joints (section 5.1.1)
// Factor of poses that turn the ends of chains alone, as in the published code: in others the ends hardly count.
constexpr double kEndFactor = 5;

bool IsEnd(int joint) {
  return std::none_of(BipedJoints().begin(), BipedJoints().end(),
                      [joint](const BipedJoint& other) { return other.parent == joint; });
}

Eigen::Matrix3d DrawTurn(Random& random) {
  const Eigen::Vector3d axis{random.Normal(), random.Normal(), random.Normal()};
  const double angle = kAngle * random.Normal();
  return axis.isZero() ? Eigen::Matrix3d(Eigen::Matrix3d::Identity())
                       : Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

void Append(const Eigen::Matrix3d& turn, std::vector<float>& numbers) {
  for (int k = 0; k < 9; ++k) numbers.push_back(static_cast<float>(turn(k / 3, k % 3)));
}

}  // namespace

std::vector<std::string> SupervisionNames() { return {"direct", "indirect", "both"}; }

Supervision SupervisionOf(const std::string& name) {
  return static_cast<Supervision>(IndexOfWord(name, SupervisionNames(), "supervision"));
}

std::vector<float> DrawPoses(Random& random) {
  std::vector<float> numbers;
  for (const bool ends_only : {false, true}) {
    for (int j = 0; j < kJoints; ++j) {
      const bool turns = ends_only ? IsEnd(j) : BipedJoints()[j].parent >= 0;
      Append(turns ? DrawTurn(random) : Eigen::Matrix3d(Eigen::Matrix3d::Identity()), numbers);
    }
  }
  return numbers;
}

std::optional<layers::RigRun> MakeRigRun(const LossChoice& choice, const VoteScaling& scaling) {
  const bool direct = choice.supervision != Supervision::kIndirect, posed = choice.supervision != Supervision::kDirect;
  if (!choice.squared && !posed && choice.influences == 0) return std::nullopt;
  layers::RigRun run;
  layers::RigLossOptions& loss = run.loss;
  for (const BipedJoint& joint : BipedJoints()) loss.parents.push_back(joint.parent);
  loss.means.assign(scaling.mean.data(), scaling.mean.data() + scaling.mean.size());
  loss.deviation = scaling.deviation;
  loss.scale = kStature;
  loss.influences = choice.influences;
  // Without Eq. 6 weights count on edges, where there are always all of them; the strongest are a matter of vertices.
  loss.weights = direct && (choice.squared || choice.influences > 0) ? 1 : 0;
  loss.offsets = direct && choice.squared ? 1 : 0;
  loss.root = direct ? 0 : 1;
  if (posed) loss.poses = {1, kEndFactor};
  run.alone = choice.squared || !direct;
  run.draw = posed ? DrawPoses : [](Random&) { return std::vector<float>(); };
  return run;
}

std::vector<float> EdgeShares(const EdgeInput& input, bool by_area) {
  std::vector<float> shares;
  const float each = 1 / static_cast<float>(input.areas.size());
  for (const float area : input.areas) shares.push_back(by_area ? (area + each) / 2 : each);
  return shares;
}

std::vector<float> VertexShares(const EdgeInput& input, int vertices, bool by_area) {
  const float each = 1 / static_cast<float>(vertices);
  std::vector<float> shares(vertices, by_area ? each / 2 : each);
  for (int e = 0; by_area && e < input.edges->count(); ++e) {
    for (const int v : input.edges->ends[e]) shares[v] += input.areas[e] / 4;
  }
  return shares;
}

}  // namespace sinew::autorig
