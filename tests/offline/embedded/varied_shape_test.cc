// Bodies to learn from: what holds for shapes of every build.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew::embedded {
namespace {

TEST(VariedShape, HasTheKindsParametersInWiderRanges) {
  for (const Kind& kind : Kinds()) {
    if (kind.varied.empty()) continue;
    ASSERT_EQ(kind.varied.size(), kind.parameters.size());
    for (size_t i = 0; i < kind.varied.size(); ++i) {
      const ShapeParameter &wide = kind.varied[i], &usual = kind.parameters[i];
      EXPECT_EQ(wide.name, usual.name);
      EXPECT_LE(wide.low, usual.low) << wide.name;
      EXPECT_GE(wide.high, usual.high) << wide.name;
      EXPECT_GE(wide.spread, usual.spread) << wide.name;
    }
    for (const BodyBuild& build : kind.builds) {
      for (const auto& [name, value] : build.values) EXPECT_NO_THROW(Shape(kind.varied).Set(name, value)) << name;
    }
  }
}

TEST(VariedShape, DependsOnTheSeedAlone) {
  const Kind& kind = FindKind("biped");
  EXPECT_EQ(VariedShape(kind, 3).values(), VariedShape(kind, 3).values());
  EXPECT_NE(VariedShape(kind, 3).values(), VariedShape(kind, 4).values());
  const Kind& skirt = FindKind("skirt");
  EXPECT_EQ(VariedShape(skirt, 3).values(), RandomShape(skirt.parameters, 3).values()) << "without builds";
}

TEST(VariedShape, MakesBodiesThatCanBeSimulated) {
  const Kind& kind = FindKind("biped");
  const CharacterMaker maker(kind, 3000);
  double lowest = 10, highest = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const Character body = maker.Make(VariedShape(kind, seed));
    const TriMesh& mesh = body.parts[0].mesh;
    EXPECT_TRUE(SelfIntersections(mesh, 1).empty());
    const WindingNumber winding(mesh);
    for (const Eigen::Affine3f& inverse : body.skins[0].inverse_bind) {
      EXPECT_TRUE(winding.Inside(-inverse.translation()));
    }
    const auto box = BoundingBox(mesh.positions);
    EXPECT_NEAR(box.min().y(), 0, 0.005);
    lowest = std::min<double>(lowest, box.sizes().y());
    highest = std::max<double>(highest, box.sizes().y());
  }
  EXPECT_LT(lowest, 1.4) << "children";
  EXPECT_GT(highest, 1.8);
}

}  // namespace
}  // namespace sinew::embedded
