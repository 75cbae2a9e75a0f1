#include "sinew/offline/embedded/biped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "sinew/offline/core/random.h"
#include "sinew/offline/embedded/biped_motion.h"
#include "sinew/offline/embedded/biped_parts.h"
#include "sinew/offline/embedded/make_character.h"
#include "sinew/offline/mesh/clearance.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "sinew/offline/mesh/topology.h"

namespace sinew::embedded {
namespace {

Shape Neutral() { return Shape(BipedKind().parameters); }

struct Body {
  Figure figure;
  Implicit surface;

  explicit Body(const Shape& shape) : figure(BipedKind().build(shape)), surface(figure.sculpture) {}
  double At(const Vector3d& p) const { return surface.Evaluate(p, nullptr); }
  const Vector3d& Joint(int j) const { return figure.joints[j].position; }
};

// Where a ray from far away first meets the surface; far beyond `from` if it does not.
double FirstHit(const Body& body, const Vector3d& from, const Vector3d& direction, double far) {
  double t = 0;
  for (int i = 0; i < 2000 && t < far; ++i) {
    const double value = body.At(from + direction * t);
    if (value < 1e-5) return t;
    t += std::max(0.5 * value, 1e-5);
  }
  return 1e9;
}

double Stature(const Body& body) {
  const Vector3d crown = body.figure.joints[kHead].tip;
  double highest = 0;
  for (const double z : {-0.03, -0.015, 0.0, 0.015, 0.03}) {
    highest = std::max(highest, 2.5 - FirstHit(body, {0, 2.5, crown.z() + z}, {0, -1, 0}, 2));
  }
  return highest;
}

// Half of the distance between the fingertips.
double HalfSpan(const Body& body) {
  const Vector3d hand = body.Joint(kLeftHand);
  double furthest = 0;
  for (double y = -0.06; y <= 0.01; y += 0.004) {
    for (double z = -0.01; z <= 0.03; z += 0.004) {
      furthest = std::max(furthest, 1.5 - FirstHit(body, {1.5, hand.y() + y, hand.z() + z}, {-1, 0, 0}, 1));
    }
  }
  return furthest;
}

TEST(Biped, HasTheJointsOfTheBodySkeleton) {
  const std::vector<std::pair<std::string, int>> expected = {
      {"pelvis", -1},        {"left_hip", 0},        {"right_hip", 0},    {"spine1", 0},
      {"left_knee", 1},      {"right_knee", 2},      {"spine2", 3},       {"left_ankle", 4},
      {"right_ankle", 5},    {"spine3", 6},          {"left_foot", 7},    {"right_foot", 8},
      {"neck", 9},           {"left_collar", 9},     {"right_collar", 9}, {"head", 12},
      {"left_shoulder", 13}, {"right_shoulder", 14}, {"left_elbow", 16},  {"right_elbow", 17},
      {"left_wrist", 18},    {"right_wrist", 19},    {"left_hand", 20},   {"right_hand", 21}};
  const Figure figure = BipedKind().build(Neutral());
  ASSERT_EQ(figure.joints.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(figure.joints[i].name, expected[i].first);
    EXPECT_EQ(figure.joints[i].parent, expected[i].second) << expected[i].first;
  }
}

TEST(Biped, StandsInATPose) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Body body(RandomShape(BipedKind().parameters, seed));
    EXPECT_EQ(body.Joint(kPelvis).x(), 0);
    EXPECT_EQ(body.Joint(kPelvis).z(), 0);
    for (const int j : {kLeftElbow, kLeftWrist}) {
      EXPECT_NEAR(body.Joint(j).y(), body.Joint(kLeftShoulder).y(), 1e-9);
      EXPECT_NEAR(body.Joint(j).z(), body.Joint(kLeftShoulder).z(), 1e-9);
    }
    EXPECT_LT(body.Joint(kLeftShoulder).x(), body.Joint(kLeftElbow).x());
    EXPECT_LT(body.Joint(kLeftElbow).x(), body.Joint(kLeftWrist).x());
    EXPECT_GT(body.figure.joints[kLeftFoot].tip.z(), body.Joint(kLeftAnkle).z() + 0.1);
  }
}

