#include "sinew/offline/flesh/rest_skin.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/flesh/hidden_flesh.h"
#include "sinew/offline/mesh/topology.h"

namespace sinew::flesh {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;

// Warnings about the pieces that are flesh.
std::vector<std::string> WarningsOf(const RestSkin& skin) {
  std::vector<std::string> warnings;
  if (!skin.roles.Has(Role::kFlesh)) {
    warnings.emplace_back("nothing of it is flesh: skinning is already exact, and there is nothing to simulate");
    return warnings;
  }
  const Topology topology = AnalyzeTopology(skin.welded.triangles, skin.welded.vertex_count());
  int pieces = 0, open = 0, inside_out = 0;
  for (size_t i = 0; i < topology.islands.size(); ++i) {
    if (skin.roles.pieces[i].role != Role::kFlesh) continue;
    ++pieces;
    open += !topology.islands[i].watertight();
    inside_out += skin.roles.pieces[i].faces_inwards;
  }
  if (skin.roles.patches) {
    warnings.push_back(fmt::format(
        "the skin falls into {} pieces, none of which encloses the body; all of them are taken for one", pieces));
  }
  if (open > 0) {
    warnings.push_back(
        fmt::format("{} of the skin's pieces are not closed; what is inside them is guessed across the holes", open));
  }
  if (inside_out > 0) {
    warnings.push_back(fmt::format("{} of the skin's pieces are inside out; they are turned over", inside_out));
  }
  return warnings;
}

}  // namespace

std::vector<Affine3d> RestSkin::Motions(const Skeleton& skeleton, const Pose& pose) const {
  const std::vector<Eigen::Affine3f> models = LocalToModel(skeleton, pose);
  std::vector<Affine3d> motions(models.size());
  for (size_t j = 0; j < models.size(); ++j) motions[j] = models[j].cast<double>() * joint_from_rest[j];
  return motions;
}

RestSkin CollectRestSkin(const Character& character, const std::vector<GivenRole>& given) {
  const bool moves = std::any_of(character.parts.begin(), character.parts.end(),
                                 [](const Part& part) { return part.skin >= 0 && !part.weights.empty(); });
  if (!moves) {
    throw InputError(character.name, "", "no part has skin weights, so nothing says how its flesh moves",
                     "give it weights first (sinew skin)");
  }
  RestSurface surface = CollectRestSurface(character);
  RefuseBadPositions(character, surface, character.name);
  const RestPlacement& placement = surface.placement;
  RestSkin rest;
  rest.roles = FindRoles(character, surface, given);
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
  for (Influences& influences : rest.influences) {
    if (influences.count > 0) Normalize(influences);
  }
  rest.part_of = std::move(surface.part_of);
  rest.welding = std::move(surface.welding);
  rest.welded = Weld(rest.mesh, rest.welding);
  return rest;
}

FleshSurface TakeFlesh(const Character& character, const RestSkin& skin) {
  if (skin.welded.triangle_count() == 0) {
    throw InputError(character.name, "", "its parts have no triangles", "export the mesh with its faces");
  }
  FleshSurface flesh;
  flesh.warnings = WarningsOf(skin);
  const std::vector<bool> hidden = FindHidden(skin.welded, skin.roles);
  // Triangles of the flesh, facing outwards, and the welded vertices that they use.
  std::vector<Eigen::Vector3i> triangles;
  flesh.flesh_of.assign(skin.welded.vertex_count(), -1);
  for (int t = 0; t < skin.welded.triangle_count(); ++t) {
    const int piece = skin.roles.piece_of_triangle[t];
    if (piece < 0 || skin.roles.pieces[piece].role != Role::kFlesh || hidden[t]) continue;
    Eigen::Vector3i corners = skin.welded.triangles.row(t).transpose();
    if (skin.roles.pieces[piece].faces_inwards) std::swap(corners[1], corners[2]);
    triangles.push_back(corners);
    for (const int v : corners) flesh.flesh_of[v] = 0;
  }
  for (int v = 0; v < skin.welded.vertex_count(); ++v) {
    if (flesh.flesh_of[v] < 0) continue;
    flesh.flesh_of[v] = static_cast<int>(flesh.welded_of.size());
    flesh.welded_of.push_back(v);
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
