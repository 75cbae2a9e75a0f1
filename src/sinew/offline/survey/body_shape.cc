#include "sinew/offline/survey/body_shape.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::survey {
namespace {

double Square(double x) { return x * x; }

// A joint that is measured, in bind space.
struct Bone {
  std::string name;
  Eigen::Vector3d joint = Eigen::Vector3d::Zero(), direction = Eigen::Vector3d::Zero();
  double length = 0;
};

// Returns for every joint the joint that its flesh counts for: itself if it is known, else the nearest known one above
// it, else itself.
std::vector<int> MeasuredJoints(const RestBody& body) {
  const auto is_known = [&](int j) {
    const JointKind kind = body.identities[j].kind;
    return kind != JointKind::kUnknown && kind != JointKind::kTwist && kind != JointKind::kTip;
  };
  std::vector<int> measured(body.joint_count());
  for (const int j : body.order) {
    const int parent = body.parents[j];
    const bool follows = !is_known(j) && parent >= 0 && is_known(measured[parent]);
    measured[j] = follows ? measured[parent] : j;
  }
  return measured;
}

std::vector<Bone> BonesOf(const Skeleton& skeleton, const RestBody& body, const RestPlacement& placement) {
  std::vector<Bone> bones(body.joint_count());
  for (int j = 0; j < body.joint_count(); ++j) {
    const std::string canonical = CanonicalName(body.identities[j]);
    bones[j].name = canonical.empty() ? skeleton.joints[j].name : canonical;
    bones[j].joint = placement.bind_from_joint[j].translation();
    if (body.next[j] < 0) continue;
    const Eigen::Vector3d along = placement.bind_from_joint[body.next[j]].translation() - bones[j].joint;
    bones[j].length = along.norm();
    if (bones[j].length > 0) bones[j].direction = along / bones[j].length;
  }
  return bones;
}

// Adds a piece of surface to the two stations that it lies between, by how near it is to each: so the measure changes
// evenly where a mesh has other points.
void AddPiece(const Bone& bone, const Eigen::Vector3d& point, double area, BoneShape& shape) {
  const Eigen::Vector3d offset = point - bone.joint;
  const auto add = [&](int station, double share, double width) {
    shape.widths[station] += share * area * width;
    shape.areas[station] += share * area;
  };
  if (bone.length <= 0) return add(0, 1, offset.norm());
  const double along = offset.dot(bone.direction);
  const double width = (offset - along * bone.direction).norm();
  const double place = std::clamp(along / bone.length, 0.0, 1.0) * (kStations - 1);
  const int station = std::min(static_cast<int>(place), kStations - 2);
  add(station, station + 1 - place, width);
  add(station + 1, place - station, width);
}

// Turns sums in units into means in metres.
void Finish(double metres, BoneShape& shape) {
  shape.length *= metres;
  for (int k = 0; k < kStations; ++k) {
    if (shape.areas[k] > 0) shape.widths[k] *= metres / shape.areas[k];
    shape.areas[k] *= metres * metres;
  }
}

double AreaOf(const BoneShape& bone) {
  double sum = 0;
  for (const double area : bone.areas) sum += area;
  return sum;
}

double AreaOf(const BodyShape& body) {
  double sum = 0;
  for (const auto& [name, bone] : body.bones) sum += AreaOf(bone);
  return sum;
}

}  // namespace

BodyShape MeasureBody(const Character& character, double metres_per_unit) {
  const RestSurface surface = CollectRestSurface(character);
  const RestBody body = MeasureRest(character.skeleton);
  const std::vector<Bone> bones = BonesOf(character.skeleton, body, surface.placement);
  const std::vector<int> measured = MeasuredJoints(body);
  const Eigen::Affine3d& model_from_bind = surface.placement.model_from_bind;
  const double metres = metres_per_unit * std::cbrt(std::abs(model_from_bind.linear().determinant()));
  BodyShape shape;
  for (int j = 0; j < body.joint_count(); ++j) {
    if (measured[j] == j) shape.bones[bones[j].name].length = bones[j].length;
  }
  // Sum up the surface, a third of every triangle per corner.
  const std::vector<double> areas = VertexAreas(surface.mesh);
  double lowest = 0, highest = 0;
  for (size_t v = 0; v < areas.size(); ++v) {
    const Eigen::Vector3d point = surface.mesh.positions.row(static_cast<Eigen::Index>(v)).cast<double>().transpose();
    const double height = body.up.dot(model_from_bind * point);
    lowest = v == 0 ? height : std::min(lowest, height);
    highest = v == 0 ? height : std::max(highest, height);
    const Influences& influences = surface.influences[v];
    for (int i = 0; i < influences.count; ++i) {
      const Bone& bone = bones[measured[influences.joints[i]]];
      AddPiece(bone, point, areas[v] * influences.weights[i], shape.bones[bone.name]);
    }
  }
  shape.stature = metres_per_unit * (highest - lowest);
  for (auto& [name, bone] : shape.bones) Finish(metres, bone);
  return shape;
}

double BodyDistance::Total() const { return std::sqrt(Square(joints) + Square(surface)); }

std::optional<BodyDistance> Distance(const BodyShape& a, const BodyShape& b) {
  double lengths = 0, length_squares = 0, areas = 0, width_squares = 0, common_a = 0, common_b = 0;
  for (const auto& [name, bone] : a.bones) {
    const auto found = b.bones.find(name);
    if (found == b.bones.end()) continue;
    const BoneShape& other = found->second;
    common_a += AreaOf(bone), common_b += AreaOf(other);
    if (bone.length > 0 && other.length > 0) {
      const double weight = 0.5 * (bone.length + other.length);
      lengths += weight;
      length_squares += weight * Square(bone.length - other.length);
    }
    for (int k = 0; k < kStations; ++k) {
      if (bone.areas[k] <= 0 || other.areas[k] <= 0 || (bone.length > 0) != (other.length > 0)) continue;
      const double weight = 0.5 * (bone.areas[k] + other.areas[k]);
      areas += weight;
      width_squares += weight * Square(bone.widths[k] - other.widths[k]);
    }
  }
  if (areas <= 0 || 2 * common_a < AreaOf(a) || 2 * common_b < AreaOf(b)) return std::nullopt;
  return BodyDistance{lengths > 0 ? std::sqrt(length_squares / lengths) : 0, std::sqrt(width_squares / areas)};
}

}  // namespace sinew::survey
