#include "sinew/offline/evaluate/evaluate.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/delta_mush.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "sinew/offline/multires/training_shapes.h"

namespace sinew::evaluate {
namespace {

// Error of one method on one level in one frame.
struct FrameError {
  double square = 0, max = 0;           // sum over points of squared distances; largest distance
  double soft_square = 0;               // sum over soft points of squared distances
  double jitter = 0, truth_jitter = 0;  // sums over points of squared second differences
  bool has_jitter = false;
};

Points PointsOf(const lod::Level& level, const PosedCharacter& posed) {
  Points points(level.point_count, 3);
  int vertex = 0;
  for (const PosedPart& part : posed.parts) {
    for (int v = 0; v < part.positions.rows(); ++v, ++vertex) {
      points.row(level.point_of_vertex[vertex]) = part.positions.row(v);
    }
  }
  return points;
}

// soft: 1 for each soft point, 0 for the others.
void AddShape(const Points& shape, const Points& truth, const Eigen::VectorXd& soft, FrameError& error) {
  const Eigen::VectorXd squares = (shape - truth).cast<double>().rowwise().squaredNorm();
  error.square = squares.sum();
  error.soft_square = squares.dot(soft);
  error.max = std::sqrt(squares.maxCoeff());
}

double SecondDifference(const Points& before, const Points& now, const Points& after) {
  return (before - 2 * now + after).cast<double>().squaredNorm();
}

// Shapes of one frame: the ground truth's, then every method's; [i - 1] is level i.
using FrameShapes = std::vector<std::vector<Points>>;

// points, soft_points: numbers of points of the level.
LevelError Total(const std::vector<const FrameError*>& frames, int points, double soft_points) {
  LevelError total;
  double square = 0, soft_square = 0, jitter = 0, truth_jitter = 0;
  int with_jitter = 0;
  for (const FrameError* frame : frames) {
    square += frame->square;
    soft_square += frame->soft_square;
    total.max = std::max(total.max, frame->max);
    total.frame_rms.push_back(std::sqrt(frame->square / points));
    if (!frame->has_jitter) continue;
    ++with_jitter;
    jitter += frame->jitter;
    truth_jitter += frame->truth_jitter;
  }
  const auto mean = [&](double sum, int count) { return count == 0 ? 0.0 : std::sqrt(sum / count / points); };
  total.rms = mean(square, static_cast<int>(frames.size()));
  if (soft_points > 0 && !frames.empty()) {
    total.soft_rms = std::sqrt(soft_square / static_cast<double>(frames.size()) / soft_points);
  }
  total.jitter = mean(jitter, with_jitter);
  total.truth_jitter = mean(truth_jitter, with_jitter);
  return total;
}

// 1 for each soft point, 0 for the others.
Eigen::VectorXd SoftOf(const std::vector<Role>& roles) {
  Eigen::VectorXd soft(static_cast<Eigen::Index>(roles.size()));
  for (size_t p = 0; p < roles.size(); ++p) soft[static_cast<Eigen::Index>(p)] = IsSoft(roles[p]) ? 1 : 0;
  return soft;
}

// Number of bones between two joints; larger than any such number if they are in different trees.
int TreeDistance(const std::vector<int>& parents, int a, int b) {
  const auto depth = [&](int j) {
    int steps = 0;
    for (; parents[j] >= 0; j = parents[j]) ++steps;
    return steps;
  };
  int distance = 0, da = depth(a), db = depth(b);
  for (; a != b; ++distance) {
    int& deeper = da >= db ? a : b;
    (da >= db ? da : db) -= 1;
    deeper = parents[deeper];
    if (deeper < 0) return static_cast<int>(parents.size());  // different trees
  }
  return distance;
}

}  // namespace

double Evaluation::SoftShare(int level) const {
  return role_shares.empty() ? 1 : 1 - role_shares[level - 1][static_cast<size_t>(Role::kRigid)];
}

bool Evaluation::AllSoft() const {
  return std::all_of(role_shares.begin(), role_shares.end(),
                     [](const RoleShares& shares) { return shares[static_cast<size_t>(Role::kRigid)] == 0; });
}

int CountWorse(const Evaluation& evaluation, size_t method, int level) {
  constexpr double kMore = 1.05;
  const std::vector<double>& skinned = evaluation.errors[0][level - 1].frame_rms;
  const std::vector<double>& ours = evaluation.errors[method][level - 1].frame_rms;
  int worse = 0;
  for (size_t j = 0; j < ours.size(); ++j) worse += ours[j] > std::max(kMore * skinned[j], evaluation.exact());
  return worse;
}

Method SkinningMethod(const lod::Hierarchy& hierarchy, bool dual_quaternion) {
  const auto posers = std::make_shared<std::vector<Poser>>();
  for (const lod::Level& level : hierarchy.levels) {
    posers->emplace_back(level.character, PosingOptions{.method = dual_quaternion ? SkinMethod::kDualQuaternion
                                                                                  : SkinMethod::kLinearBlend});
  }
  return {dual_quaternion ? "dual quaternion" : "linear blend", [&hierarchy, posers](const Pose& pose) {
            std::vector<Points> shapes;
            for (int i = 1; i <= hierarchy.level_count(); ++i) {
              shapes.push_back(PointsOf(hierarchy.level(i), (*posers)[i - 1].Evaluate(pose)));
            }
            return shapes;
          }};
}

Method DeltaMushMethod(const lod::Hierarchy& hierarchy) {
  struct Surface {
    Triangles triangles;
    Csr neighbors;
    std::unique_ptr<DeltaMush> delta_mush;
  };
  const ShapesOfPose skinning = SkinningMethod(hierarchy, false).shapes;
  const auto surfaces = std::make_shared<std::vector<Surface>>(hierarchy.level_count());
  const std::vector<Points> rest = skinning(hierarchy.levels.back().character.skeleton.RestPose());
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    Surface& surface = (*surfaces)[i - 1];
    surface.triangles = PointTriangles(hierarchy.level(i));
    const int points = hierarchy.level(i).point_count;
    surface.neighbors = VertexVertices(BuildEdges(surface.triangles, points), points);
    surface.delta_mush =
        std::make_unique<DeltaMush>(surface.neighbors, surface.triangles, rest[i - 1].cast<double>().transpose());
  }
  return {"delta mush", [skinning, surfaces](const Pose& pose) {
            std::vector<Points> shapes = skinning(pose);
            for (size_t i = 0; i < shapes.size(); ++i) {
              shapes[i] =
                  (*surfaces)[i].delta_mush->Apply(shapes[i].cast<double>().transpose()).transpose().cast<float>();
            }
            return shapes;
          }};
}