TEST(Biped, IsMirrorSymmetric) {
  Random random(1);
  const Body body(RandomShape(BipedKind().parameters, 7));
  for (int j = 0; j < kBipedJoints; ++j) {
    std::string name = body.figure.joints[j].name;
    if (name.starts_with("left")) {
      const Vector3d mirrored = body.Joint(j + 1).cwiseProduct(Vector3d(-1, 1, 1));
      EXPECT_EQ(body.Joint(j), mirrored) << name;
    } else if (!name.starts_with("right")) {
      EXPECT_EQ(body.Joint(j).x(), 0) << name;
    }
  }
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p{random.Uniform(-0.9, 0.9), random.Uniform(0, 1.8), random.Uniform(-0.2, 0.2)};
    EXPECT_EQ(body.At(p), body.At({-p.x(), p.y(), p.z()}));
  }
}

TEST(Biped, JointsAreInTheFlesh) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Body body(RandomShape(BipedKind().parameters, seed));
    for (const FigureJoint& joint : body.figure.joints) {
      EXPECT_LT(body.At(joint.position), -0.004) << joint.name << ", seed " << seed;
    }
  }
}

TEST(Biped, SolesAreFlatOnTheGround) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Body body(RandomShape(BipedKind().parameters, seed));
    const Vector3d ankle = body.Joint(kLeftAnkle), ball = body.Joint(kLeftFoot);
    for (const Vector3d& p : {ankle, ball, Vector3d((ankle + ball) / 2)}) {
      EXPECT_NEAR(FirstHit(body, {p.x(), -1, p.z()}, {0, 1, 0}, 2), 1, 2e-4) << "seed " << seed;
    }
    for (double z = -0.1; z < 0.3; z += 0.01) EXPECT_GT(body.At({ankle.x(), -0.002, z}), 0);
  }
}

TEST(Biped, IsAsTallAsAsked) {
  for (const double height : {1.50, 1.70, 1.90}) {
    for (uint64_t seed = 0; seed < 6; ++seed) {
      Shape shape = RandomShape(BipedKind().parameters, seed);
      shape.Set("height", height);
      EXPECT_NEAR(Stature(Body(shape)), height, 0.005) << "seed " << seed;
    }
  }
}

// Nearly all adults (docs/characters.md), between joints, as fractions of the stature.
TEST(Biped, RandomBodiesAreInsideAnthropometricRanges) {
  std::map<std::string, std::pair<double, double>> seen;
  const auto expect = [&](const char* what, double ratio, double low, double high, uint64_t seed) {
    EXPECT_GE(ratio, low) << what << ", seed " << seed;
    EXPECT_LE(ratio, high) << what << ", seed " << seed;
    auto [it, fresh] = seen.try_emplace(what, ratio, ratio);
    it->second = {std::min(it->second.first, ratio), std::max(it->second.second, ratio)};
  };
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Shape shape = RandomShape(BipedKind().parameters, seed);
    const Body body(shape);
    const double stature = shape("height");
    expect("hip height", body.Joint(kLeftHip).y() / stature, 0.48, 0.57, seed);
    expect("knee height", body.Joint(kLeftKnee).y() / stature, 0.25, 0.32, seed);
    expect("shoulder height", body.Joint(kLeftShoulder).y() / stature, 0.79, 0.85, seed);
    expect("shoulder joints apart", 2 * body.Joint(kLeftShoulder).x() / stature, 0.165, 0.225, seed);
    expect("upper arm", (body.Joint(kLeftElbow) - body.Joint(kLeftShoulder)).norm() / stature, 0.14, 0.19, seed);
    expect("forearm", (body.Joint(kLeftWrist) - body.Joint(kLeftElbow)).norm() / stature, 0.13, 0.17, seed);
    if (seed % 20 == 0) expect("span", 2 * HalfSpan(body) / stature, 0.95, 1.10, seed);
  }
  for (const auto& [what, range] : seen) EXPECT_GT(range.second - range.first, 0.005) << what << " does not vary";
}

