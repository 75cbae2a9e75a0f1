#include "sinew/offline/flesh/rest_skin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/character/bind_pose.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/topology.h"

namespace sinew::flesh {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;

// Islands with less volume than this share of the largest are no flesh of their own.
constexpr double kSmallIsland = 0.02;

bool IsSkinned(const Character& character, const Part& part) {
  return part.skin >= 0 && !part.weights.empty() && part.skin < static_cast<int>(character.skins.size());
}

int MainSkin(const Character& character) {
  std::vector<int> vertices(character.skins.size(), 0);
  for (const Part& part : character.parts) {
    if (IsSkinned(character, part) && !character.skins[part.skin].attached) {
      vertices[part.skin] += part.mesh.vertex_count();
    }
  }
  const auto most = std::max_element(vertices.begin(), vertices.end());
  if (most == vertices.end() || *most == 0) {
    throw InputError(character.name, "", "no part has skin weights, so nothing says how its flesh moves",
                     "give it weights first (sinew skin)");
  }
  return static_cast<int>(most - vertices.begin());
}

Influences InfluencesOf(const SkinWeights& weights, int v) {
  Influences result;
  double sum = 0;
  for (int i = 0; i < std::min(weights.influences, kMaxInfluences); ++i) {
    const size_t slot = static_cast<size_t>(v) * weights.influences + i;
    if (!(weights.weights[slot] > 0)) continue;
    result.joints[result.count] = weights.joints[slot];
    sum += result.weights[result.count++] = weights.weights[slot];
  }
  for (int i = 0; i < result.count; ++i) result.weights[i] /= sum;
  return result;
}

void CheckFinite(const Character& character) {
  for (const Part& part : character.parts) {
    if (!part.mesh.positions.allFinite()) {
      throw InputError(character.name, part.name, "a position is not finite", "repair the mesh");
    }
  }
}

}  // namespace

std::vector<Affine3d> RestSkin::Motions(const Skeleton& skeleton, const Pose& pose) const {
  const std::vector<Eigen::Affine3f> models = LocalToModel(skeleton, pose);
  std::vector<Affine3d> motions(models.size());
  for (size_t j = 0; j < models.size(); ++j) motions[j] = models[j].cast<double>() * joint_from_rest[j];
  return motions;
}

RestSkin CollectRestSkin(const Character& character) {
  CheckFinite(character);
  const int main = MainSkin(character);
  const Skin& skin = character.skins[main];
  Box box;
  for (const Part& part : character.parts) box.extend(BoundingBox(part.mesh.positions));
  const Affine3d model_from_mesh =
      CompareRestWithBind(character, main, box.diagonal().norm()).model_from_mesh.cast<double>();
  const Skeleton bind = BindSkeleton(character, main);
  const std::vector<Eigen::Affine3f> bind_models = LocalToModel(bind, bind.RestPose());
  RestSkin rest;
  std::vector<Affine3d> mesh_from_joint;
  for (size_t j = 0; j < bind_models.size(); ++j) {
    const Affine3d bound =
        skin.has_joint[j] ? skin.inverse_bind[j].cast<double>().inverse() : bind_models[j].cast<double>();
    mesh_from_joint.push_back(bound.matrix().allFinite() ? bound : bind_models[j].cast<double>());
    rest.joint_from_rest.push_back(mesh_from_joint[j].inverse() * model_from_mesh.inverse());
    rest.joints.push_back(model_from_mesh * mesh_from_joint[j].translation());
  }
  int vertices = 0, triangles = 0;
  for (const Part& part : character.parts) {
    rest.first_vertex.push_back(vertices);
    vertices += part.mesh.vertex_count();
    triangles += part.mesh.triangle_count();
  }
  rest.first_vertex.push_back(vertices);
  rest.mesh.positions.resize(vertices, 3);
  rest.mesh.triangles.resize(triangles, 3);
  rest.influences.resize(vertices);
  rest.part_of.resize(vertices);
  int triangle = 0;
  for (size_t p = 0; p < character.parts.size(); ++p) {
    const Part& part = character.parts[p];
    const int first = rest.first_vertex[p];
    std::vector<Affine3d> joints;
    if (IsSkinned(character, part)) {
      for (size_t j = 0; j < bind_models.size(); ++j) {
        joints.push_back(model_from_mesh *
                         (part.skin == main
                              ? Affine3d::Identity()
                              : mesh_from_joint[j] * character.skins[part.skin].inverse_bind[j].cast<double>()));
      }
    }
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      const Vector3d x = part.mesh.positions.row(v).cast<double>().transpose();
      Vector3d moved = part.model_from_mesh.cast<double>() * x;
      if (!joints.empty()) {
        rest.influences[first + v] = InfluencesOf(part.weights, v);
        moved = part.skin == main ? Vector3d(model_from_mesh * x) : BlendLinear(rest.influences[first + v], joints, x);
      }
      rest.mesh.positions.row(first + v) = moved.cast<float>().transpose();
      rest.part_of[first + v] = static_cast<int>(p);
    }
    rest.mesh.triangles.middleRows(triangle, part.mesh.triangle_count()) = part.mesh.triangles.array() + first;
    triangle += part.mesh.triangle_count();
  }
  rest.welding = WeldEqual(rest.mesh.positions);
  rest.welded = Weld(rest.mesh, rest.welding);
  return rest;
}

