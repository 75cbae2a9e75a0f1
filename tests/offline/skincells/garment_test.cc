#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/poses/sample_poses.h"
#include "sinew/offline/skincells/mix_with_skin.h"
#include "sinew/offline/skincells/poking.h"
#include "sinew/offline/skincells/quality.h"
#include "sinew/offline/skincells/skin_character.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skin_subjects.h"

namespace sinew::skincells {
namespace {

TEST(PokeMeter, CountsWhatIsOutside) {
  const TriMesh body = testing::Sausage(), cloth = testing::Moved(body, {0, 0, 0}, 1.2f);
  const PokeMeter meter(cloth.positions, cloth.triangles, body.triangles, body.positions);
  EXPECT_EQ(meter.covered(), body.triangle_count());
  EXPECT_EQ(meter.Poking(cloth.positions, body.positions), 0);
  EXPECT_EQ(meter.Poking(cloth.positions, testing::Moved(body, {0, 0, 0}, 1.5f).positions), body.triangle_count());
  // Moved to the side by more than the gap, the body comes out there and nowhere else.
  Points moved = body.positions;
  moved.col(0).array() += 0.2f;
  int out = 0;
  for (int t = 0; t < body.triangle_count(); ++t) {
    Eigen::Vector3f c = Eigen::Vector3f::Zero();
    for (int k = 0; k < 3; ++k) c += moved.row(body.triangles(t, k)).transpose() / 3;
    out += (Eigen::Vector3f(c.x() / 0.3f, c.y() / 1.2f, c.z() / 0.3f)).norm() > 1 ? 1 : 0;
  }
  EXPECT_NEAR(meter.Poking(cloth.positions, moved), out, 0.06 * body.triangle_count());
  EXPECT_GT(out, body.triangle_count() / 10);
}

TEST(PokeMeter, SaysNothingBeyondABorder) {
  // The upper half of the cloth is missing: what it would cover is not covered.
  const TriMesh body = testing::Sausage();
  TriMesh cloth = testing::Moved(body, {0, 0, 0}, 1.2f);
  std::vector<int> kept;
  for (int t = 0; t < cloth.triangle_count(); ++t) {
    if (cloth.positions(cloth.triangles(t, 0), 1) < 0) kept.push_back(t);
  }
  Triangles half(kept.size(), 3);
  for (size_t i = 0; i < kept.size(); ++i) half.row(static_cast<Eigen::Index>(i)) = cloth.triangles.row(kept[i]);
  const PokeMeter meter(cloth.positions, half, body.triangles, body.positions);
  EXPECT_LT(meter.covered(), 0.7 * body.triangle_count());
  EXPECT_GT(meter.covered(), 0.3 * body.triangle_count());
}

// A wide sleeve over a limb whose weights are hard: cloth that does not know of it cuts into its bends.
TEST(Collide, KeepsClothOffTheBody) {
  const Character body = [] {
    Character limb = testing::OnAChain(testing::Sausage(20, 40), 4);
    SkinOptions rigid;
    rigid.method = Method::kProximity;
    rigid.max_influences = 1;
    SkinCharacter(limb, "limb", rigid);
    return limb;
  }();
  Character sleeve = testing::OnAChain(testing::Sausage(20, 40), 4);
  sleeve.parts[0].mesh.positions.col(0) *= 1.15f;
  sleeve.parts[0].mesh.positions.col(2) *= 1.15f;
  SkinOptions options;
  options.max_influences = 2;
  options.sites = 3;
  options.steps = 60;
  options.pose_count = 64;
  options.progress = false;
  options.collide = &body;
  options.collide_file = "limb.glb";
  const OptimizeResult result = SkinCharacter(sleeve, "sleeve.glb", options).optimization;
  EXPECT_GT(result.before.col, 0);
  EXPECT_LT(result.after.col, result.before.col);
  Character stranger = body;
  for (Joint& joint : stranger.skeleton.joints) joint.name += "_of_another";
  options.collide = &stranger;
  EXPECT_THROW(SkinCharacter(sleeve, "sleeve.glb", options), InputError);
}

// How deep the cloth is in the body, over all vertices and poses.
double SumOfDepths(const Subject& cloth, const TrainingSet& set, const SkinWeights& weights) {
  double sum = 0;
  for (size_t p = 0; p < set.poses.size(); ++p) {
    for (int v = 0; v < set.vertex_count(); ++v) {
      Eigen::Vector3d x = Eigen::Vector3d::Zero();
      for (int k = 0; k < weights.influences; ++k) {
        const size_t slot = static_cast<size_t>(v) * weights.influences + k;
        const auto joint = std::find(cloth.joints.begin(), cloth.joints.end(), weights.joints[slot]);
        if (weights.weights[slot] == 0) continue;
        x += weights.weights[slot] * (set.poses[p].T[joint - cloth.joints.begin()] * set.points.col(v));
      }
      sum += std::max(0.0, -set.collider->bodies[p].At(x).height);
    }
  }
  return sum;
}

// A limb, a sleeve over it, and what mixtures are chosen by.
struct SleeveOnLimb {
  Character body, sleeve;
  Subject subject;
  TrainingSet set;

