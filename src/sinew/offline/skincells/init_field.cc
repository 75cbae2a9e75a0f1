#include "sinew/offline/skincells/init_field.h"

#include <cmath>

#include "sinew/offline/core/random.h"

namespace sinew::skincells {
namespace {

// Initial t, r and c: close to inverse distance with falloff 4. The paper starts all three near 1, which spreads every
// point over all joints, and needs far longer to get away from that.
constexpr double kRounding = 0.03, kFalloff = 4, kRelaxation = 0.05;
// Largest random offset of a site, in the unit box: sites that start at one place would stay together.
constexpr double kSpread = 3e-4;

double Near(double value, Random& random) { return value * std::exp(random.Uniform(-0.05, 0.05)); }

// A random point of the convex hull of a joint and the ends of its bones.
Eigen::Vector3d InHull(std::span<const Bone> bones, Random& random) {
  double sum = -std::log(1 - random.Uniform());
  Eigen::Vector3d point = sum * bones[0].a;
  for (const Bone& bone : bones) {
    const double share = -std::log(1 - random.Uniform());
    point += share * bone.b;
    sum += share;
  }
  return point / sum;
}

Site MakeSite(const Eigen::Vector3d& p, Random& random) {
  Site site;
  for (int i = 0; i < 3; ++i) site.p[i] = p[i] + random.Uniform(-kSpread, kSpread);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < row; ++column) site.F(row, column) = random.Uniform(-0.05, 0.05);
    site.F(row, row) = Near(1, random);
  }
  site.t = Near(kRounding, random);
  return site;
}

}  // namespace

SkinField InitialField(const Subject& subject, std::span<const Bone> bones, const InitOptions& options) {
  SkinField field;
  field.skeleton = subject.skeleton;
  field.inverse_bind = subject.inverse_bind;
  field.origin = subject.origin;
  field.size = subject.size;
  field.l = options.l;
  for (size_t first = 0, end = 0; first < bones.size(); first = end) {
    while (end < bones.size() && bones[end].joint == bones[first].joint) ++end;
    const std::span<const Bone> own = bones.subspan(first, end - first);
    Random random(options.seed, own[0].joint);
    SkinCell cell;
    cell.joint = own[0].joint;
    cell.r = Near(kFalloff, random);
    cell.c = Near(kRelaxation, random);
    for (int k = 0; k < options.sites; ++k) {
      const double along = (k + 0.5) / options.sites;
      const Eigen::Vector3d p = own.size() > 1 ? InHull(own, random) : (1 - along) * own[0].a + along * own[0].b;
      cell.sites.push_back(MakeSite(subject.ToBox(p), random));
    }
    field.cells.push_back(std::move(cell));
  }
  return field;
}

}  // namespace sinew::skincells