// Between the thighs, from below the crotch to the ankles, and between the fingers near their tips.
TEST(Biped, PartsKeepClearOfEachOther) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Body body(RandomShape(BipedKind().parameters, seed));
    const double hip = body.Joint(kLeftHip).y();
    for (double y = 0.03; y < 0.84 * hip; y += 0.02) {
      for (double z = -0.15; z < 0.2; z += 0.01) EXPECT_GT(body.At({0, y, z}), 0.003) << "seed " << seed << " y " << y;
    }
  }
}

// Number of stretches inside the body along a line.
int Stretches(const Body& body, const Vector3d& from, const Vector3d& to) {
  constexpr int kSteps = 800;
  int count = 0;
  bool before = false;
  for (int i = 0; i <= kSteps; ++i) {
    const bool inside = body.At(from + (to - from) * (i / double{kSteps})) < 0;
    count += inside && !before;
    before = inside;
  }
  return count;
}

TEST(Biped, HasFiveFingersApart) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const Body body(RandomShape(BipedKind().parameters, seed));
    const Vector3d hand = body.Joint(kLeftHand);
    const double size = (hand - body.Joint(kLeftWrist)).norm() / 0.09;
    int most = 0;
    for (double y = -0.02; y <= 0.012; y += 0.002) {
      const double x = hand.x() + 0.042 * size, at = hand.y() + y * size;
      most = std::max(most, Stretches(body, {x, at, hand.z() - 0.08}, {x, at, hand.z() + 0.08}));
    }
    EXPECT_EQ(most, 4) << "seed " << seed;
  }
}

TEST(Biped, AllShapesAreTheSameSculpture) {
  const Sculpture neutral = BipedKind().build(Neutral()).sculpture;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Sculpture other = BipedKind().build(RandomShape(BipedKind().parameters, seed)).sculpture;
    ASSERT_EQ(other.groups.size(), neutral.groups.size());
    for (size_t g = 0; g < neutral.groups.size(); ++g) {
      ASSERT_EQ(other.groups[g].primitives.size(), neutral.groups[g].primitives.size());
      for (size_t i = 0; i < neutral.groups[g].primitives.size(); ++i) {
        const Primitive &a = neutral.groups[g].primitives[i], &b = other.groups[g].primitives[i];
        EXPECT_EQ(a.joint, b.joint);
        EXPECT_EQ(a.operation, b.operation);
        EXPECT_EQ(a.mirrored, b.mirrored);
        EXPECT_EQ(a.stations.size(), b.stations.size());
      }
    }
  }
}

TEST(Biped, EveryCornerOfTheParametersIsABody) {
  for (const ShapeParameter& parameter : BipedKind().parameters) {
    for (const double value : {parameter.low, parameter.high}) {
      Shape shape = Neutral();
      shape.Set(parameter.name, value);
      const Body body(shape);
      for (const FigureJoint& joint : body.figure.joints) EXPECT_LT(body.At(joint.position), 0) << parameter.name;
    }
  }
}

std::vector<Vector3d> PosedJoints(const Figure& figure, const Animation& animation, int frame) {
  std::vector<Eigen::Quaterniond> turned(kBipedJoints, Eigen::Quaterniond::Identity());
  std::vector<Vector3d> places(kBipedJoints);
  const float* root = &animation.curves.back().values[3 * static_cast<size_t>(frame)];
  for (int j = 0; j < kBipedJoints; ++j) {
    const float* q = &animation.curves[j].values[4 * static_cast<size_t>(frame)];
    const Eigen::Quaterniond local(q[3], q[0], q[1], q[2]);
    const int parent = figure.joints[j].parent;
    turned[j] = parent < 0 ? local : turned[parent] * local;
    places[j] =
        parent < 0
            ? Vector3d(root[0], root[1], root[2])
            : Vector3d(places[parent] + turned[parent] * (figure.joints[j].position - figure.joints[parent].position));
  }
  return places;
}

