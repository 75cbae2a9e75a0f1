#include "sinew/offline/lod/hierarchy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/lod/fit_weights.h"
#include "sinew/offline/lod/level_character.h"
#include "sinew/offline/lod/regions.h"
#include "sinew/offline/lod/shading.h"
#include "sinew/offline/lod/simplify.h"

namespace sinew::lod {
namespace {

void CheckNumbers(const std::string& file, int finest, const HierarchyOptions& options) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError(file, "", fmt::format("has {} points: {}", finest, problem),
                     "ask for fewer points or fewer levels");
  };
  int above = finest;
  for (const int points : options.points) {
    if (points < 4) refuse(fmt::format("a level of {} points is no surface", points));
    if (points >= above) refuse(fmt::format("a level of {} is not coarser than the one of {} above it", points, above));
    above = points;
  }
  if (options.regions < 4 || options.regions > above) {
    refuse(
        fmt::format("{} regions must be 4 or more, and no more than the {} points of level 1", options.regions, above));
  }
}

// Importance per triangle, larger where the weights change fast: 1 + density times the change over a tenth of the
// surface's size, squared since a quadric is a squared distance.
std::vector<double> Importance(const Surface& surface, const Eigen::MatrixXd& weights, double density) {
  if (density == 0) return {};
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& position : surface.positions) box.extend(position);
  const double size = box.diagonal().norm();
  constexpr double kMaxChange = 2;
  std::vector<double> importance;
  importance.reserve(surface.triangles.size());
  for (const Eigen::Vector3i& t : surface.triangles) {
    const Eigen::Vector3d e1 = surface.positions[t[1]] - surface.positions[t[0]];
    const Eigen::Vector3d e2 = surface.positions[t[2]] - surface.positions[t[0]];
    const double doubled = e1.cross(e2).norm();
    // |grad w|^2 of a linear function with differences d1 and d2 along the edges, summed over joints.
    const Eigen::RowVectorXd d1 = weights.row(t[1]) - weights.row(t[0]), d2 = weights.row(t[2]) - weights.row(t[0]);
    const double squared =
        d1.squaredNorm() * e2.squaredNorm() - 2 * d1.dot(d2) * e1.dot(e2) + d2.squaredNorm() * e1.squaredNorm();
    const double gradient = doubled > 0 ? std::sqrt(std::max(0.0, squared)) / doubled : 0;
    const double more = 1 + density * std::min(0.1 * size * gradient, kMaxChange);
    importance.push_back(more * more);
  }
  return importance;
}

double MeanEdge(const Surface& surface) {
  double sum = 0;
  for (const Eigen::Vector3i& t : surface.triangles) {
    for (int k = 0; k < 3; ++k) sum += (surface.positions[t[k]] - surface.positions[t[(k + 1) % 3]]).norm();
  }
  return sum / (3 * static_cast<double>(surface.triangles.size()));
}

int MostInfluences(const Character& character) {
  int most = 1;
  for (const Part& part : character.parts) most = std::max(most, part.weights.influences);
  return most;
}

// Returns whether every fine point is the coarse point of the same number.
bool IsIdentity(const Upsampling& U) {
  if (U.fine_count() != U.coarse_count) return false;
  for (int i = 0; i < U.fine_count(); ++i) {
    for (int k = 0; k < 3; ++k) {
      if (U.weights[i][k] != (U.corners[i][k] == i ? 1.0f : 0.0f)) return false;
    }
  }
  return true;
}

void CheckSkin(const Character& character, const std::string& file) {
  const bool skinned = std::any_of(character.parts.begin(), character.parts.end(),
                                   [](const Part& part) { return !part.weights.empty(); });
  if (!skinned) {
    throw InputError(file, "", "has no skin: no vertex is bound to a joint", "give a character with skinning weights");
  }
}

}  // namespace

Points OnVertices(const Level& level, const Points& points) {
  Points vertices(level.vertex_count(), 3);
  for (int v = 0; v < level.vertex_count(); ++v) vertices.row(v) = points.row(level.point_of_vertex[v]);
  return vertices;
}

Eigen::SparseMatrix<double, Eigen::RowMajor> BasisFunctions(const Hierarchy& hierarchy, int i) {
  Eigen::SparseMatrix<double, Eigen::RowMajor> psi = ToMatrix(hierarchy.U[0]);
  for (int k = 1; k < i; ++k) psi = Eigen::SparseMatrix<double, Eigen::RowMajor>(ToMatrix(hierarchy.U[k]) * psi);
  return psi;
}

