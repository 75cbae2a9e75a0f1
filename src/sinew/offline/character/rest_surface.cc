#include "sinew/offline/character/rest_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/character/bind_pose.h"
#include "sinew/offline/character/reach.h"
#include "sinew/offline/mesh/reach.h"

namespace sinew {
namespace {

using Eigen::Affine3d;

bool HasSkin(const Character& character, const Part& part) {
  return part.skin >= 0 && part.skin < static_cast<int>(character.skins.size());
}

// Returns the skin with the most vertices in skinned parts; -1 if there is none.
int FindMainSkin(const Character& character) {
  std::vector<int> vertices(character.skins.size(), 0);
  for (const Part& part : character.parts) {
    if (IsSkinned(character, part)) vertices[part.skin] += part.mesh.vertex_count();
  }
  const auto most = std::max_element(vertices.begin(), vertices.end());
  return most == vertices.end() || *most == 0 ? -1 : static_cast<int>(most - vertices.begin());
}

// Whether two skins have at least one joint in common and equal inverse bind matrices for all common joints.
bool AreBoundAlike(const Skin& a, const Skin& b) {
  bool common = false;
  for (size_t j = 0; j < a.has_joint.size(); ++j) {
    if (!a.has_joint[j] || !b.has_joint[j]) continue;
    common = true;
    if (a.inverse_bind[j].matrix() != b.inverse_bind[j].matrix()) return false;
  }
  return common;
}

// Returns the joint with the largest sum of weights in the parts of a skin; the skin's first joint if there are no
// weights; -1 if it has no joints.
int StrongestJoint(const Character& character, int skin) {
  const std::vector<bool>& has_joint = character.skins[skin].has_joint;
  std::vector<double> carried(has_joint.size(), 0);
  for (const Part& part : character.parts) {
    if (part.skin != skin) continue;
    for (size_t slot = 0; slot < part.weights.weights.size(); ++slot) {
      if (has_joint[part.weights.joints[slot]]) carried[part.weights.joints[slot]] += part.weights.weights[slot];
    }
  }
  const auto most = std::max_element(carried.begin(), carried.end());
  if (most != carried.end() && *most > 0) return static_cast<int>(most - carried.begin());
  const auto first = std::find(has_joint.begin(), has_joint.end(), true);
  return first == has_joint.end() ? -1 : static_cast<int>(first - has_joint.begin());
}

// Sets bind_from_joint from the main skin.
void PlaceJoints(const Character& character, RestPlacement& placement) {
  const Skin& skin = character.skins[placement.main_skin];
  const Skeleton bind = BindSkeleton(character, placement.main_skin);
  for (const Eigen::Affine3f& of_parents : LocalToModel(bind, bind.RestPose())) {
    const size_t j = placement.bind_from_joint.size();
    const Affine3d bound =
        skin.has_joint[j] ? skin.inverse_bind[j].cast<double>().inverse() : of_parents.cast<double>();
    placement.bind_from_joint.push_back(bound.matrix().allFinite() ? bound : of_parents.cast<double>());
  }
}

// Sets bind_from_mesh and space_of_skin.
void PlaceSkins(const Character& character, RestPlacement& placement) {
  const auto skins = static_cast<int>(character.skins.size());
  placement.bind_from_mesh.assign(skins, Affine3d::Identity());
  for (int s = 0; s < skins; ++s) {
    const Skin& skin = character.skins[s];
    placement.space_of_skin.push_back(s);
    for (int earlier = 0; earlier < s && placement.space_of_skin[s] == s && !skin.attached; ++earlier) {
      const Skin& other = character.skins[earlier];
      if (!other.attached && AreBoundAlike(skin, other)) placement.space_of_skin[s] = placement.space_of_skin[earlier];
    }
    const bool as_main =
        s == placement.main_skin || (!skin.attached && AreBoundAlike(skin, character.skins[placement.main_skin]));
    const int joint = as_main ? -1 : StrongestJoint(character, s);
    if (joint < 0) continue;
    const Affine3d map = placement.bind_from_joint[joint] * skin.inverse_bind[joint].cast<double>();
    if (map.matrix().allFinite()) placement.bind_from_mesh[s] = map;
  }
}

// Welds vertices at the same position and in the same space; points are numbered in order of their first vertex.
Welding WeldSpaces(const RestSurface& surface, const std::vector<int>& space_of_part) {
  const int vertices = surface.mesh.vertex_count();
  std::vector<int> first(vertices);  // first vertex at the same position and in the same space
  for (size_t p = 0; p < surface.parts.size(); ++p) {
    if (space_of_part[p] != static_cast<int>(p)) continue;
    std::vector<int> members;
    for (size_t q = p; q < surface.parts.size(); ++q) {
      if (space_of_part[q] != static_cast<int>(p)) continue;
      for (int v = surface.first_vertex[q]; v < surface.first_vertex[q + 1]; ++v) members.push_back(v);
    }
    Points positions(members.size(), 3);
    for (size_t m = 0; m < members.size(); ++m) {
      positions.row(static_cast<Eigen::Index>(m)) = surface.mesh.positions.row(members[m]);
    }
    const Welding own = WeldEqual(positions);
    for (size_t m = 0; m < members.size(); ++m) first[members[m]] = members[own.first_of[own.welded_of[m]]];
  }
  // Number the points.
  Welding welding;
  welding.welded_of.resize(vertices);
  for (int v = 0; v < vertices; ++v) {
    if (first[v] == v) {
      welding.welded_of[v] = welding.welded_count();
      welding.first_of.push_back(v);
    } else {
      welding.welded_of[v] = welding.welded_of[first[v]];
    }
  }
  return welding;
}

// Returns per collected part the first collected part in the same space. Both are indices into surface.parts.
std::vector<int> FindSpaces(const Character& character, const RestSurface& surface) {
  std::vector<int> space(surface.parts.size());
  for (size_t p = 0; p < space.size(); ++p) {
    space[p] = static_cast<int>(p);
    const Part& part = character.parts[surface.parts[p]];
    for (size_t q = 0; q < p && space[p] == static_cast<int>(p); ++q) {
      const Part& other = character.parts[surface.parts[q]];
      if (HasSkin(character, part) != HasSkin(character, other)) continue;
      const std::vector<int>& of_skin = surface.placement.space_of_skin;
      const bool same = HasSkin(character, part) ? of_skin[part.skin] == of_skin[other.skin]
                                                 : part.model_from_mesh.matrix() == other.model_from_mesh.matrix();
      if (same) space[p] = space[q];
    }
  }
  return space;
}

void AddPart(const Part& part, int p, RestSurface& surface) {
  const int first = surface.first_vertex.back(), triangle = surface.first_triangle.back();
  const int count = part.mesh.vertex_count();
  const Affine3d to_bind = surface.placement.BindFromMesh(part);
  if (to_bind.matrix() == Eigen::Matrix4d::Identity()) {
    surface.mesh.positions.middleRows(first, count) = part.mesh.positions;
  } else {
    for (int v = 0; v < count; ++v) {
      const Eigen::Vector3d x = part.mesh.positions.row(v).cast<double>().transpose();
      surface.mesh.positions.row(first + v) = (to_bind * x).cast<float>().transpose();
    }
  }
  surface.mesh.triangles.middleRows(triangle, part.mesh.triangle_count()) =
      (part.mesh.triangles.array() + first).matrix();
  for (int v = 0; v < count; ++v) {
    surface.part_of.push_back(p);
    surface.influences.push_back(part.skin < 0 ? Influences() : InfluencesOf(part.weights, v));
    if (!IsInReach(surface.mesh.positions.row(first + v))) surface.bad_vertices.push_back(first + v);
  }
  surface.first_vertex.push_back(first + count);
  surface.first_triangle.push_back(triangle + part.mesh.triangle_count());
}

}  // namespace

bool IsSkinned(const Character& character, const Part& part) {
  return HasSkin(character, part) && !part.weights.empty() && !character.skins[part.skin].attached;
}

Affine3d RestPlacement::BindFromMesh(const Part& part) const {
  if (part.skin >= 0 && part.skin < static_cast<int>(bind_from_mesh.size())) return bind_from_mesh[part.skin];
  const Affine3d placed = part.model_from_mesh.cast<double>();
  return main_skin < 0 ? placed : Affine3d(model_from_bind.inverse() * placed);
}

RestPlacement PlaceAtRest(const Character& character) {
  RestPlacement placement;
  placement.main_skin = FindMainSkin(character);
  if (placement.main_skin < 0) {
    // No skinned parts: rigid parts stand where the file's rest pose places them.
    for (const Eigen::Affine3f& model : LocalToModel(character.skeleton, character.skeleton.RestPose())) {
      placement.bind_from_joint.push_back(model.cast<double>());
    }
    for (size_t s = 0; s < character.skins.size(); ++s) {
      const int joint = StrongestJoint(character, static_cast<int>(s));
      const Affine3d map =
          joint < 0
              ? Affine3d::Identity()
              : Affine3d(placement.bind_from_joint[joint] * character.skins[s].inverse_bind[joint].cast<double>());
      placement.bind_from_mesh.push_back(map);
      placement.space_of_skin.push_back(static_cast<int>(s));
    }
    return placement;
  }
  placement.model_from_bind = CompareRestWithBind(character, placement.main_skin, 1).model_from_mesh.cast<double>();
  PlaceJoints(character, placement);
  PlaceSkins(character, placement);
  return placement;
}

Pose MainBindPose(const Character& character) {
  const int skin = FindMainSkin(character);
  return skin < 0 ? character.skeleton.RestPose() : BindPose(character, skin);
}

std::array<int, 2> RestSurface::PartTriangle(int triangle) const {
  const auto next = std::upper_bound(first_triangle.begin(), first_triangle.end(), triangle);
  const auto at = static_cast<int>(next - first_triangle.begin()) - 1;
  return {parts[at], triangle - first_triangle[at]};
}

RestSurface CollectRestSurface(const Character& character, const std::function<bool(int)>& wanted) {
  RestSurface surface;
  surface.placement = PlaceAtRest(character);
  int vertices = 0, triangles = 0;
  for (size_t p = 0; p < character.parts.size(); ++p) {
    if (wanted && !wanted(static_cast<int>(p))) continue;
    surface.parts.push_back(static_cast<int>(p));
    vertices += character.parts[p].mesh.vertex_count();
    triangles += character.parts[p].mesh.triangle_count();
  }
  surface.mesh.positions.resize(vertices, 3);
  surface.mesh.triangles.resize(triangles, 3);
  surface.first_vertex = surface.first_triangle = {0};
  for (const int p : surface.parts) AddPart(character.parts[p], p, surface);
  surface.welding = WeldSpaces(surface, FindSpaces(character, surface));
  surface.welded = Weld(surface.mesh, surface.welding);
  return surface;
}

void RefuseBadPositions(const Character& character, const RestSurface& surface, const std::string& file) {
  const auto vertex = [&](int v) {
    const int p = surface.part_of[v];
    const auto at = std::find(surface.parts.begin(), surface.parts.end(), p) - surface.parts.begin();
    return fmt::format("vertex {} of {}", v - surface.first_vertex[at], character.parts[p].name);
  };
  for (const int bad : surface.bad_vertices) {
    RefuseUnlessInReach(surface.mesh.positions.row(bad), file, vertex(bad));
  }
  const Affine3d& model_from_bind = surface.placement.model_from_bind;
  for (int v = 0; v < surface.mesh.vertex_count(); ++v) {
    const Eigen::Vector3d x = surface.mesh.positions.row(v).cast<double>().transpose();
    const Eigen::Vector3f at_rest = (model_from_bind * x).cast<float>();
    if (!IsInReach(at_rest)) RefuseUnlessInReach(at_rest, file, vertex(v) + " at rest");
  }
  const std::vector<Eigen::Affine3f> at_rest = LocalToModel(character.skeleton, character.skeleton.RestPose());
  for (size_t j = 0; j < at_rest.size(); ++j) {
    const std::string place = fmt::format("joint '{}'", character.skeleton.joints[j].name);
    const Eigen::Vector3d bound = surface.placement.bind_from_joint[j].translation();
    RefuseUnlessInReach(at_rest[j].translation(), file, place);
    RefuseUnlessInReach(bound.cast<float>(), file, place);
    RefuseUnlessInReach((model_from_bind * bound).cast<float>(), file, place);
  }
}

}  // namespace sinew
