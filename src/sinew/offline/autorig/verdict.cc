#include "sinew/offline/autorig/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/winding_number.h"
#include "sinew/offline/poses/everyday_poses.h"

namespace sinew::autorig {
namespace {

constexpr double kWiden = 1.25;      // by how much bones may leave the range of known bodies
constexpr double kAsymmetry = 0.10;  // of a bone's length on one side against the other
constexpr double kVolume = 0.05, kStretch = 2.5;

std::string Listed(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

Verdict JudgeInside(const RigAnswer& answer, const TriMesh& surface) {
  const std::vector<std::string> outside = JointsOutside(answer.joints, surface);
  Verdict verdict{"joints-inside", outside.empty(), static_cast<double>(outside.size()), 0, ""};
  verdict.sentence = outside.empty()
                         ? "all joints are inside of the body"
                         : fmt::format("outside of the body: {}; place them with --joints", Listed(outside));
  return verdict;
}

Verdict JudgeBones(const RigAnswer& answer, const Usual& usual) {
  const std::array<double, kJoints> lengths = BoneLengths(answer.joints);
  std::vector<std::string> odd;
  double worst = 1;
  for (int j = 1; j < kJoints; ++j) {
    const double factor = std::max(lengths[j] / usual.longest[j], usual.shortest[j] / std::max(lengths[j], 1e-9));
    worst = std::max(worst, factor);
    if (factor > kWiden) odd.emplace_back(BipedJoints()[j].name);
  }
  Verdict verdict{"bone-lengths", odd.empty(), worst, kWiden, ""};
  verdict.sentence = odd.empty() ? "bones are as long as those of known bodies"
                                 : fmt::format("bones of unusual length lead to {}", Listed(odd));
  return verdict;
}

Verdict JudgeSymmetry(const RigAnswer& answer) {
  const std::array<double, kJoints> lengths = BoneLengths(answer.joints);
  double worst = 0;
  int at = 0;
  for (int j = 1; j < kJoints; ++j) {
    const double other = lengths[BipedJoints()[j].mirrored];
    const double difference = std::abs(lengths[j] - other) / std::max(std::max(lengths[j], other), 1e-9);
    if (difference > worst) {
      worst = difference;
      at = j;
    }
  }
  Verdict verdict{"symmetry", worst <= kAsymmetry, worst, kAsymmetry, "bones of the left and the right are alike"};
  if (!verdict.good) {
    verdict.sentence = fmt::format("the bone to {} is {:.0f}% longer or shorter than that of the other side",
                                   BipedJoints()[at].name, 100 * worst);
  }
  return verdict;
}

Verdict JudgeConfidence(double doubt, double refused_above) {
  const double limit = std::min(1.0, refused_above);
  Verdict verdict{"confidence", doubt <= limit, doubt, limit, "the network is as sure as with bodies that it knows"};
  if (!verdict.good) {
    verdict.sentence = fmt::format(
        "the network is less sure than with bodies that it knows: doubts are {:.1f} times as large; look at the result",
        doubt);
  }
  return verdict;
}

}  // namespace

std::vector<std::string> JointsOutside(const JointPositions& joints, const TriMesh& surface) {
  const WindingNumber winding(surface);
  std::vector<std::string> outside;
  for (int j = 0; j < kJoints; ++j) {
    if (!winding.Inside(joints.row(j).cast<float>().transpose())) outside.emplace_back(BipedJoints()[j].name);
  }
  return outside;
}

Verdicts JudgeJoints(const RigAnswer& answer, const TriMesh& surface, double doubt, const Usual& usual) {
  return {JudgeInside(answer, surface), JudgeBones(answer, usual), JudgeSymmetry(answer),
          JudgeConfidence(doubt, usual.limit)};
}

Verdicts JudgeMotion(const Character& character, const std::string& file) {
  const Articulation articulation(character.skeleton);
  const std::vector<poses::NamedPose> everyday = poses::EverydayPoses(articulation, FindLimits(character, file));
  const TriMesh rest = JoinMesh(character, SkinnedShape(character, character.skeleton.RestPose()));
  const EdgeTable edges = BuildEdges(rest.triangles, rest.vertex_count());
  const double volume = SignedVolume(rest);
  double change = 0;
  std::vector<double> stretches;
  for (const poses::NamedPose& named : everyday) {
    const TriMesh posed = JoinMesh(character, SkinnedShape(character, named.pose));
    change += std::abs(SignedVolume(posed) / volume - 1) / static_cast<double>(everyday.size());
    for (const auto& [a, b] : edges.vertices) {
      const double before = (rest.positions.row(a) - rest.positions.row(b)).norm();
      const double after = (posed.positions.row(a) - posed.positions.row(b)).norm();
      if (before > 0) stretches.push_back(after / before);
    }
  }
  double stretch = 1;
  if (!stretches.empty()) {
    const auto place = stretches.begin() + static_cast<ptrdiff_t>(0.99 * static_cast<double>(stretches.size() - 1));
    std::nth_element(stretches.begin(), place, stretches.end());
    stretch = *place;
  }
  return {{"volume", change <= kVolume, change, kVolume,
           fmt::format("volume changes by {:.1f}% in the mean of {} everyday poses", 100 * change, everyday.size())},
          {"stretch", stretch <= kStretch, stretch, kStretch,
           fmt::format("99 of 100 edges stretch by less than {:.2f} times in these", stretch)}};
}

}  // namespace sinew::autorig
