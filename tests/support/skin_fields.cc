#include "tests/support/skin_fields.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew::testing {
namespace {

skincells::Site RandomSite(Random& random) {
  skincells::Site site;
  site.p = RandomPoint(random, 0.5);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < row; ++column) site.F(row, column) = random.Uniform(-0.3, 0.3);
    site.F(row, row) = std::exp(random.Uniform(-0.5, 0.5));
  }
  site.t = std::exp(random.Uniform(-4, -1));
  return site;
}

}  // namespace

Eigen::Vector3d RandomPoint(Random& random, double most) {
  const double x = random.Uniform(-most, most), y = random.Uniform(-most, most);
  return {x, y, random.Uniform(-most, most)};
}

skincells::SkinField RandomField(uint64_t seed, int joints, int sites, int l, double c) {
  Random random(seed);
  skincells::SkinField field;
  field.l = l;
  field.origin = RandomPoint(random);
  field.size = random.Uniform(0.5, 2);
  for (int j = 0; j < joints; ++j) {
    Joint joint;
    joint.name = fmt::format("joint_{}", j);
    joint.parent = j - 1;
    joint.rest.translation = {0, 0.1f, 0};
    field.skeleton.joints.push_back(joint);
    Eigen::Affine3f bind = Eigen::Affine3f::Identity();
    bind.translation().y() = -0.1f * static_cast<float>(j + 1);
    field.inverse_bind.push_back(bind);
    skincells::SkinCell cell;
    cell.joint = j;
    cell.r = random.Uniform(1, 5);
    cell.c = c * random.Uniform(0.5, 1.5);
    for (int k = 0; k < sites; ++k) cell.sites.push_back(RandomSite(random));
    field.cells.push_back(cell);
  }
  return field;
}

}  // namespace sinew::testing