FleshSurface FindFlesh(const Character& character, const RestSkin& skin) {
  const Topology topology = AnalyzeTopology(skin.welded.triangles, skin.welded.vertex_count());
  const int islands = static_cast<int>(topology.islands.size());
  std::vector<double> volume(islands, 0), area(islands, 0);
  std::vector<bool> can_move(islands, true);
  const Vector3d origin = skin.welded.positions.cast<double>().colwise().mean().transpose();
  for (int t = 0; t < skin.welded.triangle_count(); ++t) {
    const int island = topology.island_of[t];
    if (island < 0) continue;
    const auto corners = Corners(skin.welded, t);
    volume[island] += (corners[0] - origin).dot((corners[1] - origin).cross(corners[2] - origin)) / 6;
    area[island] += ShapeOf(corners).area;
    const int vertex = skin.welding.first_of[skin.welded.triangles(t, 0)];
    const Part& part = character.parts[skin.part_of[vertex]];
    if (skin.influences[vertex].count == 0 || (part.skin >= 0 && character.skins[part.skin].attached)) {
      can_move[island] = false;
    }
  }
  FleshSurface flesh;
  double largest = 0, whole = 0, kept = 0;
  for (int i = 0; i < islands; ++i) {
    if (can_move[i]) largest = std::max(largest, std::abs(volume[i]));
  }
  std::vector<bool> is_flesh(islands);
  for (int i = 0; i < islands; ++i) {
    is_flesh[i] = can_move[i] && std::abs(volume[i]) >= kSmallIsland * largest;
    if (can_move[i]) whole += area[i];
    if (is_flesh[i]) kept += area[i];
  }
  if (kept < 0.5 * whole) {
    is_flesh = can_move;
    flesh.warnings.push_back(fmt::format(
        "the skin falls into {} pieces, none of which encloses the body; all of them are taken for one", islands));
  }
  int open = 0, inside_out = 0;
  for (int i = 0; i < islands; ++i) {
    if (!is_flesh[i]) continue;
    open += !topology.islands[i].watertight();
    inside_out += volume[i] < 0;
  }
  if (open > 0) {
    flesh.warnings.push_back(
        fmt::format("{} of the skin's pieces are not closed; what is inside them is guessed across the holes", open));
  }
  if (inside_out > 0) {
    flesh.warnings.push_back(fmt::format("{} of the skin's pieces are inside out; they are turned over", inside_out));
  }
  std::vector<Eigen::Vector3i> triangles;
  flesh.flesh_of.assign(skin.welded.vertex_count(), -1);
  for (int t = 0; t < skin.welded.triangle_count(); ++t) {
    const int island = topology.island_of[t];
    if (island < 0 || !is_flesh[island]) continue;
    Eigen::Vector3i corners = skin.welded.triangles.row(t).transpose();
    if (volume[island] < 0) std::swap(corners[1], corners[2]);
    triangles.push_back(corners);
    for (const int v : corners) flesh.flesh_of[v] = 0;
  }
  for (int v = 0; v < skin.welded.vertex_count(); ++v) {
    if (flesh.flesh_of[v] < 0) continue;
    flesh.flesh_of[v] = static_cast<int>(flesh.welded_of.size());
    flesh.welded_of.push_back(v);
  }
  if (triangles.empty()) {
    throw InputError(character.name, "", "its skinned parts have no triangles", "export the mesh with its faces");
  }
  flesh.mesh.positions.resize(static_cast<Eigen::Index>(flesh.welded_of.size()), 3);
  for (size_t v = 0; v < flesh.welded_of.size(); ++v) {
    flesh.mesh.positions.row(static_cast<Eigen::Index>(v)) = skin.welded.positions.row(flesh.welded_of[v]);
  }
  flesh.mesh.triangles.resize(static_cast<Eigen::Index>(triangles.size()), 3);
  for (size_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      flesh.mesh.triangles(static_cast<Eigen::Index>(t), k) = flesh.flesh_of[triangles[t][k]];
    }
  }
  return flesh;
}

}  // namespace sinew::flesh
