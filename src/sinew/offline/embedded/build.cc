#include "sinew/offline/embedded/build.h"

#include <string_view>

namespace sinew::embedded {
namespace {

constexpr std::string_view kLeft = "left_";

Vector3d Mirrored(const Vector3d& p) { return {-p.x(), p.y(), p.z()}; }

void Scale(Primitive& primitive, double factor) {
  primitive.a *= factor;
  primitive.b *= factor;
  primitive.section_a = Scaled(primitive.section_a, factor);
  primitive.section_b = Scaled(primitive.section_b, factor);
  primitive.bulge = Scaled(primitive.bulge, factor);
  primitive.bend *= factor;
  primitive.cap_a *= factor;
  primitive.cap_b *= factor;
  primitive.blend *= factor;
  primitive.mirror_blend *= factor;
  for (Station& station : primitive.stations) {
    station.u *= factor;
    station.v *= factor;
    station.section = Scaled(station.section, factor);
  }
}

}  // namespace

Section Scaled(const Section& section, double factor) {
  return {section.plus_u * factor, section.minus_u * factor, section.plus_v * factor, section.minus_v * factor};
}

Primitive LoftThrough(const std::vector<Ring>& rings, const Vector3d& side, double blend) {
  const Vector3d a = rings.front().center, b = rings.back().center;
  const Vector3d w = (b - a).normalized();
  const Vector3d u = (side - w * w.dot(side)).normalized(), v = w.cross(u);
  std::vector<Station> stations;
  stations.reserve(rings.size());
  for (const Ring& ring : rings) {
    const Vector3d off = ring.center - a;
    stations.push_back({w.dot(off) / (b - a).norm(), u.dot(off), v.dot(off), ring.section});
  }
  stations.front().t = 0;
  stations.back().t = 1;
  Primitive loft = Loft(a, b, stations, blend);
  loft.side = side;
  return loft;
}

void Scale(Figure& figure, double factor) {
  for (FigureJoint& joint : figure.joints) {
    joint.position *= factor;
    joint.tip *= factor;
  }
  for (Group& group : figure.sculpture.groups) {
    group.blend *= factor;
    group.sibling_blend *= factor;
    for (Primitive& primitive : group.primitives) Scale(primitive, factor);
  }
  for (Primitive& cut : figure.sculpture.cuts) Scale(cut, factor);
}

Skeleton SkeletonOf(const std::vector<FigureJoint>& joints) {
  Skeleton skeleton;
  for (const FigureJoint& joint : joints) {
    const Vector3d origin = joint.parent < 0 ? Vector3d::Zero() : joints[joint.parent].position;
    Joint made{.name = joint.name, .parent = joint.parent, .rest = {}};
    made.rest.translation = ToFloat3((joint.position - origin).cast<float>());
    skeleton.joints.push_back(made);
  }
  return skeleton;
}

int SkeletonBuilder::Add(const std::string& name, int parent, const Vector3d& position, const Vector3d& tip) {
  joints_.push_back({.name = name, .parent = parent, .position = position, .tip = tip});
  return static_cast<int>(joints_.size()) - 1;
}

void SkeletonBuilder::AddMirrorImages() {
  const int count = static_cast<int>(joints_.size());
  std::vector<int> image(count);
  for (int j = 0; j < count; ++j) {
    const FigureJoint joint = joints_[j];
    image[j] = j;
    if (!joint.name.starts_with(kLeft)) continue;
    const std::string name = "right_" + joint.name.substr(kLeft.size());
    image[j] = Add(name, joint.parent < 0 ? -1 : image[joint.parent], Mirrored(joint.position), Mirrored(joint.tip));
  }
}

}  // namespace sinew::embedded