double SizeAtRest(const lod::Hierarchy& hierarchy) {
  const Character& finest = hierarchy.levels.back().character;
  Box box;
  for (const PosedPart& part : PoseCharacter(finest, finest.skeleton.RestPose()).parts) {
    box.extend(BoundingBox(part.positions));
  }
  return box.isEmpty() ? 0 : box.sizes().maxCoeff();
}

Triangles PointTriangles(const lod::Level& level) {
  Triangles triangles(level.character.triangle_count(), 3);
  int first = 0, row = 0;
  for (const Part& part : level.character.parts) {
    for (int t = 0; t < part.mesh.triangle_count(); ++t, ++row) {
      for (int k = 0; k < 3; ++k) triangles(row, k) = level.point_of_vertex[first + part.mesh.triangles(t, k)];
    }
    first += part.mesh.vertex_count();
  }
  return triangles;
}

bool LimbsTouch(const lod::Level& level, const Points& posed_points) {
  // Joints further apart than this have no single joint between them that decides whether they meet; an upper arm and
  // the chest, or a thigh and the belly, are nearer.
  constexpr int kNeighbours = 4;
  const Skeleton& skeleton = level.character.skeleton;
  const std::vector<int> parents = AnatomicalParents(skeleton, IdentifyJoints(skeleton));
  std::vector<int> joint_of_point(level.point_count, 0);
  const TriMesh mesh{posed_points, PointTriangles(level)};
  int first = 0;
  for (const Part& part : level.character.parts) {
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      const size_t slot = static_cast<size_t>(v) * part.weights.influences;
      joint_of_point[level.point_of_vertex[first + v]] = part.weights.joints[slot];
    }
    first += part.mesh.vertex_count();
  }
  for (const auto& [s, t] : SelfIntersections(mesh)) {
    const int a = joint_of_point[mesh.triangles(s, 0)], b = joint_of_point[mesh.triangles(t, 0)];
    if (TreeDistance(parents, a, b) > kNeighbours) return true;
  }
  return false;
}