  // The limb's weights are proximity's. wider(y): how much wider than the limb the sleeve is.
  template <typename Wider>
  SleeveOnLimb(int influences, const Wider& wider)
      : body(testing::OnAChain(testing::Sausage(20, 40), 4)), sleeve(body) {
    SkinOptions proximity;
    proximity.method = Method::kProximity;
    proximity.max_influences = influences;
    SkinCharacter(body, "limb.glb", proximity);
    Points& points = sleeve.parts[0].mesh.positions;
    for (Eigen::Index v = 0; v < points.rows(); ++v) {
      const float by = wider(points(v, 1));
      points(v, 0) *= by, points(v, 2) *= by;
    }
    subject = MakeSubject(sleeve, "sleeve.glb");
    const std::vector<Pose> poses =
        poses::SamplePoses(Articulation(sleeve.skeleton), FindLimits(sleeve, "sleeve.glb"), {.count = 24, .seed = 3});
    set = MakeTrainingSet(subject, std::vector<Spring>(subject.surface.vertex_count()), sleeve.skeleton, poses);
    const BodyUnderGarment under(subject, sleeve.skeleton, "sleeve.glb", body, "limb.glb");
    set.collider = std::make_shared<Collider>(MakeCollider(subject, sleeve.skeleton, under, poses));
  }

  SkinWeights Mixed(const SkinWeights& weights) const {
    return MixWithSkin(subject, set, weights, GuidesFromBody(subject, "sleeve.glb", body, "limb.glb"), 2);
  }
  double Depth(const SkinWeights& weights) const { return SumOfDepths(subject, set, weights); }
};

// A sleeve that lies on the limb but is bound to the first joint alone stays behind when the limb bends: the skin's
// weights take it along. Where it is far from the skin it stays as it is.
TEST(MixWithSkin, TakesClothAlongWithTheSkin) {
  const SleeveOnLimb scene(4, [](float y) { return y > 0 ? 1.02f : 1.5f; });
  const Subject& subject = scene.subject;
  const SkinWeights stiff = SurfaceWeights(subject, scene.sleeve), mixed = scene.Mixed(stiff);
  EXPECT_LT(scene.Depth(mixed), 0.5 * scene.Depth(stiff));
  int untouched = 0;
  for (int v = 0; v < subject.surface.vertex_count(); ++v) {
    const float sum = mixed.weights[2 * v] + mixed.weights[2 * v + 1];
    EXPECT_NEAR(sum, 1, 1e-6);
    if (subject.surface.positions(v, 1) > -0.3f || subject.surface.positions(v, 1) < -0.8f) continue;
    EXPECT_EQ(mixed.joints[2 * v], subject.joints[0]) << v;
    EXPECT_EQ(mixed.weights[2 * v], 1) << v;
    ++untouched;
  }
  EXPECT_GT(untouched, 10);
}

// Skin with hard weights tears cloth that goes with it; smooth weights let it through. The mixture uses the room that
// there is between them: it is hardly inside, and less torn.
TEST(MixWithSkin, HoldsTheClothTogether) {
  const SleeveOnLimb scene(1, [](float) { return 1.1f; });
  const auto skinned = [&](Method method) {
    Character sleeve = scene.sleeve;
    SkinOptions options;
    options.method = method;
    options.max_influences = 2;
    SkinCharacter(sleeve, "sleeve.glb", options, &scene.body, "limb.glb");
    return SurfaceWeights(scene.subject, sleeve);
  };
  const SkinWeights smooth = skinned(Method::kProximity), skin = skinned(Method::kTransfer);
  const SkinWeights mixed = scene.Mixed(smooth);
  const auto stretch = [&](const SkinWeights& weights) {
    return MeasureQuality(scene.subject, scene.set, weights).stretch_99;
  };
  EXPECT_LT(scene.Depth(mixed), 0.05 * scene.Depth(smooth));
  EXPECT_LT(stretch(mixed), 0.9 * stretch(smooth));
}

}  // namespace
}  // namespace sinew::skincells