TEST(BipedExercise, LoopsWithTheLeftFootInPlace) {
  const Figure figure = BipedKind().build(RandomShape(BipedKind().parameters, 3));
  const std::vector<Animation> animations = BipedKind().animations(figure);
  ASSERT_EQ(animations.size(), 1u);
  const Animation& animation = animations[0];
  EXPECT_GT(animation.duration(), 3.5f);
  const int frames = static_cast<int>(animation.curves[0].times.size());
  for (const AnimationCurve& curve : animation.curves) {
    const size_t width = curve.path == AnimationCurve::Path::kRotation ? 4 : 3;
    ASSERT_EQ(curve.values.size(), width * frames);
    for (size_t c = 0; c < width; ++c) EXPECT_FLOAT_EQ(curve.values[c], curve.values[curve.values.size() - width + c]);
  }
  const Vector3d ankle = figure.joints[kLeftAnkle].position;
  double lowest_pelvis = 9, highest_hand = 0, lowest_ankle = 9;
  for (int frame = 0; frame < frames; ++frame) {
    const std::vector<Vector3d> places = PosedJoints(figure, animation, frame);
    EXPECT_LT((places[kLeftAnkle] - ankle).norm(), 1e-4);
    lowest_pelvis = std::min(lowest_pelvis, places[kPelvis].y());
    highest_hand = std::max(highest_hand, places[kRightHand].y());
    lowest_ankle = std::min(lowest_ankle, places[kRightAnkle].y());
  }
  EXPECT_LT(lowest_pelvis, 0.7 * figure.joints[kPelvis].position.y()) << "it squats";
  EXPECT_GT(highest_hand, figure.joints[kHead].tip.y()) << "it reaches above its head";
  EXPECT_GT(lowest_ankle, ankle.y() - 0.012) << "the other foot stays above the ground";
}

// How many vertices of the half with x >= 0 lie on each group's solids.
std::map<std::string, int> VerticesOfGroups(const Body& body, const TriMesh& mesh) {
  std::map<std::string, int> counts;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.positions(v, 0) < 0) continue;
    const Vector3d point = mesh.positions.row(v).cast<double>();
    for (const Owner& owner : body.surface.Owners(point, false)) {
      if (owner.weight > 0.5) ++counts[body.figure.sculpture.groups[owner.group].name];
    }
  }
  return counts;
}

// With the fewest vertices hands come before faces and toes, and other shapes have no folds.
TEST(BipedMesh, KeepsItsFingersWithTheFewestVertices) {
  const CharacterMaker maker(BipedKind(), kFewestVertices);
  const TriMesh neutral = maker.Make(Neutral()).parts[0].mesh;
  std::map<std::string, int> counts = VerticesOfGroups(Body(Neutral()), neutral);
  for (const char* finger : {"thumb", "index", "middle", "ring", "little"}) EXPECT_GE(counts[finger], 8) << finger;
  EXPECT_LT(counts["ear"], 8);
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const Shape shape = seed == 0 ? Neutral() : RandomShape(BipedKind().parameters, seed);
    const TriMesh mesh = maker.Make(shape).parts[0].mesh;
    const Topology topology = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
    EXPECT_TRUE(topology.watertight());
    EXPECT_EQ(topology.euler_characteristic(), 2);
    EXPECT_TRUE(SelfIntersections(mesh).empty()) << "seed " << seed;
    const auto clearance = MinimumClearance(mesh);
    EXPECT_GT(clearance ? clearance->distance : 1, 0.001) << "seed " << seed;
    EXPECT_GT(MeasureQuality(mesh).worst_min_angle * 180 / M_PI, 12) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sinew::embedded
