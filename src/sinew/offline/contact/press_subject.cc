#include "sinew/offline/contact/press_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/farthest.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/collider_grid.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/edge_distance.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "sinew/offline/mesh/topology.h"
#include "sinew/offline/poses/sample_poses.h"
#include "sinew/runtime/contact/contact_table.h"

namespace sinew::contact {
namespace {

constexpr double kStateAmount = 0.5;      // share of the joint limits that states fill
constexpr double kGridSteps = 40;         // samples of the grid along the collider's smallest side and its window
constexpr double kMarginSamples = 6;      // of the grid beyond the window, both sides together, rounded up
constexpr double kContactMetres = 0.002;  // distance at which the collider begins to push
constexpr double kShareOfFat = 0.8, kShareOfSize = 0.4;
constexpr uint64_t kRotations = 1, kJitter = 2;  // random streams
constexpr int kCandidates = 64;                  // rotations to choose from
constexpr double kTouchWeight = 0.5;             // of the asked joints, from which on a vertex may be touched

void CheckCollider(const TriMesh& mesh, const std::string& file) {
  const TriMesh welded = Weld(mesh, WeldEqual(mesh.positions));
  const Topology topology = AnalyzeTopology(welded.triangles, welded.vertex_count());
  for (const Island& island : topology.islands) {
    if (island.boundary_edges > 0 || island.non_manifold_edges > 0) {
      throw InputError(file, "", "is an open surface, so that it has no inside", "close its holes");
    }
  }
  if (!SelfIntersections(welded, 1).empty()) {
    throw InputError(file, "", "crosses itself", "unite its parts into one surface");
  }
}

// Bundles hold a limited number of samples along each side of a grid. extent: the longest side, with the window.
void CheckGrid(double extent, double spacing, const std::string& file) {
  const double samples = extent / spacing + kMarginSamples;
  if (samples <= runtime::ContactTable::kMaxSamples) return;
  throw InputError(
      file, "",
      fmt::format("is so long and thin that its grid of distances has {:.0f} samples along one side, over {}", samples,
                  runtime::ContactTable::kMaxSamples),
      "give a wider --window, or a shorter collider");
}

std::vector<int> JointsOf(const Skeleton& skeleton, const std::vector<std::string>& names) {
  std::vector<int> joints;
  for (const std::string& name : names) {
    const int joint = skeleton.Find(name);
    if (joint < 0) {
      std::string names_of_all;
      for (const Joint& other : skeleton.joints) names_of_all += (names_of_all.empty() ? "" : ", ") + other.name;
      throw UsageError(fmt::format("the character has no joint \"{}\"; it has {}", name, names_of_all));
    }
    joints.push_back(joint);
  }
  return joints;
}

// Fills what is known of the skin: vertices, weights, and which may be touched.
void CollectSkin(const std::vector<int>& on, PressSubject& subject) {
  const Character& character = subject.character;
  subject.rest = JoinMesh(character, SkinnedShape(character, character.skeleton.RestPose()));
  int first = 0;
  for (const Part& part : character.parts) {
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      auto& list = subject.influences.emplace_back();
      double asked = 0;
      for (int k = 0; k < part.weights.influences; ++k) {
        const size_t at = static_cast<size_t>(v) * part.weights.influences + k;
        if (!(part.weights.weights[at] > 0)) continue;
        list.emplace_back(part.weights.joints[at], part.weights.weights[at]);
        if (on.empty() || std::find(on.begin(), on.end(), list.back().first) != on.end()) asked += list.back().second;
      }
      if (asked > kTouchWeight) subject.touched.push_back(first + v);
    }
    first += part.mesh.vertex_count();
  }
  subject.welding = WeldEqual(subject.rest.positions);
}

// Spreads places over the touched skin by distance along it.
void ChoosePlaces(int count, PressSubject& subject) {
  const TriMesh welded = Weld(subject.rest, subject.welding);
  const Csr neighbours = VertexVertices(BuildEdges(welded.triangles, welded.vertex_count()), welded.vertex_count());
  const auto items = static_cast<Eigen::Index>(subject.touched.size());
  const auto from = [&](int item) {
    std::vector<double> all(welded.vertex_count(), std::numeric_limits<double>::infinity());
    all[subject.welding.welded_of[subject.touched[item]]] = 0;
    WalkEdges(welded.positions, neighbours, all);
    Distances<double> own(items);
    for (Eigen::Index i = 0; i < items; ++i) {
      own[i] = std::min(all[subject.welding.welded_of[subject.touched[i]]], 1e9);
    }
    return own;
  };
  Distances<double> distance = Distances<double>::Ones(items);
  for (const int item : ChooseFarthest<double>(count, false, from, distance)) {
    subject.places.push_back(subject.touched[item]);
  }
}

std::vector<Eigen::Quaterniond> ChooseRotations(int count, uint64_t seed) {
  Random random(seed, kRotations);
  std::vector<Eigen::Quaterniond> candidates = {Eigen::Quaterniond::Identity()};
  while (static_cast<int>(candidates.size()) < std::max(kCandidates, count)) {
    const Eigen::Vector4d q{random.Normal(), random.Normal(), random.Normal(), random.Normal()};
    candidates.push_back(Eigen::Quaterniond(q.normalized()));
  }
  const auto from = [&](int item) {
    Distances<double> angles(static_cast<Eigen::Index>(candidates.size()));
    for (size_t i = 0; i < candidates.size(); ++i) angles[i] = candidates[i].angularDistance(candidates[item]);
    return angles;
  };
  Distances<double> distance = Distances<double>::Ones(static_cast<Eigen::Index>(candidates.size()));
  std::vector<Eigen::Quaterniond> chosen;
  for (const int item : ChooseFarthest<double>(count, false, from, distance)) chosen.push_back(candidates[item]);
  return chosen;
}

}  // namespace