Evaluation EvaluateMethods(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                           std::vector<Method> methods) {
  constexpr int kFramesAtOnce = 24;
  methods.insert(methods.begin(), {SkinningMethod(hierarchy, false), SkinningMethod(hierarchy, true)});
  const multires::TruthLevels truths(hierarchy);
  const int levels = hierarchy.level_count(), count = frames.count();
  std::vector<std::vector<std::vector<FrameError>>> errors(
      methods.size(), std::vector<std::vector<FrameError>>(levels, std::vector<FrameError>(count)));
  std::vector<char> touches(count, 0);
  const std::vector<std::vector<Role>> roles = RolesOnLevels(hierarchy, truths, frames.roles);
  std::vector<Eigen::VectorXd> soft;
  for (const std::vector<Role>& of_level : roles) soft.push_back(SoftOf(of_level));

  // Shapes of frame j, and whether frames j - 2 to j are of one motion.
  const auto shapes_of = [&](int j) {
    FrameShapes shapes;
    std::vector<Points> coarsened = truths.Coarsened(truths.ToPoints(frames.truth(j)));
    for (int i = 1; i <= levels; ++i) coarsened[i - 1] = truths.Truth(i, frames.poses[j], coarsened[i - 1]);
    shapes.push_back(std::move(coarsened));
    for (const Method& method : methods) shapes.push_back(method.shapes(frames.poses[j]));
    return shapes;
  };
  const auto follow_each_other = [&](int j) {
    return j >= 2 && !frames.motions.empty() && frames.motions[j] >= 0 && frames.motions[j - 1] == frames.motions[j] &&
           frames.motions[j - 2] == frames.motions[j];
  };
  // Measure the frames in parallel; for jitter, a chunk also evaluates the two frames before it if they are needed.
  Progress progress("evaluating", count, "frames");
  ParallelChunks(count, kFramesAtOnce, [&](int begin, int end) {
    std::vector<FrameShapes> last(3);  // shapes of frames j - 2, j - 1 and j
    for (int j = std::max(0, begin - 2); j < end; ++j) {
      std::rotate(last.begin(), last.begin() + 1, last.end());
      if (j < begin && !follow_each_other(begin) && !follow_each_other(std::min(begin + 1, count - 1))) continue;
      last[2] = shapes_of(j);
      if (j < begin) continue;
      const FrameShapes& now = last[2];
      for (size_t m = 0; m < methods.size(); ++m) {
        for (int i = 0; i < levels; ++i) {
          FrameError& error = errors[m][i][j];
          AddShape(now[m + 1][i], now[0][i], soft[i], error);
          if (!follow_each_other(j)) continue;
          error.has_jitter = true;
          error.jitter = SecondDifference(last[0][m + 1][i], last[1][m + 1][i], now[m + 1][i]);
          error.truth_jitter = SecondDifference(last[0][0][i], last[1][0][i], now[0][i]);
        }
      }
      const int coarse = std::min(2, levels);  // fine enough to detect contact, and fast
      touches[j] = LimbsTouch(hierarchy.level(coarse), now[1][coarse - 1]) ? 1 : 0;
      progress.Advance();
    }
  });

  // Sum up the frames: all of them, and those without and with limbs that touch.
  Evaluation evaluation;
  evaluation.touches.assign(touches.begin(), touches.end());
  for (const std::vector<Role>& of_level : roles) evaluation.role_shares.push_back(SharesOf(of_level));
  evaluation.size = SizeAtRest(hierarchy);
  for (size_t m = 0; m < methods.size(); ++m) {
    evaluation.methods.push_back(methods[m].name);
    evaluation.errors.emplace_back();
    evaluation.free.emplace_back();
    evaluation.touching.emplace_back();
    for (int i = 0; i < levels; ++i) {
      std::vector<const FrameError*> all, free, touching;
      for (int j = 0; j < count; ++j) {
        all.push_back(&errors[m][i][j]);
        (touches[j] != 0 ? touching : free).push_back(&errors[m][i][j]);
      }
      const int points = hierarchy.levels[i].point_count;
      const double soft_points = soft[i].sum();
      evaluation.errors[m].push_back(Total(all, points, soft_points));
      evaluation.free[m].push_back(Total(free, points, soft_points));
      evaluation.touching[m].push_back(Total(touching, points, soft_points));
    }
  }
  return evaluation;
}

}  // namespace sinew::evaluate
