#include "sinew/offline/lod/hierarchy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/lod/fit_weights.h"
#include "sinew/offline/lod/leave_out_levels.h"
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

// Source of all levels: the finest level's surface, and the fields that every level gets.
struct Finest {
  const Character& character;
  const Surface surface;
  const std::vector<MorphField> morphs;
  const LevelFields fields;
  const double crease_angle;
  std::optional<WeightFitter> fitter;

  Finest(const Character& given, const std::string& file, const std::vector<Pose>& fit_poses)
      : character(given),
        surface(BuildSurface(given, file)),
        morphs(ListMorphFields(given)),
        fields(FinestFields(given, surface, morphs)),
        crease_angle(CreaseAngle(given, surface)) {
    if (!fit_poses.empty()) fitter.emplace(given, surface, fit_poses);
  }
};

// Returns the operator back from the level above. Throws LevelError if there is none. points: number asked for.
Coarsening CoarseningOf(const Upsampling& U, int points) {
  try {
    return Coarsening(U);
  } catch (const FailedError& error) {
    throw LevelError(points, error.what());
  }
}

// Throws LevelError if a level looks like the one above it. reached: number of its points.
void RefuseAlike(int points, int reached, int above) {
  constexpr double kAlike = 0.9;  // of the points of the level above
  if (reached <= points || reached <= kAlike * above) return;
  throw LevelError(
      points,
      fmt::format("islands, seams and topology allow no fewer than {}, and the level above it has {}", reached, above));
}

// Makes all levels, with these numbers of points below the finest one. Throws LevelError for one that cannot be made.
Hierarchy BuildLevels(const Finest& finest, const std::vector<int>& points_below, const HierarchyOptions& options,
                      HierarchyNotes& note) {
  const Character& character = finest.character;
  note = {};
  note.levels = {{finest.surface.point_count(), finest.surface.point_count(), 0}};
  Hierarchy hierarchy;
  hierarchy.levels.push_back({character, finest.surface.point_count(), finest.surface.point_of_vertex});
  Simplifier simplifier(finest.surface, {Importance(finest.surface, finest.fields.weights, options.joint_density)});
  // Make the coarser levels one by one, finest first; the order is reversed at the end.
  Surface coarsest = finest.surface;
  LevelFields fields = finest.fields;
  Eigen::SparseMatrix<double, Eigen::RowMajor> to_finest;
  for (const int points : points_below) {
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
    if (options.leave_out_alike) RefuseAlike(points, level.surface.point_count(), coarsest.point_count());
    // A surface that allows nothing to be taken away stays as it is.
    if (IsIdentity(level.upsampling)) {
      hierarchy.U.push_back(std::move(level.upsampling));
      hierarchy.levels.push_back(Level(hierarchy.levels.back()));
      note.levels.push_back(level_note);
      coarsest = std::move(level.surface);
      continue;
    }
    // Coarsen the fields, and fit the weights to the posed shape.
    const Coarsening C = CoarseningOf(level.upsampling, points);
    fields.weights = C.ApplyToShares(fields.weights);
    fields.morphs = C.Apply(fields.morphs);
    LevelFields shown = fields;
    if (finest.fitter) {
      const Eigen::SparseMatrix<double, Eigen::RowMajor> U = ToMatrix(level.upsampling);
      to_finest = to_finest.size() == 0 ? U : Eigen::SparseMatrix<double, Eigen::RowMajor>(to_finest * U);
      shown.weights = finest.fitter->Fit(level.surface.positions, level.finest, to_finest, fields.weights,
                                         MostInfluences(character));
    }
    // Make the level's character.
    LevelCharacter made = MakeLevelCharacter(character, level.surface, shown, finest.morphs, finest.crease_angle);
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

std::string Sentence(const LeftOutLevel& level) {
  return fmt::format("the level of {} points is left out: {}", level.points, level.why);
}

Hierarchy BuildHierarchy(const Character& character, const std::string& file, const HierarchyOptions& options,
                         HierarchyNotes* notes) {
  CheckSkin(character, file);
  const Finest finest(character, file, options.fit_poses);
  CheckNumbers(file, finest.surface.point_count(), options);
  HierarchyNotes own;
  std::vector<LeftOutLevel> left_out;
  Hierarchy hierarchy = BuildPossibleLevels(options.points, left_out, [&](const std::vector<int>& points) {
    return BuildLevels(finest, points, options, own);
  });
  own.left_out = std::move(left_out);
  if (notes != nullptr) *notes = std::move(own);
  return hierarchy;
}

}  // namespace sinew::lod
