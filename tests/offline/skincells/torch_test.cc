// The losses of section 3.5 and their gradient against libtorch: the paper's equations written once more, plainly, over
// all points, cells and poses at once, and differentiated by autograd. Finite differences see a slope that is wrong by
// what they themselves are off; this sees every digit.
#include <torch/torch.h>

// After torch, which has a macro of that name.
#undef CHECK
#include <gtest/gtest.h>

#include <set>

#include "sinew/offline/skincells/objective.h"
#include "sinew/offline/skincells/parameters.h"
#include "tests/support/limb_figure.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skin_scene.h"
#include "tests/support/skin_subjects.h"

namespace sinew::skincells {
namespace {

using testing::SkinScene;
using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;

Tensor Doubles(std::vector<double> values, at::IntArrayRef sizes) {
  return torch::from_blob(values.data(), sizes, torch::kDouble).clone();
}

Tensor Indices(std::vector<int64_t> values) {
  return torch::from_blob(values.data(), {static_cast<int64_t>(values.size())}, torch::kLong).clone();
}

// A row for every column.
Tensor Transposed(const Eigen::MatrixXd& m) { return Doubles({m.data(), m.data() + m.size()}, {m.cols(), m.rows()}); }

class Oracle {
 public:
  Oracle(const SkinScene& scene, int sites, int l) : sites_(sites), l_(l), joints_(scene.set.joint_count) {
    x_ = Transposed(scene.set.points);
    LoadEdges(scene.subject.surface.triangles);
    LoadPoses(scene.set.poses);
    LoadSprings(scene.set.springs);
  }

  struct Terms {
    Tensor dm, loc, sp;
  };

  Terms Losses(const Tensor& parameters, double relax) const {
    const Tensor w = Weights(parameters, relax);
    const double scale = 1 / edge_.item<double>();
    const auto mean = [&](const Tensor& squares) { return squares.sum() / static_cast<double>(kBatch * x_.size(0)); };
    const bool relaxed = relax > 0 && joints_ > l_;
    return {mean((Laplacian(Skinned(w)) - Turned(w)).square()) * scale, mean(Springs(Skinned(w)).square()),
            relaxed ? mean(Skinned(w - Top(w)).square()) * scale : torch::zeros({}, torch::kDouble)};
  }

 private:
  // Equations 2 and 3: one row a point, one column a cell.
  Tensor Weights(const Tensor& parameters, double relax) const {
    const Tensor cells = parameters.view({joints_, CellSize(sites_)});
    const Tensor r = 1 + cells.index({Slice(), 0}).exp(), c = relax * cells.index({Slice(), 1}).exp();
    const Tensor sites = cells.index({Slice(), Slice(2, None)}).reshape({joints_, sites_, kSiteSize});
    const auto number = [&](int i) { return sites.index({Slice(), Slice(), i}); };
    const Tensor away = x_.view({-1, 1, 1, 3}) - sites.index({Slice(), Slice(), Slice(0, 3)});
    const Tensor dx = away.select(3, 0), dy = away.select(3, 1), dz = away.select(3, 2);
    const Tensor square = (number(3).exp() * dx).square() + (number(4) * dx + number(5).exp() * dy).square() +
                          (number(6) * dx + number(7) * dy + number(8).exp() * dz).square();
    const Tensor t = number(9).exp(), far = square.sqrt();
    const Tensor h = torch::where(far < t, 0.5 * (square / t + t), far);
    const Tensor d = std::get<0>(h.min(2));
    Tensor numerator = torch::ones_like(d);
    if (joints_ > l_) {
      const Tensor D = std::get<0>(d.sort(1)).index({Slice(), Slice(l_, l_ + 1)});
      numerator = torch::maximum(c.expand_as(d), D - d);
    }
    const Tensor w = (numerator / d).pow(r);
    return w / w.sum(1, true);
  }

  // Equation 1: pose, point, coordinate.
  Tensor Skinned(const Tensor& w) const {
    const Tensor homogeneous = torch::cat({x_, torch::ones({x_.size(0), 1}, torch::kDouble)}, 1);
    return torch::einsum("vj,pjac,vc->pva", {w, T_, homogeneous});
  }