PressSubject MakePressSubject(Character character, const std::string& character_file, const TriMesh& collider,
                              const std::string& collider_file, const std::string& name, const PressOptions& options) {
  CheckCollider(collider, collider_file);
  PressSubject subject;
  subject.character = std::move(character);
  subject.name = name;
  CollectSkin(JointsOf(subject.character.skeleton, options.on), subject);
  if (subject.touched.empty()) throw UsageError("no skin follows these joints; give joints that move skin");
  // Collider and window.
  const double body = BoundingBox(subject.rest.positions).sizes().maxCoeff();
  subject.size = BoundingBox(collider.positions).sizes().minCoeff();
  subject.window = options.window > 0 ? options.window : subject.size;
  if (subject.window > 0.5 * body) {
    throw UsageError(
        fmt::format("a window of {:.3g} around the collider {} would hold the whole body, which is {:.3g} "
                    "high; give a smaller --window or check the collider's unit",
                    subject.window, collider_file, body));
  }
  const double unit = GuessUnit(subject.character).metres;
  subject.depth = options.depth > 0
                      ? options.depth
                      : std::min(kShareOfSize * subject.size, kShareOfFat * flesh::FleshSettings().fat / unit);
  const double spacing = (subject.size + 2 * subject.window) / kGridSteps;
  CheckGrid(BoundingBox(collider.positions).sizes().maxCoeff() + 2 * subject.window, spacing, collider_file);
  subject.grid = elasticity::MakeDistanceGrid(collider, spacing, subject.window + 2 * spacing);
  // States and places.
  const Articulation articulation(subject.character.skeleton);
  const JointLimits limits = FindLimits(subject.character, character_file);
  subject.states = {subject.character.skeleton.RestPose()};
  for (Pose& pose : poses::SamplePoses(articulation, limits,
                                       {.count = options.states - 1, .seed = options.seed, .amount = kStateAmount})) {
    subject.states.push_back(std::move(pose));
  }
  ChoosePlaces(options.places, subject);
  return subject;
}

flesh::FleshModel MakePressModel(const PressSubject& subject, const PressOptions& options, int tets) {
  flesh::FleshSettings settings;
  settings.quality = options.quality;
  settings.tets = tets;
  settings.contact_distance = kContactMetres;
  settings.colliders = {{.shape = subject.grid, .joint = -1, .given = true}};
  return flesh::FleshModel(subject.character, settings);
}

std::vector<PressPlan> PlanPresses(const PressSubject& subject, const PressOptions& options) {
  std::vector<PressPlan> plans;
  const std::vector<Eigen::Quaterniond> rotations = ChooseRotations(options.rotations, options.seed);
  // One sample of ten does not touch.
  const int chains_per_gap = std::max(1, static_cast<int>(9.5 / options.depths));
  Random random(options.seed, kJitter);
  int chain_count = 0;
  for (int state = 0; state < static_cast<int>(subject.states.size()); ++state) {
    for (const int vertex : subject.places) {
      PressPlan plan{.state = state, .vertex = vertex, .chains = {}};
      for (const Eigen::Quaterniond& rotation : rotations) {
        PressChain chain;
        // Turned a little at random, so that states do not see the same few contacts.
        const Eigen::Vector3d axis = Eigen::Vector3d{random.Normal(), random.Normal(), random.Normal()}.normalized();
        chain.rotation = rotation * Eigen::AngleAxisd(random.Uniform(0, 0.4), axis);
        for (int d = 1; d <= options.depths; ++d) {
          chain.depths.push_back(subject.depth * (d - random.Uniform(0, 0.5)) / options.depths);
        }
        if (++chain_count % chains_per_gap == 0) chain.gap = random.Uniform(0.02, 1) * subject.window;
        plan.chains.push_back(std::move(chain));
      }
      plans.push_back(std::move(plan));
    }
  }
  return plans;
}

}  // namespace sinew::contact