std::vector<int> PointsByRatio(int finest_points, int levels, double ratio) {
  std::vector<int> points;
  double count = finest_points;
  for (int i = 1; i < levels; ++i) {
    count *= ratio;
    points.push_back(static_cast<int>(std::lround(count)));
  }
  return points;
}

int CountPoints(const Character& character, const std::string& file) {
  return BuildSurface(character, file).point_count();
}

Hierarchy BuildHierarchy(const Character& character, const std::string& file, const HierarchyOptions& options,
                         HierarchyNotes* notes) {
  // Prepare the finest level: its surface, and the fields that every level gets.
  CheckSkin(character, file);
  const Surface finest = BuildSurface(character, file);
  CheckNumbers(file, finest.point_count(), options);
  const std::vector<MorphField> morphs = ListMorphFields(character);
  LevelFields fields = FinestFields(character, finest, morphs);
  const double crease_angle = CreaseAngle(character, finest);

  HierarchyNotes own;
  HierarchyNotes& note = notes != nullptr ? *notes : own;
  note = {};
  note.levels = {{finest.point_count(), finest.point_count(), 0}};
  Hierarchy hierarchy;
  hierarchy.levels.push_back({character, finest.point_count(), finest.point_of_vertex});
  Simplifier simplifier(finest, {Importance(finest, fields.weights, options.joint_density)});
  // Make the coarser levels one by one, finest first; the order is reversed at the end.
  Surface coarsest = finest;
  std::optional<WeightFitter> fitter;
  if (!options.fit_poses.empty()) fitter.emplace(character, finest, options.fit_poses);
  Eigen::SparseMatrix<double, Eigen::RowMajor> to_finest;
  for (const int points : options.points) {
    // Simplify the surface.
    LevelNotes level_note{points, 0, 0};
    simplifier.SimplifyTo(points);
    if (options.drop_small_islands) {
      // Estimated from the last level: edges grow as the number of points falls, and their length is known only
      // afterwards.
      const double edge = MeanEdge(coarsest) * std::sqrt(static_cast<double>(coarsest.point_count()) / points);
      level_note.dropped_islands = simplifier.DropIslands(edge);
      simplifier.SimplifyTo(points);
    }
    SimplifiedLevel level = simplifier.Snapshot();
    level_note.reached = level.surface.point_count();
    // A surface that allows nothing to be taken away stays as it is.
    if (IsIdentity(level.upsampling)) {
      hierarchy.U.push_back(std::move(level.upsampling));
      hierarchy.levels.push_back(Level(hierarchy.levels.back()));
      note.levels.push_back(level_note);
      coarsest = std::move(level.surface);
      continue;
    }
    // Coarsen the fields, and fit the weights to the posed shape.
    const Coarsening C(level.upsampling);
    fields.weights = C.ApplyToShares(fields.weights);
    fields.morphs = C.Apply(fields.morphs);
    LevelFields shown = fields;
    if (fitter) {
      const Eigen::SparseMatrix<double, Eigen::RowMajor> U = ToMatrix(level.upsampling);
      to_finest = to_finest.size() == 0 ? U : Eigen::SparseMatrix<double, Eigen::RowMajor>(to_finest * U);
      shown.weights =
          fitter->Fit(level.surface.positions, level.finest, to_finest, fields.weights, MostInfluences(character));
    }
    // Make the level's character.
    LevelCharacter made = MakeLevelCharacter(character, level.surface, shown, morphs, crease_angle);
    hierarchy.U.push_back(std::move(level.upsampling));
    hierarchy.levels.push_back(
        {std::move(made.character), level.surface.point_count(), std::move(made.point_of_vertex)});
    note.levels.push_back(level_note);
    coarsest = std::move(level.surface);
  }
  // Make level 0 from the coarsest surface.
  Regions regions = MakeRegions(coarsest, options.regions);
  note.joined_islands = regions.joined_islands;
  note.regions = {options.regions, regions.U0.coarse_count, 0};
  hierarchy.U.push_back(std::move(regions.U0));
  std::reverse(hierarchy.levels.begin(), hierarchy.levels.end());
  std::reverse(hierarchy.U.begin(), hierarchy.U.end());
  std::reverse(note.levels.begin(), note.levels.end());
  return hierarchy;
}

}  // namespace sinew::lod
