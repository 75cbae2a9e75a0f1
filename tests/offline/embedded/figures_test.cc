// What holds for every shape of the embedded cartoon, quadruped, hand and skirt, before they are meshed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/embedded/biped.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/cartoon.h"
#include "sinew/offline/embedded/hand.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/motion.h"
#include "sinew/offline/embedded/quadruped.h"
#include "sinew/offline/embedded/skirt.h"
#include "sinew/offline/mesh/extract_surface.h"
#include "sinew/offline/mesh/topology.h"

namespace sinew::embedded {
namespace {

// Neutral, every parameter at its ends, and bodies drawn at random.
std::vector<Shape> Shapes(const Kind& kind, int random) {
  std::vector<Shape> shapes = {Shape(kind.parameters)};
  for (const ShapeParameter& parameter : kind.parameters) {
    for (const double value : {parameter.low, parameter.high}) {
      shapes.emplace_back(kind.parameters).Set(parameter.name, value);
    }
  }
  for (int seed = 0; seed < random; ++seed) shapes.push_back(RandomShape(kind.parameters, seed));
  return shapes;
}

std::string Text(const Shape& shape) {
  std::string text;
  for (size_t i = 0; i < shape.values().size(); ++i) {
    text += fmt::format("{}={} ", shape.parameters()[i].name, shape.values()[i]);
  }
  return text;
}

std::string Structure(const Figure& figure) {
  std::string text;
  for (const FigureJoint& joint : figure.joints) text += fmt::format("{}:{} ", joint.name, joint.parent);
  for (const Group& group : figure.sculpture.groups) {
    text += fmt::format("{} {} {}", group.name, group.parent, group.mirrored);
    for (const Primitive& p : group.primitives) {
      text += fmt::format(" {} {} {}", p.joint, p.operation == Primitive::Operation::kAdd, p.stations.size());
    }
  }
  return fmt::format("{} {} cuts", text, figure.sculpture.cuts.size());
}

Vector3d At(const Figure& figure, std::string_view name) { return figure.joints[IndexOf(figure, name)].position; }
double Value(const Implicit& surface, const Vector3d& point) { return surface.Evaluate(point, nullptr); }

class EveryKind : public testing::TestWithParam<Kind (*)()> {};

TEST_P(EveryKind, HasTheSameStructureInEveryShape) {
  const Kind kind = GetParam()();
  const std::string neutral = Structure(kind.build(Shape(kind.parameters)));
  for (const Shape& shape : Shapes(kind, 10)) EXPECT_EQ(Structure(kind.build(shape)), neutral) << Text(shape);
}

TEST_P(EveryKind, HasJointsWithUniqueNamesAndMirrorImages) {
  const Kind kind = GetParam()();
  const Figure figure = kind.build(Shape(kind.parameters));
  std::set<std::string> names;
  for (size_t j = 0; j < figure.joints.size(); ++j) {
    const FigureJoint& joint = figure.joints[j];
    EXPECT_TRUE(names.insert(joint.name).second) << joint.name;
    EXPECT_LT(joint.parent, static_cast<int>(j));
    EXPECT_GT((joint.tip - joint.position).norm(), 1e-3) << joint.name;
    if (!kind.symmetric || !joint.name.starts_with("left_")) continue;
    const FigureJoint& image = figure.joints[IndexOf(figure, fmt::format("right_{}", joint.name.substr(5)))];
    EXPECT_EQ(image.position, Vector3d(-joint.position.x(), joint.position.y(), joint.position.z())) << joint.name;
    EXPECT_EQ(image.tip, Vector3d(-joint.tip.x(), joint.tip.y(), joint.tip.z())) << joint.name;
  }
}

TEST_P(EveryKind, IsSymmetricWhereItSaysSo) {
  const Kind kind = GetParam()();
  const Implicit surface(kind.build(RandomShape(kind.parameters, 3)).sculpture);
  Random random(1);
  int different = 0;
  for (int i = 0; i < 300; ++i) {
    Vector3d p;
    for (int k = 0; k < 3; ++k) p[k] = random.Uniform(surface.Bounds().min()[k], surface.Bounds().max()[k]);
    different += Value(surface, p) != Value(surface, {-p.x(), p.y(), p.z()});
  }
  EXPECT_EQ(different == 0, kind.symmetric);
}

TEST_P(EveryKind, IsOneSurfaceWithoutHandles) {
  const Kind kind = GetParam()();
  for (const uint64_t seed : {0, 1}) {
    const Shape shape = seed == 0 ? Shape(kind.parameters) : RandomShape(kind.parameters, seed);
    const Figure figure = kind.build(shape);
    const Implicit surface(figure.sculpture);
    const double spacing = std::min(2 * kind.grid, surface.Bounds().sizes().maxCoeff() / 60);
    const FineMesh mesh = ExtractSurface(surface, spacing, figure.domain);
    const Topology topology = AnalyzeTopology(ToTriMesh(mesh).triangles, static_cast<int>(mesh.positions.size()));
    ASSERT_EQ(topology.islands.size(), 1U) << kind.name;
    EXPECT_EQ(topology.islands[0].genus(), 0) << kind.name;
    EXPECT_EQ(topology.islands[0].boundary_loops, kind.name == "skirt" ? 2 : 0);
  }
}

TEST_P(EveryKind, HasLimitsThatAllowItsRestAndItsLoops) {
  const Kind kind = GetParam()();
  for (const Shape& shape : Shapes(kind, 3)) {
    const Figure figure = kind.build(shape);
    const std::vector<Animation> animations = kind.animations(figure);
    ASSERT_FALSE(animations.empty());
    JointLimits limits = kind.limits == nullptr ? JointLimits{} : kind.limits(figure);
    ASSERT_TRUE(limits.empty() || limits.size() == figure.joints.size());
    for (JointLimit& limit : limits) {
      EXPECT_NO_THROW(Normalize(limit));
      EXPECT_LE(limit.bend.min, 0);
      EXPECT_GE(limit.bend.max, 0);
    }
    for (const AnimationCurve& curve : animations[0].curves) {
      ASSERT_LT(curve.joint, static_cast<int>(figure.joints.size()));
      const size_t width = curve.path == AnimationCurve::Path::kRotation ? 4 : 3;
      ASSERT_EQ(curve.values.size(), width * curve.times.size());
      for (size_t k = 0; k < width; ++k) {
        EXPECT_EQ(curve.values[k], curve.values[curve.values.size() - width + k]) << "a loop ends as it began";
      }
      if (width != 4 || limits.empty()) continue;
      for (size_t k = 0; k < curve.times.size(); ++k) {
        const float* q = &curve.values[4 * k];
        const Eigen::Quaterniond delta(q[3], q[0], q[1], q[2]);
        EXPECT_NEAR(delta.norm(), 1, 1e-6);
        EXPECT_LT(Outside(limits[curve.joint], ToSwingTwist(limits[curve.joint], delta)), Radians(4))
            << figure.joints[curve.joint].name << " at " << curve.times[k] << " of " << Text(shape);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Embedded, EveryKind, testing::Values(CartoonKind, QuadrupedKind, HandKind, SkirtKind),
                         [](const auto& instance) { return instance.param().name; });

class ClosedKind : public testing::TestWithParam<Kind (*)()> {};

TEST_P(ClosedKind, HoldsItsJointsAndBones) {
  const Kind kind = GetParam()();
  for (const Shape& shape : Shapes(kind, 20)) {
    const Figure figure = kind.build(shape);
    const Implicit surface(figure.sculpture);
    const double depth = 0.002 * surface.Bounds().sizes().maxCoeff();
    for (const FigureJoint& joint : figure.joints) {
      EXPECT_LT(Value(surface, joint.position), -depth) << joint.name << " of " << Text(shape);
      // The bone of a whole hand runs between two of its fingers.
      if (joint.name.ends_with("_hand")) continue;
      EXPECT_LT(Value(surface, 0.5 * (joint.position + joint.tip)), 0) << joint.name << " of " << Text(shape);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Embedded, ClosedKind, testing::Values(CartoonKind, QuadrupedKind, HandKind),
                         [](const auto& instance) { return instance.param().name; });

TEST(Cartoon, HasTheBipedsJointsInOtherProportions) {
  const Figure person = BipedKind().build(Shape(BipedKind().parameters));
  for (const Shape& shape : Shapes(CartoonKind(), 10)) {
    const Figure figure = CartoonKind().build(shape);
    ASSERT_EQ(figure.joints.size(), person.joints.size());
    for (size_t j = 0; j < figure.joints.size(); ++j) {
      EXPECT_EQ(figure.joints[j].name, person.joints[j].name);
      EXPECT_EQ(figure.joints[j].parent, person.joints[j].parent);
    }
    const auto share = [](const Figure& f, const char* from, const char* to) {
      return (At(f, from) - At(f, to)).norm() / f.joints[IndexOf(f, "head")].tip.y();
    };
    EXPECT_LT(share(figure, "left_hip", "left_ankle"), 0.9 * share(person, "left_hip", "left_ankle")) << Text(shape);
    EXPECT_LT(share(figure, "neck", "head"), 0.9 * share(person, "neck", "head")) << Text(shape);
    const auto head = [](const Figure& f) {
      const FigureJoint& joint = f.joints[IndexOf(f, "head")];
      return (joint.tip - joint.position).norm() / joint.tip.y();
    };
    EXPECT_GT(head(figure), 1.4 * head(person)) << Text(shape);
  }
}

TEST(Quadruped, StandsOnTheGround) {
  const Kind kind = QuadrupedKind();
  for (const Shape& shape : Shapes(kind, 20)) {
    const Figure figure = kind.build(shape);
    const Implicit surface(figure.sculpture);
    const double small = 0.01 * shape("height");
    for (const char* name : {"left_front_paw", "right_front_paw", "left_hind_paw", "right_hind_paw"}) {
      const Vector3d paw = At(figure, name);
      EXPECT_LT(Value(surface, {paw.x(), small, paw.z() + small}), 0) << name << " of " << Text(shape);
      EXPECT_GT(Value(surface, {paw.x(), -1e-6, paw.z() + small}), 0) << name << " of " << Text(shape);
    }
  }
}

TEST(Quadruped, IsAsHighAsAsked) {
  const Kind kind = QuadrupedKind();
  for (const Shape& shape : Shapes(kind, 10)) {
    const Figure figure = kind.build(shape);
    const Implicit surface(figure.sculpture);
    const Vector3d withers = At(figure, "spine4");
    const double height = shape("height");
    EXPECT_LT(Value(surface, {0, 0.95 * height, withers.z()}), 0) << Text(shape);
    EXPECT_GT(Value(surface, {0, 1.12 * height, withers.z() - 0.05 * height}), 0) << Text(shape);
  }
}

// Left and right legs, and tail and legs, are apart: the plane between them is outside below the trunk.
TEST(Quadruped, KeepsItsLegsApart) {
  const Kind kind = QuadrupedKind();
  for (const Shape& shape : Shapes(kind, 20)) {
    const Figure figure = kind.build(shape);
    const Implicit surface(figure.sculpture);
    for (const char* name : {"left_wrist", "left_front_paw", "left_ankle", "left_hind_paw", "left_knee"}) {
      const Vector3d p = At(figure, name);
      EXPECT_GT(Value(surface, {0, p.y(), p.z()}), 0.02 * shape("height")) << name << " of " << Text(shape);
    }
    const Vector3d between = 0.5 * (At(figure, "tail4") + At(figure, "left_knee"));
    EXPECT_GT(Value(surface, {0, between.y(), between.z()}), 0) << Text(shape);
  }
}

// The root of a limb chain where a pose puts it, by forward kinematics of one animation key.
Vector3d PosedPlace(const Figure& figure, const Animation& animation, int key, int joint) {
  std::map<int, Eigen::Quaterniond> turns;
  for (const AnimationCurve& curve : animation.curves) {
    if (curve.path != AnimationCurve::Path::kRotation) continue;
    const float* q = &curve.values[4 * key];
    turns[curve.joint] = Eigen::Quaterniond(q[3], q[0], q[1], q[2]);
  }
  Vector3d place = figure.joints[joint].position;
  for (int j = figure.joints[joint].parent; j >= 0; j = figure.joints[j].parent) {
    if (turns.contains(j)) place = figure.joints[j].position + turns[j] * (place - figure.joints[j].position);
  }
  return place;
}

TEST(Quadruped, WalksOnTheGround) {
  const Kind kind = QuadrupedKind();
  for (const Shape& shape : Shapes(kind, 5)) {
    const Figure figure = kind.build(shape);
    const Animation walk = kind.animations(figure)[0];
    const int keys = static_cast<int>(walk.curves[0].times.size());
    for (const char* name : {"left_front_paw", "right_front_paw", "left_hind_paw", "right_hind_paw"}) {
      const int paw = IndexOf(figure, name);
      const double rest = figure.joints[paw].position.y();
      int planted = 0;
      double highest = 0, farthest = 0;
      for (int k = 0; k + 1 < keys; ++k) {
        const Vector3d at = PosedPlace(figure, walk, k, paw) - figure.joints[paw].position;
        EXPECT_GT(at.y(), -0.35 * rest) << name << " at key " << k << " of " << Text(shape);
        planted += std::abs(at.y()) < 0.25 * rest;
        highest = std::max(highest, at.y());
        farthest = std::max(farthest, std::abs(at.z()));
      }
      EXPECT_GE(planted, 0.4 * keys) << name << " of " << Text(shape);
      EXPECT_GT(highest, 0.02 * shape("height")) << name << " of " << Text(shape);
      EXPECT_GT(farthest, 0.03 * shape("height")) << name << " of " << Text(shape);
    }
  }
}

TEST(Hand, HasNamesThatAreKnown) {
  const Figure figure = HandKind().build(Shape(HandKind().parameters));
  Skeleton skeleton;
  for (const FigureJoint& joint : figure.joints) {
    skeleton.joints.push_back({.name = joint.name, .parent = joint.parent, .rest = {}});
  }
  const std::vector<JointIdentity> identities = IdentifyJoints(skeleton);
  ASSERT_EQ(figure.joints.size(), 16U);
  for (size_t j = 0; j < identities.size(); ++j) EXPECT_EQ(CanonicalName(identities[j]), figure.joints[j].name);
}

// From the middle of the first phalanges on, there is air between neighbouring fingers.
TEST(Hand, KeepsItsFingersApart) {
  const Kind kind = HandKind();
  const std::array<const char*, 5> digits = {"left_thumb", "left_index", "left_middle", "left_ring", "left_pinky"};
  for (const Shape& shape : Shapes(kind, 30)) {
    const Figure figure = kind.build(shape);
    const Implicit surface(figure.sculpture);
    for (size_t d = 0; d + 1 < digits.size(); ++d) {
      for (const char* k : {"2", "3"}) {
        const std::string a = std::string(digits[d]) + k, b = std::string(digits[d + 1]) + k;
        // Bones of a shorter finger lie beside the middle of a longer one's: look along the whole way between.
        double farthest = -1;
        for (int i = 0; i <= 20; ++i) {
          farthest = std::max(farthest, Value(surface, At(figure, a) + i / 20.0 * (At(figure, b) - At(figure, a))));
        }
        EXPECT_GT(farthest, 0.0008) << a << " and " << b << " of " << Text(shape);
      }
    }
  }
}

TEST(Hand, IsAsLongAsAsked) {
  const Kind kind = HandKind();
  Shape shape(kind.parameters);
  for (const double length : {0.16, 0.19}) {
    shape.Set("length", length);
    const Figure figure = kind.build(shape);
    const Vector3d tip = figure.joints[IndexOf(figure, "left_middle3")].tip;
    EXPECT_NEAR((tip - At(figure, "left_wrist")).norm(), length, 0.03 * length);
  }
}

TEST(Skirt, HangsFromTheBipedsPelvisAroundItsBody) {
  const Kind kind = SkirtKind(), biped = BipedKind();
  for (const Shape& shape : Shapes(kind, 6)) {
    Shape body_shape(biped.parameters);
    for (const ShapeParameter& parameter : biped.parameters) body_shape.Set(parameter.name, shape(parameter.name));
    const Figure body = biped.build(body_shape), skirt = kind.build(shape);
    EXPECT_EQ(At(skirt, "pelvis"), At(body, "pelvis"));
    const Implicit body_surface(body.sculpture), cloth(skirt.sculpture);
    Random random(7);
    for (int i = 0; i < 150; ++i) {
      const double y = random.Uniform(skirt.domain.min().y(), skirt.domain.max().y()), a = random.Uniform(0, 6.283);
      const Vector3d outward(std::sin(a), 0, std::cos(a));
      double radius = 0.6;
      while (radius > 0 && Value(body_surface, Vector3d(0, y, 0) + radius * outward) > 1e-4) {
        radius -= Value(body_surface, Vector3d(0, y, 0) + radius * outward);
      }
      if (radius <= 0) continue;
      EXPECT_LT(Value(cloth, Vector3d(0, y, 0) + radius * outward), -0.004) << y << " " << a << " of " << Text(shape);
    }
  }
}

TEST(Skirt, HasItsJointsOnTheCloth) {
  const Kind kind = SkirtKind();
  for (const Shape& shape : Shapes(kind, 6)) {
    const Figure figure = kind.build(shape);
    const Implicit cloth(figure.sculpture);
    for (const FigureJoint& joint : figure.joints) {
      if (joint.parent < 0) continue;
      EXPECT_NEAR(Value(cloth, joint.position), 0, 0.02) << joint.name << " of " << Text(shape);
      EXPECT_GE(joint.tip.y(), figure.domain.min().y() - 1e-9);
      EXPECT_LE(joint.position.y(), figure.domain.max().y());
    }
  }
}

TEST(Skirt, OfOneSeedFitsTheBipedOfThatSeed) {
  const Shape skirt = RandomShape(SkirtKind().parameters, 5), body = RandomShape(BipedKind().parameters, 5);
  for (const ShapeParameter& parameter : body.parameters()) {
    EXPECT_EQ(skirt(parameter.name), body(parameter.name)) << parameter.name;
  }
}

// All curves of rotations are away from rest: at rest the joints' frames are those of the model.
TEST(Figures, AnimationsStayInsideTheJointLimits) {
  for (const Kind& kind : Kinds()) {
    if (kind.animations == nullptr) continue;
    for (const uint64_t seed : {0, 1, 2, 3, 4, 5}) {
      const Figure figure = kind.build(seed == 0 ? Shape(kind.parameters) : RandomShape(kind.parameters, seed));
      const Skeleton skeleton = SkeletonOf(figure.joints);
      const JointLimits limits = kind.limits != nullptr ? kind.limits(figure) : FindLimits(skeleton, {});
      for (const Animation& animation : kind.animations(figure)) {
        for (const AnimationCurve& curve : animation.curves) {
          if (curve.path != AnimationCurve::Path::kRotation) continue;
          const JointLimit& limit = limits[curve.joint];
          double worst = 0;
          for (size_t at = 0; at < curve.values.size(); at += 4) {
            const float* q = &curve.values[at];
            worst = std::max(worst, Outside(limit, ToSwingTwist(limit, Eigen::Quaterniond(q[3], q[0], q[1], q[2]))));
          }
          EXPECT_LT(worst * 180 / M_PI, 0.05)
              << kind.name << " " << animation.name << ", " << skeleton.joints[curve.joint].name << ", seed " << seed;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew::embedded