  // Mean of the neighbours less the point; of a point without any, nothing.
  Tensor Laplacian(const Tensor& x) const {
    const Tensor sum = torch::zeros_like(x).index_add(1, from_, x.index_select(1, to_) - x.index_select(1, from_));
    return sum / degree_.view({1, -1, 1});
  }

  // B of equation 4 times the Laplacian at rest: quaternions blended by the weights, made unit, as matrices.
  Tensor Turned(const Tensor& w) const {
    const Tensor blended = torch::einsum("vj,pjq->pvq", {w, Q_});
    const Tensor q = blended / blended.square().sum(2, true).sqrt();
    const Tensor x = q.select(2, 0), y = q.select(2, 1), z = q.select(2, 2), s = q.select(2, 3);
    const auto row = [](const Tensor& a, const Tensor& b, const Tensor& c) { return torch::stack({a, b, c}, 2); };
    const Tensor R = torch::stack({row(1 - 2 * (y * y + z * z), 2 * (x * y - z * s), 2 * (x * z + y * s)),
                                   row(2 * (x * y + z * s), 1 - 2 * (x * x + z * z), 2 * (y * z - x * s)),
                                   row(2 * (x * z - y * s), 2 * (y * z + x * s), 1 - 2 * (x * x + y * y))},
                                  2);
    const Tensor rest = Laplacian(x_.unsqueeze(0)).squeeze(0);
    return torch::einsum("pvab,vb->pva", {R, rest});
  }

  // Equation 5 before it is squared. A spring without length has no slope.
  Tensor Springs(const Tensor& x) const {
    const Tensor anchors = torch::einsum("psac,sc->psa", {T_.index_select(1, spring_joint_), anchor_});
    const Tensor length = (x.index_select(1, spring_vertex_) - anchors).square().sum(2).clamp_min(1e-24).sqrt();
    return (length - rest_) / (rest_ + 1e-2 / 170);
  }

  // Top[l] of equation 6, scaled to sum 1.
  Tensor Top(const Tensor& w) const {
    const Tensor strongest = std::get<1>(w.topk(l_, 1));
    const Tensor kept = w * torch::zeros_like(w).scatter(1, strongest, 1);
    return kept / kept.sum(1, true);
  }

  void LoadEdges(const Triangles& triangles) {
    std::set<std::pair<int, int>> edges;
    for (int t = 0; t < triangles.rows(); ++t) {
      for (int k = 0; k < 3; ++k) {
        const int a = triangles(t, k), b = triangles(t, (k + 1) % 3);
        edges.insert({a, b}), edges.insert({b, a});
      }
    }
    std::vector<int64_t> from, to;
    for (const auto& [a, b] : edges) from.push_back(a), to.push_back(b);
    from_ = Indices(from), to_ = Indices(to);
    degree_ = torch::bincount(from_, {}, x_.size(0)).clamp_min(1).to(torch::kDouble);
    edge_ = (x_.index_select(0, from_) - x_.index_select(0, to_)).square().sum(1).mean();
  }

  void LoadPoses(const std::vector<TrainingPose>& poses) {
    std::vector<double> T, Q;
    for (const TrainingPose& pose : poses) {
      for (const Eigen::Affine3d& each : pose.T) {
        const Eigen::Matrix<double, 3, 4, Eigen::RowMajor> top = each.matrix().topRows<3>();
        T.insert(T.end(), top.data(), top.data() + top.size());
      }
      for (const Eigen::Quaterniond& q : pose.rotation) Q.insert(Q.end(), {q.x(), q.y(), q.z(), q.w()});
    }
    T_ = Doubles(T, {kBatch, joints_, 3, 4}), Q_ = Doubles(Q, {kBatch, joints_, 4});
  }

