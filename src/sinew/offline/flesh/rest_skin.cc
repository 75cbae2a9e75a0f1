#include "sinew/offline/flesh/rest_skin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/topology.h"

namespace sinew::flesh {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;

// Share of the largest island's volume below which an island does not count as flesh.
constexpr double kSmallIsland = 0.02;

}  // namespace

std::vector<Affine3d> RestSkin::Motions(const Skeleton& skeleton, const Pose& pose) const {
  const std::vector<Eigen::Affine3f> models = LocalToModel(skeleton, pose);
  std::vector<Affine3d> motions(models.size());
  for (size_t j = 0; j < models.size(); ++j) motions[j] = models[j].cast<double>() * joint_from_rest[j];
  return motions;
}

RestSkin CollectRestSkin(const Character& character) {
  RestSurface surface = CollectRestSurface(character);
  RefuseBadPositions(character, surface, character.name);
  const RestPlacement& placement = surface.placement;
  if (placement.main_skin < 0) {
    throw InputError(character.name, "", "no part has skin weights, so nothing says how its flesh moves",
                     "give it weights first (sinew skin)");
  }
  RestSkin rest;
  for (const Affine3d& bind_from_joint : placement.bind_from_joint) {
    rest.joint_from_rest.push_back(bind_from_joint.inverse() * placement.model_from_bind.inverse());
    rest.joints.push_back(placement.model_from_bind * bind_from_joint.translation());
  }
  rest.mesh = std::move(surface.mesh);
  for (int v = 0; v < rest.mesh.vertex_count(); ++v) {
    const Vector3d x = rest.mesh.positions.row(v).cast<double>().transpose();
    rest.mesh.positions.row(v) = (placement.model_from_bind * x).cast<float>().transpose();
  }
  rest.first_vertex = std::move(surface.first_vertex);
  rest.influences = std::move(surface.influences);
  for (Influences& influences : rest.influences) Normalize(influences);
  rest.part_of = std::move(surface.part_of);
  rest.welding = std::move(surface.welding);
  rest.welded = Weld(rest.mesh, rest.welding);
  return rest;
}

FleshSurface FindFlesh(const Character& character, const RestSkin& skin) {
  // Volume and area of each island, and whether skin weights move it.
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
  // Islands that move and are large enough; if those are less than half of the moving area, all islands that move.
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
  // Warnings for open and inside-out islands.
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
  // Triangles of the flesh, facing outwards, and the welded vertices that they use.
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
  // Mesh of those triangles on vertices of its own.
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
