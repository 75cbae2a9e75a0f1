#include "sinew/offline/flesh/skin_contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/random.h"
#include "sinew/offline/flesh/split_sheets.h"
#include "sinew/offline/mesh/bcc_lattice.h"
#include "tests/support/mesh_families.h"

namespace sinew::flesh {
namespace {

using Eigen::Vector3d;

// Two balls that nearly touch, in one body of tetrahedra; the second can be moved.
struct TwoBalls {
  TwoBalls() {
    skin = testing::Merge(testing::Moved(testing::Sphere(24, 12), {0, 0, 0}, 0.5f),
                          testing::Moved(testing::Sphere(24, 12), {1.1f, 0, 0}, 0.5f));
    split = SplitSheets(CoverByLattice(skin, 0.3), skin);
    ContactSurface surface = SpreadContactPoints(skin, 0.01);
    Embedding embedding;
    embedding.weights.resize(static_cast<Eigen::Index>(surface.skin_of.size()), 4);
    for (size_t i = 0; i < surface.skin_of.size(); ++i) {
      embedding.tets.push_back(split.surface.tets[surface.skin_of[i]]);
      embedding.weights.row(static_cast<Eigen::Index>(i)) = split.surface.weights.row(surface.skin_of[i]);
    }
    contact = std::make_unique<SkinContact>(
        surface, embedding, split,
        SkinContactOptions{.distance = 0.02, .hardly = 0.05, .own_flesh = 0.1, .stiffness = 1});
    maps.assign(surface.skin_of.size(), Eigen::Affine3d::Identity());
  }
  // The second ball's nodes moved along x, and along y.
  Nodes Moved(double by, double up = 0) const {
    Nodes z = split.mesh.positions;
    std::vector<bool> second(z.rows(), false);
    for (int v = skin.vertex_count() / 2; v < skin.vertex_count(); ++v) {
      for (int k = 0; k < 4; ++k) second[split.mesh.tets(split.surface.tets[v], k)] = true;
    }
    for (Eigen::Index n = 0; n < z.rows(); ++n) {
      if (second[n] || z(n, 0) > 0.7) z.row(n) += Eigen::RowVector3d(by, up, 0);
    }
    return z;
  }

  TriMesh skin;
  SplitTets split;
  std::unique_ptr<SkinContact> contact;
  std::vector<Eigen::Affine3d> maps;  // of the points
};

TEST(SplitSheets, PiecesThatShareACellShareNoNode) {
  const TwoBalls balls;
  std::vector<int> owner(balls.split.mesh.node_count(), -1);
  for (int v = 0; v < balls.skin.vertex_count(); ++v) {
    const int ball = v < balls.skin.vertex_count() / 2 ? 0 : 1;
    for (int k = 0; k < 4; ++k) {
      int& of_node = owner[balls.split.mesh.tets(balls.split.surface.tets[v], k)];
      EXPECT_TRUE(of_node < 0 || of_node == ball);
      of_node = ball;
    }
  }
}

TEST(SplitSheets, OneBodyStaysWhole) {
  for (const TriMesh& skin : {testing::Sphere(24, 12), testing::Torus(), testing::Cuboid()}) {
    const TetMesh cover = CoverByLattice(skin, 0.25);
    const SplitTets split = SplitSheets(cover, skin);
    const Nodes points = Follow(split.surface, split.mesh.tets, split.mesh.positions);
    EXPECT_LT((points - skin.positions.cast<double>()).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LE(split.mesh.tet_count(), cover.tet_count());
    EXPECT_LE(split.mesh.node_count(), cover.node_count());
  }
}

TEST(SkinContact, NothingTouchesAtRest) {
  const TwoBalls balls;
  const Nodes z = balls.Moved(0);
  const auto shape = balls.contact->MakeShape(balls.maps, z, z);
  const std::vector<int> candidates = balls.contact->Candidates(shape, 0.5);
  for (const ContactPair& pair : balls.contact->FindPairs(shape, candidates)) EXPECT_GE(pair.gap, pair.free_gap);
}

TEST(SkinContact, TreesFindWhatAskingEveryoneFinds) {
  const TwoBalls balls;
  for (const double by : {-0.05, -0.09, -0.12, -0.2, -0.4}) {
    const Nodes z = balls.Moved(by);
    const auto shape = balls.contact->MakeShape(balls.maps, z, z);
    const std::vector<int> candidates = balls.contact->Candidates(shape, 0.01);
    int found = 0;
    for (int i = 0; i < balls.contact->surface().mesh.vertex_count(); ++i) {
      const auto inside = balls.contact->FindInside(shape, i), asked = balls.contact->FindInsideByAsking(shape, i);
      EXPECT_EQ(inside.triangle, asked.triangle);
      for (const double margin : {0.0, 0.03}) {
        const auto near = balls.contact->FindNear(shape, i, margin);
        EXPECT_EQ(near.triangle, balls.contact->FindNearByAsking(shape, i, margin).triangle);
        EXPECT_EQ(near.distance, balls.contact->FindNearByAsking(shape, i, margin).distance);
      }
      const bool touches = inside.triangle >= 0 || balls.contact->FindNear(shape, i, 0).triangle >= 0;
      found += touches;
      const bool could = asked.triangle >= 0 || balls.contact->FindNearByAsking(shape, i, 0.01).triangle >= 0;
      EXPECT_EQ(could, std::binary_search(candidates.begin(), candidates.end(), i));
    }
    EXPECT_TRUE(by > -0.1 || found > 0);
  }
}

// Pushed apart along x, from any depth, and by a force that is the energy's slope.
TEST(SkinContact, PushesApartBeforeAndAfterPenetration) {
  const TwoBalls balls;
  for (const double by : {-0.095, -0.15, -0.4}) {
    const Nodes z = balls.Moved(by);
    const auto shape = balls.contact->MakeShape(balls.maps, z, z);
    const auto pairs = balls.contact->FindPairs(shape, balls.contact->Candidates(shape, 0.01));
    double here = 0, apart = 0;
    const Nodes moved = balls.Moved(by + 0.001);
    for (const ContactPair& pair : pairs) {
      here += pair.Energy(z);
      apart += pair.Energy(moved);
    }
    EXPECT_GT(here, 0);
    EXPECT_LT(apart, here);
  }
}

// A point that a ball brings with it slides over the other one by as much as the ball moves along the skin there.
TEST(SkinContact, SlidesByWhatMovesAlongTheSkin) {
  const TwoBalls balls;
  const auto& contact = *balls.contact;
  const Nodes z = balls.Moved(-0.15);
  const auto shape = contact.MakeShape(balls.maps, z, z);
  const auto pairs = contact.FindPairs(shape, contact.Candidates(shape, 0.01));
  ASSERT_FALSE(pairs.empty());
  for (const double up : {0.0, 0.03, 0.2}) {
    const Nodes moved = balls.Moved(-0.18, up);
    const auto moved_shape = contact.MakeShape(balls.maps, moved, moved);
    for (const ContactPair& pair : pairs) {
      EXPECT_NEAR(contact.Slide(shape, pair), 0, 1e-6);
      const double all = std::hypot(0.03, up), along = pair.Gap(moved) - pair.gap;
      EXPECT_NEAR(contact.Slide(moved_shape, pair), std::sqrt(all * all - along * along), 1e-5);
    }
  }
}

}  // namespace
}  // namespace sinew::flesh
