// Positions of the skin once its flesh is solved: the part of FleshModel::State that smooths and checks them.
#include "sinew/offline/flesh/flesh_state.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::flesh {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;

// Factor on the spread of pressed skin that sets how far around it displacements are not smoothed.
constexpr double kHeldSpread = 4;

}  // namespace

std::vector<double> FleshModel::State::SkinAreas() const {
  if (!contact) return VertexAreas(flesh.mesh);
  std::vector<double> areas(flesh.mesh.vertex_count(), 0);
  for (size_t i = 0; i < contact->surface().skin_of.size(); ++i) {
    areas[contact->surface().skin_of[i]] = contact->surface().areas[i];
  }
  return areas;
}

std::vector<double> FleshModel::State::Smoothing(const std::vector<int>& pressed) const {
  Nodes held = Nodes::Zero(flesh.mesh.vertex_count(), 3);  // first column: 1 for pressed vertices
  if (contact) {
    std::vector<bool> is_pressed(contact->surface().skin_of.size(), false);
    for (const int point : pressed) is_pressed[point] = true;
    for (Eigen::Index v = 0; v < held.rows(); ++v) {
      const int point = contact->surface().point_of[v];
      held(v, 0) = point >= 0 && is_pressed[point];
    }
  }
  std::vector<double> rates(held.rows());
  const Nodes spread = Smoothed(held, std::vector<double>(held.rows(), 0.5));
  for (Eigen::Index v = 0; v < held.rows(); ++v) rates[v] = 0.5 * std::max(0.0, 1 - kHeldSpread * spread(v, 0));
  return rates;
}

Nodes FleshModel::State::Smoothed(Nodes values, const std::vector<double>& rates) const {
  for (int i = 0; i < smoothing_steps; ++i) {
    const Nodes old = values;
    for (Eigen::Index v = 0; v < values.rows(); ++v) {
      const auto around = neighbours[static_cast<int>(v)];
      if (around.empty() || rates[v] == 0) continue;
      Eigen::RowVector3d sum = Eigen::RowVector3d::Zero();
      for (const int other : around) sum += old.row(other);
      values.row(v) += rates[v] * (sum / static_cast<double>(around.size()) - old.row(v));
    }
  }
  return values;
}

Points FleshModel::State::FollowFlesh(const FleshPose& pose, const std::vector<int>& pressed, const Nodes& z) const {
  const Nodes rest = flesh.mesh.positions.cast<double>();
  std::vector<Rigid> frames;
  frames.reserve(influences.size());
  for (const Influences& of_vertex : influences) frames.push_back(Blend(of_vertex, pose.joints).ToRigid());
  Nodes moved = solver->PlaceSkin(pose, z);
  for (Eigen::Index v = 0; v < moved.rows(); ++v) {
    moved.row(v) = frames[v].Undo(moved.row(v).transpose()).transpose() - rest.row(v);
  }
  const Nodes inside = rest + Smoothed(moved, Smoothing(pressed));
  Points positions(inside.rows(), 3);
  for (Eigen::Index v = 0; v < inside.rows(); ++v) {
    positions.row(v) = (frames[v] * inside.row(v).transpose()).cast<float>().transpose();
  }
  return positions;
}

double FleshModel::State::InsideOut(const FleshPose& pose, const Points& positions, const Nodes& z) const {
  // Matrices from directions at rest to those of the posed flesh under each vertex.
  std::vector<Eigen::Matrix3d> turns(flesh.mesh.vertex_count());
  for (int v = 0; v < flesh.mesh.vertex_count(); ++v) turns[v] = solver->TurnAtSkin(pose, v, z);
  double area = 0, wrong = 0;
  const TriMesh posed{positions, flesh.mesh.triangles};
  for (int t = 0; t < posed.triangle_count(); ++t) {
    const std::array<Vector3d, 3> rest = Corners(flesh.mesh, t), at = Corners(posed, t);
    // The triangle's own normal, because those of its vertices differ much from it on an angular mesh.
    const Vector3d normal = (rest[1] - rest[0]).cross(rest[2] - rest[0]).normalized();
    Vector3d outwards = Vector3d::Zero();
    for (const int v : posed.triangles.row(t)) outwards += (turns[v] * normal).normalized();
    const double rest_area = ShapeOf(rest).area;
    area += rest_area;
    if ((at[1] - at[0]).cross(at[2] - at[0]).dot(outwards) < 0) wrong += rest_area;
  }
  return wrong / area;
}

Vector3d FleshModel::State::SkinnedVertex(int vertex, const std::vector<Affine3d>& motions) const {
  const Vector3d x = skin.mesh.positions.row(vertex).cast<double>().transpose();
  return skin.influences[vertex].count == 0 ? x : BlendLinear(skin.influences[vertex], motions, x);
}

Points FleshModel::State::SkinnedFlesh(const std::vector<Affine3d>& motions) const {
  Points positions(flesh.mesh.vertex_count(), 3);
  for (int v = 0; v < flesh.mesh.vertex_count(); ++v) {
    positions.row(v) = SkinnedVertex(skin.welding.first_of[flesh.welded_of[v]], motions).cast<float>().transpose();
  }
  return positions;
}

std::vector<Points> FleshModel::State::AllParts(const std::vector<Affine3d>& motions,
                                                const Points* flesh_positions) const {
  // Displacements of the points that follow flesh.
  Points displacements;
  if (flesh_positions && !followers.empty()) {
    Points skinned(skin.welded.vertex_count(), 3);
    for (int point = 0; point < skin.welded.vertex_count(); ++point) {
      skinned.row(point) = SkinnedVertex(skin.welding.first_of[point], motions).cast<float>().transpose();
    }
    displacements = followers.Displacements(skinned, *flesh_positions);
  }
  std::vector<Points> parts;
  for (size_t p = 0; p + 1 < skin.first_vertex.size(); ++p) {
    const int first = skin.first_vertex[p], end = skin.first_vertex[p + 1];
    Points& positions = parts.emplace_back(end - first, 3);
    for (int v = first; v < end; ++v) {
      const int point = skin.welding.welded_of[v], of_flesh = flesh.flesh_of[point];
      if (flesh_positions && of_flesh >= 0) {
        positions.row(v - first) = flesh_positions->row(of_flesh);
        continue;
      }
      positions.row(v - first) = SkinnedVertex(v, motions).cast<float>().transpose();
      if (displacements.rows() > 0) positions.row(v - first) += displacements.row(point);
    }
  }
  return parts;
}

}  // namespace sinew::flesh