  void LoadSprings(const std::vector<Spring>& springs) {
    std::vector<int64_t> vertices, joints;
    std::vector<double> anchors, rests;
    for (size_t v = 0; v < springs.size(); ++v) {
      const Spring& spring = springs[v];
      if (spring.joint < 0) continue;
      vertices.push_back(static_cast<int64_t>(v)), joints.push_back(spring.joint);
      anchors.insert(anchors.end(), {spring.anchor.x(), spring.anchor.y(), spring.anchor.z(), 1});
      rests.push_back(spring.rest);
    }
    const auto count = static_cast<int64_t>(rests.size());
    spring_vertex_ = Indices(vertices), spring_joint_ = Indices(joints);
    anchor_ = Doubles(anchors, {count, 4}), rest_ = Doubles(rests, {count});
  }

  const int sites_, l_, joints_;
  Tensor x_;                   // point, coordinate
  Tensor from_, to_, degree_;  // every edge both ways
  Tensor edge_;                // its mean square length
  Tensor T_;                   // pose, joint, row, column
  Tensor Q_;                   // pose, joint, x y z w
  Tensor spring_vertex_, spring_joint_, anchor_, rest_;
};

void ExpectNear(double ours, double theirs, const std::string& what) {
  EXPECT_NEAR(ours, theirs, 1e-10 * std::max(std::abs(theirs), 1e-6)) << what;
}

// Every loss by itself, and all of them with the weights that are used.
void Compare(const SkinScene& scene, int sites, int l, double relax, uint64_t seed) {
  const Oracle oracle(scene, sites, l);
  const Eigen::VectorXd at = scene.Parameters(seed);
  const struct {
    const char* name;
    LossWeights weights;
  } cases[] = {{"dm", {1, 0, 0, 0, 0}}, {"loc", {0, 1, 0, 0, 0}}, {"sp", {0, 0, 1, 0, 0}}, {"all", {}}};
  for (const auto& [name, weights] : cases) {
    Tensor parameters = Doubles({at.begin(), at.end()}, {at.size()}).requires_grad_();
    const Oracle::Terms terms = oracle.Losses(parameters, relax);
    const Tensor total = weights.dm * terms.dm + weights.loc * terms.loc + weights.sp * terms.sp;
    total.backward();
    const Tensor slope = parameters.grad();
    const Eigen::Map<const Eigen::VectorXd> theirs(slope.data_ptr<double>(), slope.numel());
    Eigen::VectorXd ours;
    const Losses losses =
        Objective<double>(scene.set, sites, l, weights).Evaluate(at, testing::SceneBatch(), relax, &ours);
    ExpectNear(losses.dm, terms.dm.item<double>(), "dm");
    ExpectNear(losses.loc, terms.loc.item<double>(), "loc");
    ExpectNear(losses.sp, terms.sp.item<double>(), "sp");
    ExpectNear(losses.total, total.item<double>(), name);
    ASSERT_TRUE(theirs.allFinite()) << name;
    // With one influence and no relaxation every slope cancels: what is left is the rounding of terms as large as the
    // loss.
    EXPECT_LE((ours - theirs).norm(), 1e-9 * std::max(theirs.norm(), losses.total)) << name;
  }
}

// Every kind of mesh, with joints, sites, influences and relaxation of many sizes: with and without a cut.
TEST(TorchOracle, AgreesOnEveryKindOfMesh) {
  torch::set_num_threads(1);
  int i = 0;
  for (const testing::MeshFamily& family : testing::MeshFamilies()) {
    for (const double relax : {1.0, 0.3, 0.0}) {
      const int joints = 2 + i % 5, sites = 1 + i % 4, l = 1 + i / 2 % 5;
      SCOPED_TRACE(family.name + ", " + std::to_string(joints) + " joints, " + std::to_string(sites) +
                   " sites, l = " + std::to_string(l) + ", relax " + std::to_string(relax));
      const SkinScene scene(testing::OnAChain(family.mesh, joints), sites, l, ++i);
      Compare(scene, sites, l, relax, i);
    }
  }
}

// A skeleton with branches, as bodies have.
TEST(TorchOracle, AgreesOnABody) {
  torch::set_num_threads(1);
  const SkinScene scene(testing::MakeLimbFigure().character, 3, 4);
  for (const double relax : {0.7, 0.0}) Compare(scene, 3, 4, relax, 1);
}

}  // namespace
}  // namespace sinew::skincells
