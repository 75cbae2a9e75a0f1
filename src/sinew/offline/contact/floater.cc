#include "sinew/offline/contact/floater.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "sinew/offline/mesh/fill_surface.h"

namespace sinew::contact {
namespace {

using Eigen::Vector3d;
using elasticity::HandleKind;
using elasticity::HeldNodes;

constexpr double kRing = 0.36, kTube = 0.14;  // radii, in metre
constexpr int kSections = 8, kPerSection = 3;
// Distance of the points from the tube's middle, as a share of its radius.
constexpr double kPointRadius = 0.7;
// Nodes of the foot at least, however few are so near the middle: about one or two alone the body could turn.
constexpr size_t kFewestAtFoot = 8;
// Largest loads as shares of Young's modulus: of the body force times the ring's radius, and of the pressure on a
// patch.
constexpr double kBodyLoad = 0.006, kPatchLoad = 0.04, kPatch = 0.15;

class Torus : public ImplicitSurface {
 public:
  double Evaluate(const Vector3d& x, Vector3d* gradient) const override {
    const double off = std::hypot(x[0], x[2]), aside = off - kRing, length = std::hypot(aside, x[1]);
    if (gradient != nullptr) {
      const Vector3d away = off > 0 ? Vector3d(x[0] / off, 0, x[2] / off) : Vector3d::UnitX();
      *gradient = length > 0 ? Vector3d((aside * away + x[1] * Vector3d::UnitY()) / length) : Vector3d::UnitY();
    }
    return length - kTube;
  }
  Eigen::AlignedBox3d Bounds() const override {
    const Vector3d half(kRing + kTube, kTube, kRing + kTube);
    return {-half, half};
  }
};

Vector3d SectionCentre(int section) {
  const double angle = 2 * std::numbers::pi * section / kSections;
  return {kRing * std::cos(angle), 0, kRing * std::sin(angle)};
}

Vector3d PointOf(int section, int point) {
  const Vector3d centre = SectionCentre(section);
  const double turn = 2 * std::numbers::pi * (point + 0.5 * (section % 2)) / kPerSection;
  return centre + kPointRadius * kTube * (std::cos(turn) * centre.normalized() + std::sin(turn) * Vector3d::UnitY());
}

}  // namespace

LoadedSolid MakeFloater(const SolidOptions& options) {
  SolidParts parts;
  parts.mesh = FillWithTets(Torus(), options.tets);
  parts.foot_handles = kPerSection;
  for (int i = 0; i < kSections * kPerSection; ++i) {
    parts.handles.push_back({HandleKind::kPoint, {NearestNode(parts.mesh, PointOf(i / kPerSection, i % kPerSection))}});
  }
  parts.graph = GraphOf(parts.mesh, parts.handles);
  std::vector<std::pair<double, int>> from_middle;
  for (int n = 0; n < parts.mesh.node_count(); ++n) {
    from_middle.emplace_back((parts.mesh.positions.row(n).transpose() - SectionCentre(0)).norm(), n);
  }
  std::sort(from_middle.begin(), from_middle.end());
  for (const auto& [distance, n] : from_middle) {
    if (distance < kPointRadius * kTube || parts.foot.size() < kFewestAtFoot) parts.foot.push_back(n);
  }
  std::sort(parts.foot.begin(), parts.foot.end());
  parts.loads = {.body = kBodyLoad * options.young / kRing,
                 .pressure = kPatchLoad * options.young,
                 .patch = kPatch,
                 .volume = SignedVolume(parts.mesh),
                 .area = SurfaceAreaOf(parts.mesh)};
  return {std::move(parts), options, "floater"};
}

}  // namespace sinew::contact
