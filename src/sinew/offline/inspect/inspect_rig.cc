#include "sinew/offline/inspect/inspect_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/offline/character/carriers.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew::inspect {
namespace {

bool Attached(const Character& character, const Part& part) {
  return part.skin >= 0 && character.skins[part.skin].attached;
}

bool IsWatertight(const Character& character, int skin, const std::vector<PartInspection>& parts,
                  const TriMesh& surface) {
  int of_skin = 0;
  bool all = true;
  for (size_t p = 0; p < parts.size(); ++p) {
    if (character.parts[p].skin != skin) continue;
    ++of_skin;
    all = all && parts[p].surface.watertight;
  }
  // Parts that are open by themselves may close each other.
  return of_skin > 0 && (all || (of_skin > 1 && InspectSurface(surface).watertight));
}

// Marks the skin's joints that are outside its surface in `outside`. Returns false if the surface is not watertight.
bool FindOutside(const Character& character, int skin, const std::vector<PartInspection>& parts,
                 std::vector<bool>& outside) {
  const RestSurface rest = CollectRestSurface(character, [&](int p) { return character.parts[p].skin == skin; });
  const TriMesh& surface = rest.mesh;
  if (!IsWatertight(character, skin, parts, surface)) return false;
  const Skeleton bind = BindSkeleton(character, skin);
  const auto mesh_from_joint = LocalToModel(bind, bind.RestPose());
  const WindingNumber winding(surface);
  for (int j = 0; j < bind.joint_count(); ++j) {
    if (!character.skins[skin].has_joint[j]) continue;
    const Eigen::Vector3d at = mesh_from_joint[j].translation().cast<double>();
    if (!winding.Inside((rest.placement.bind_from_mesh[skin] * at).cast<float>())) outside[j] = true;
  }
  return true;
}

std::string AxisName(const Eigen::Vector3d& direction) {
  int axis = 0;
  const double along = direction.normalized().cwiseAbs().maxCoeff(&axis);
  // 20 degrees, the tolerance within which rest_body.h snaps to an axis.
  if (along < std::cos(0.35)) return fmt::format("{:.2f} {:.2f} {:.2f}", direction.x(), direction.y(), direction.z());
  return fmt::format("{}{}", direction[axis] > 0 ? '+' : '-', "XYZ"[axis]);
}

// Returns the index of the first skin that is the file's own (not Skin::attached); -1 if there is none.
int FirstOwnSkin(const Character& character) {
  for (size_t s = 0; s < character.skins.size(); ++s) {
    if (!character.skins[s].attached) return static_cast<int>(s);
  }
  return -1;
}

}  // namespace

WeightInspection InspectWeights(const Character& character) {
  WeightInspection found;
  int64_t sum = 0;
  for (const Part& part : character.parts) {
    found.repairs.rescaled += part.weight_repairs.rescaled;
    found.repairs.unweighted += part.weight_repairs.unweighted;
    found.repairs.cut += part.weight_repairs.cut;
    if (part.weights.empty() || Attached(character, part)) continue;
    const int slots = part.weights.influences;
    found.histogram.resize(std::max<size_t>(found.histogram.size(), slots + 1));
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      const float* weights = part.weights.weights.data() + static_cast<size_t>(v) * slots;
      const auto used = std::count_if(weights, weights + slots, [](float w) { return w > 0; });
      ++found.histogram[used];
      sum += used;
    }
    found.vertices += part.mesh.vertex_count();
  }
  if (found.vertices > 0) found.mean_influences = static_cast<double>(sum) / found.vertices;
  return found;
}

SkeletonInspection InspectSkeleton(const Character& character, const RestBody& body,
                                   const std::vector<PartInspection>& parts) {
  SkeletonInspection found;
  found.quadruped = body.quadruped;
  std::vector<bool> outside(character.skeleton.joints.size(), false);
  for (size_t s = 0; s < character.skins.size(); ++s) {
    if (character.skins[s].attached) continue;
    if (FindOutside(character, static_cast<int>(s), parts, outside)) found.inside_tested = true;
  }
  const std::vector<bool> carries = JointsThatMoveVertices(character);
  for (int j = 0; j < character.skeleton.joint_count(); ++j) {
    const Joint& joint = character.skeleton.joints[j];
    if (joint.parent < 0) ++found.roots;
    ++(joint.helper ? found.helpers : found.joints);
    if (!joint.helper && body.identities[j].known()) ++found.named;
    const Eigen::Vector3f scale = ToEigen(joint.rest.scale);
    if ((scale.array() - 1).abs().maxCoeff() > 1e-4f) found.scaled.push_back(joint.name);
    if (joint.helper) continue;
    if (!carries[j]) found.without_weight.push_back(joint.name);
    if (outside[j]) found.outside_skin.push_back(joint.name);
  }
  return found;
}

AxesInspection InspectAxes(const Character& character, const RestBody& body) {
  AxesInspection axes;
  axes.known = body.has_frame;
  if (!body.has_frame) return axes;
  axes.up = AxisName(body.up);
  axes.forward = AxisName(body.forward);
  axes.left = AxisName(body.left);
  axes.data_up = axes.up;
  if (const int skin = FirstOwnSkin(character); skin >= 0) {
    const RestBody bind = MeasureRest(BindSkeleton(character, skin));
    if (bind.has_frame) axes.data_up = AxisName(bind.up);
  }
  return axes;
}

std::vector<BindInspection> InspectBind(const Character& character, double size) {
  std::vector<BindInspection> found;
  for (size_t s = 0; s < character.skins.size(); ++s) {
    if (character.skins[s].attached) continue;
    BindInspection bind{.skin = character.skins[s].name,
                        .comparison = CompareRestWithBind(character, static_cast<int>(s), size),
                        .furthest_joint = ""};
    if (bind.skin.empty()) bind.skin = fmt::format("skin {}", character.skins[s].source_skin);
    const int furthest = bind.comparison.furthest_joint;
    if (furthest >= 0) bind.furthest_joint = character.skeleton.joints[furthest].name;
    found.push_back(std::move(bind));
  }
  return found;
}

std::vector<AnimationInspection> InspectAnimations(const Character& character) {
  std::vector<AnimationInspection> found;
  for (const Animation& animation : character.animations) {
    AnimationInspection one{.name = animation.name, .duration = animation.duration()};
    std::set<int> joints;
    for (const AnimationCurve& curve : animation.curves) {
      ++one.curves;
      one.keys += static_cast<int>(curve.times.size());
      joints.insert(curve.joint);
    }
    one.joints = static_cast<int>(joints.size());
    found.push_back(std::move(one));
  }
  return found;
}

std::string StrongestJoint(const Character& character, int part, int vertex) {
  const SkinWeights& weights = character.parts[part].weights;
  if (weights.empty()) return "";
  // Influences are sorted, strongest first.
  return character.skeleton.joints[weights.joints[static_cast<size_t>(vertex) * weights.influences]].name;
}

}  // namespace sinew::inspect
