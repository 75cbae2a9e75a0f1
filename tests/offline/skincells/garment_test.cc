#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/skincells/poking.h"
#include "sinew/offline/skincells/quality.h"
#include "sinew/offline/skincells/skin_character.h"
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

}  // namespace
}  // namespace sinew::skincells
