#include "sinew/offline/skincells/objective.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/skincells/parameters.h"

namespace sinew::skincells {
namespace {

// The paper's 1e-2 cm in the denominator of equation 5, in the unit box.
constexpr double kStabilizer = 1e-2 / kPaperBox;

// Edge length over the mean distance between skin and bones: on the bodies of 13,000 vertices that lambda_loc was
// chosen on, and the largest that counts, since a longer edge spans a limb, and no bend is seen at all.
constexpr double kBalancedEdge = 0.2, kLongestEdge = 1;
// Exponent of the edge length in LocationBalance(). For one and the same field, DM over the squared edge grows with the
// edges: like their first power where weights have kinks, like the second where they bend smoothly.
constexpr double kEdgePower = 1.5;

template <typename Scalar>
using Poses = Eigen::Array<Scalar, kBatch, 1>;
template <typename Scalar>
using PosesRef = Eigen::Map<Poses<Scalar>>;
template <typename Scalar>
using ConstPosesRef = Eigen::Map<const Poses<Scalar>>;

// Three numbers per pose of the batch.
template <typename Scalar>
struct Vector {
  Poses<Scalar> x, y, z;
};

template <typename Scalar>
Vector<Scalar> Load(const Scalar* row) {
  return {ConstPosesRef<Scalar>(row), ConstPosesRef<Scalar>(row + kBatch), ConstPosesRef<Scalar>(row + 2 * kBatch)};
}
template <typename Scalar>
void Store(const Vector<Scalar>& v, Scalar* row) {
  PosesRef<Scalar> x(row), y(row + kBatch), z(row + 2 * kBatch);
  x = v.x, y = v.y, z = v.z;
}

// Rotation s = R(q) b by quaternions q = (u, w) that need not be unit:
//   s = ((w^2 - u.u) b + 2 (u.b) u + 2 w u x b) / N,  N = w^2 + u.u
// and with e = dL/ds:
//   dL/dw = 2 (w e.b + e.(u x b) - w e.s) / N
//   dL/du = 2 ((e.u) b + (u.b) e - (e.b) u + w b x e - (e.s) u) / N
template <typename Scalar>
struct Turn {
  Vector<Scalar> u, s;
  Poses<Scalar> w, inverse, dot, cx, cy, cz;
  Scalar b[3];

  Turn(const Scalar* q, const Eigen::Vector3d& vector) : u(Load(q)), w(ConstPosesRef<Scalar>(q + 3 * kBatch)) {
    for (int i = 0; i < 3; ++i) b[i] = static_cast<Scalar>(vector[i]);
    const Poses<Scalar> uu = u.x * u.x + u.y * u.y + u.z * u.z, ww = w * w, along = ww - uu;
    // Opposite rotations in equal parts have no mean: any finite result will do.
    inverse = (uu + ww + Scalar(1e-12)).inverse();
    dot = u.x * b[0] + u.y * b[1] + u.z * b[2];
    cx = u.y * b[2] - u.z * b[1], cy = u.z * b[0] - u.x * b[2], cz = u.x * b[1] - u.y * b[0];
    s.x = (along * b[0] + Scalar(2) * (dot * u.x + w * cx)) * inverse;
    s.y = (along * b[1] + Scalar(2) * (dot * u.y + w * cy)) * inverse;
    s.z = (along * b[2] + Scalar(2) * (dot * u.z + w * cz)) * inverse;
  }

  void Gradient(const Vector<Scalar>& e, Scalar* out) const {
    const Poses<Scalar> eb = e.x * b[0] + e.y * b[1] + e.z * b[2], eu = e.x * u.x + e.y * u.y + e.z * u.z;
    const Poses<Scalar> es = e.x * s.x + e.y * s.y + e.z * s.z, k = Scalar(2) * inverse, back = eb + es;
    PosesRef<Scalar> x(out), y(out + kBatch), z(out + 2 * kBatch), v(out + 3 * kBatch);
    x = k * (eu * b[0] + dot * e.x - back * u.x + w * (b[1] * e.z - b[2] * e.y));
    y = k * (eu * b[1] + dot * e.y - back * u.y + w * (b[2] * e.x - b[0] * e.z));
    z = k * (eu * b[2] + dot * e.z - back * u.z + w * (b[0] * e.y - b[1] * e.x));
    v = k * (w * eb + e.x * cx + e.y * cy + e.z * cz - w * es);
  }
};

}  // namespace

double LocationBalance(const TrainingSet& set) {
  double rest = 0;
  int count = 0;
  for (const Spring& spring : set.springs) {
    if (spring.joint < 0) continue;
    rest += spring.rest;
    ++count;
  }
  // Without a spring of some length (bones may lie in the skin itself, or there are none) the factor is 1.
  const double edge = rest > 0 ? std::min(set.edge * count / rest, kLongestEdge) : kBalancedEdge;
  return std::pow(edge / kBalancedEdge, kEdgePower);
}

template <typename Scalar>
Objective<Scalar>::Objective(const TrainingSet& set, int sites, int l, const LossWeights& weights)
    : set_(set), sites_(sites), l_(l), weights_(weights) {
  const int vertices = set.vertex_count(), blocks = (vertices + kBlock - 1) / kBlock;
  blocks_.resize(blocks);
  carriers_.resize(blocks);
  carrier_count_.resize(blocks);
  slopes_.assign(blocks, std::vector<typename Block::Lanes>(set.joint_count));
  for (int b = 0; b < blocks; ++b) {
    for (int i = 0; i < kBlock; ++i) {
      const Eigen::Vector3d x = set.points.col(std::min(b * kBlock + i, vertices - 1));
      blocks_[b].x[i] = static_cast<Scalar>(x.x());
      blocks_[b].y[i] = static_cast<Scalar>(x.y());
      blocks_[b].z[i] = static_cast<Scalar>(x.z());
    }
  }
  for (int b = 0; b <= blocks; ++b) {
    const auto at = std::lower_bound(set.guides.begin(), set.guides.end(), b * kBlock,
                                     [](const Guide& guide, int vertex) { return guide.vertex < vertex; });
    first_guides_.push_back(at - set.guides.begin());
  }
  T_.resize(4 * set.joint_count, 3 * kBatch);
  Q_.resize(set.joint_count, 4 * kBatch);
  X_.resize(vertices, 3 * kBatch);
  G_.resize(vertices, 3 * kBatch);
  R_.resize(vertices, 3 * kBatch);
}

template <typename Scalar>
void Objective<Scalar>::LoadPoses(std::span<const int> poses) {
  batch_.assign(poses.begin(), poses.end());
  for (int p = 0; p < kBatch; ++p) {
    const TrainingPose& pose = set_.poses[poses[p]];
    for (int j = 0; j < set_.joint_count; ++j) {
      for (int a = 0; a < 3; ++a) {
        for (int i = 0; i < 4; ++i) T_(4 * j + i, a * kBatch + p) = static_cast<Scalar>(pose.T[j].matrix()(a, i));
      }
      for (int a = 0; a < 4; ++a) Q_(j, a * kBatch + p) = static_cast<Scalar>(pose.rotation[j].coeffs()[a]);
    }
  }
}

// Column 4 j + i is weight j times coordinate i of (x, y, z, 1): times T_ this is equation 1 in all poses.
template <typename Scalar>
typename Objective<Scalar>::Columns Objective<Scalar>::Spread(int block,
                                                              const std::vector<typename Block::Lanes>& weights) const {
  const Block& b = blocks_[block];
  Columns spread(kBlock, 4 * set_.joint_count);
  for (int j = 0; j < set_.joint_count; ++j) {
    spread.col(4 * j) = (weights[j] * b.x).matrix();
    spread.col(4 * j + 1) = (weights[j] * b.y).matrix();
    spread.col(4 * j + 2) = (weights[j] * b.z).matrix();
    spread.col(4 * j + 3) = weights[j].matrix();
  }
  return spread;
}

// The transpose of Spread. Rows beyond the block's own points are zero.
template <typename Scalar>
void Objective<Scalar>::Gather(int block, const Columns& spread, std::vector<typename Block::Lanes>& slopes) const {
  const Block& b = blocks_[block];
  const int size = BlockSize(block);
  for (int j = 0; j < set_.joint_count; ++j) {
    slopes[j].setZero();
    slopes[j].head(size) = spread.col(4 * j).array() * b.x.head(size) + spread.col(4 * j + 1).array() * b.y.head(size) +
                           spread.col(4 * j + 2).array() * b.z.head(size) + spread.col(4 * j + 3).array();
  }
}

// Returns equation 5 for one vertex and stores its gradient in G_.
template <typename Scalar>
double Objective<Scalar>::SpringLoss(int vertex) {
  const Spring& spring = set_.springs[vertex];
  Scalar* out = G_.row(vertex).data();
  if (spring.joint < 0) {
    G_.row(vertex).setZero();
    return 0;
  }
  const Eigen::Vector3d& anchor = spring.anchor;
  const Scalar a[4] = {static_cast<Scalar>(anchor.x()), static_cast<Scalar>(anchor.y()),
                       static_cast<Scalar>(anchor.z()), Scalar(1)};
  Vector<Scalar> delta = Load(X_.row(vertex).data());
  for (int i = 0; i < 4; ++i) {
    const Vector<Scalar> t = Load(T_.row(4 * spring.joint + i).data());
    delta.x -= a[i] * t.x, delta.y -= a[i] * t.y, delta.z -= a[i] * t.z;
  }
  const auto rest = static_cast<Scalar>(spring.rest);
  const auto scale = static_cast<Scalar>(1 / (spring.rest + kStabilizer));
  // A spring without length has no direction, and pulls nowhere.
  const Poses<Scalar> length = (delta.x * delta.x + delta.y * delta.y + delta.z * delta.z).sqrt().max(Scalar(1e-12));
  const Poses<Scalar> stretch = (length - rest) * scale;
  const Poses<Scalar> pull = static_cast<Scalar>(2 * weights_.loc) * scale * stretch / length;
  Store<Scalar>({pull * delta.x, pull * delta.y, pull * delta.z}, out);
  return static_cast<double>((stretch * stretch).sum());
}

// Returns equation 6 for a block. With u_j = w_j - Top_j / s, s the sum of the strongest l, its gradient is
//   dL/dw_j = g_j - [j in Top] (g_j - sum over Top of g_k w_k / s) / s,   g_j = dL/du_j
// The choice of the strongest joints, the lowest among equals, is treated as constant.
template <typename Scalar>
double Objective<Scalar>::SparsityLoss(int block, bool slopes) {
  using Lanes = typename Block::Lanes;
  const int n = set_.joint_count, size = BlockSize(block);
  const Block& b = blocks_[block];
  std::vector<Lanes> u(n), top(n, Lanes::Zero());
  Lanes sum = Lanes::Zero();
  std::vector<int> order(n);
  for (int i = 0; i < kBlock; ++i) {
    for (int j = 0; j < n; ++j) order[j] = j;
    std::nth_element(order.begin(), order.begin() + l_ - 1, order.end(),
                     [&](int p, int q) { return b.w[p][i] != b.w[q][i] ? b.w[p][i] > b.w[q][i] : p < q; });
    for (int k = 0; k < l_; ++k) {
      top[order[k]][i] = 1;
      sum[i] += b.w[order[k]][i];
    }
  }
  for (int j = 0; j < n; ++j) u[j] = b.w[j] - top[j] * b.w[j] / sum;
  const Rows delta = (Spread(block, u) * T_).topRows(size);
  const double factor = weights_.sp * Scale();
  if (slopes) {
    const Columns spread = (static_cast<Scalar>(2 * factor) * delta) * T_.transpose();
    std::vector<Lanes>& out = slopes_[block];
    Gather(block, spread, out);
    Lanes mean = Lanes::Zero();
    for (int j = 0; j < n; ++j) mean += top[j] * out[j] * b.w[j] / sum;
    for (int j = 0; j < n; ++j) out[j] -= top[j] * (out[j] - mean) / sum;
  }
  return static_cast<double>(delta.squaredNorm()) * Scale();
}

// Returns the loss of the guides and adds its gradient to slopes_, both counted once per pose as the other losses are.
template <typename Scalar>
double Objective<Scalar>::GuideLoss(int block) {
  double loss = 0;
  for (size_t g = first_guides_[block]; g < first_guides_[block + 1]; ++g) {
    const Guide& guide = set_.guides[g];
    const int i = guide.vertex - block * kBlock;
    const double off = static_cast<double>(blocks_[block].w[guide.joint][i]) - guide.target;
    slopes_[block][guide.joint][i] += static_cast<Scalar>(2 * weights_.guide * guide.strength * off * kBatch);
    loss += guide.strength * off * off * kBatch;
  }
  return loss;
}

// Returns the collision loss of one vertex and adds its gradient to G_.
template <typename Scalar>
double Objective<Scalar>::CollisionLoss(int vertex) {
  double loss = 0;
  Scalar* out = G_.row(vertex).data();
  const Scalar* in = X_.row(vertex).data();
  for (int p = 0; p < kBatch; ++p) {
    const Eigen::Vector3d x(in[p], in[kBatch + p], in[2 * kBatch + p]);
    const PosedBody::Side side = set_.collider->bodies[batch_[p]].At(x);
    const double depth = set_.collider->margins[vertex] - side.height;
    if (depth <= 0) continue;
    const double relative = depth * depth / (kDeep * kDeep);
    loss += kDeep * kDeep * std::log1p(relative) * Scale();
    const Eigen::Vector3d slope = (-2 * weights_.col * Scale() * depth / (1 + relative)) * side.normal;
    for (int a = 0; a < 3; ++a) out[a * kBatch + p] += static_cast<Scalar>(slope[a]);
  }
  return loss;
}

template <typename Scalar>
void Objective<Scalar>::SkinDense(int block) {
  const int first = block * kBlock, size = BlockSize(block);
  X_.middleRows(first, size).noalias() = Spread(block, blocks_[block].w).topRows(size) * T_;
}

template <typename Scalar>
void Objective<Scalar>::SkinSparse(int block) {
  const Block& b = blocks_[block];
  const int first = block * kBlock, size = BlockSize(block);
  std::vector<uint16_t>& carriers = carriers_[block];
  std::vector<uint8_t>& count = carrier_count_[block];
  count.assign(kBlock, 0);
  carriers.resize(kBlock * l_);
  for (int j = 0; j < set_.joint_count; ++j) {
    for (int i = 0; i < size; ++i) {
      if (b.w[j][i] > 0) carriers[i * l_ + count[i]++] = static_cast<uint16_t>(j);
    }
  }
  for (int i = 0; i < size; ++i) {
    Row sum = Row::Zero();
    const Scalar x[4] = {b.x[i], b.y[i], b.z[i], Scalar(1)};
    for (int k = 0; k < count[i]; ++k) {
      const int j = carriers[i * l_ + k];
      for (int c = 0; c < 4; ++c) sum += (b.w[j][i] * x[c]) * ConstRow(T_.row(4 * j + c).data());
    }
    RowRef(X_.row(first + i).data()) = sum;
  }
}

// Blends the joints' quaternions by each point's weights.
template <typename Scalar>
void Objective<Scalar>::BlendRotations(int block, Rows& quaternions) const {
  const Block& b = blocks_[block];
  const int size = BlockSize(block), n = set_.joint_count;
  if (dense_) {
    Columns weights(size, n);
    for (int j = 0; j < n; ++j) weights.col(j) = b.w[j].head(size).matrix();
    quaternions.noalias() = weights * Q_;
    return;
  }
  quaternions.setZero(size, 4 * kBatch);
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < carrier_count_[block][i]; ++k) {
      const int j = carriers_[block][i * l_ + k];
      quaternions.row(i) += b.w[j][i] * Q_.row(j);
    }
  }
}

// Adds the transpose of BlendRotations to slopes_. Slopes of weights that are zero are left out, since they do not
// count.
template <typename Scalar>
void Objective<Scalar>::RotationSlopes(int block, const Rows& turned) {
  const int size = BlockSize(block), n = set_.joint_count;
  if (dense_) {
    const Columns through = turned * Q_.transpose();
    for (int j = 0; j < n; ++j) slopes_[block][j].head(size) += through.col(j).array();
    return;
  }
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < carrier_count_[block][i]; ++k) {
      const int j = carriers_[block][i * l_ + k];
      slopes_[block][j][i] += turned.row(i).dot(Q_.row(j));
    }
  }
}

// Computes dL/dw through X, from dL/dX in G_.
template <typename Scalar>
void Objective<Scalar>::SkinSlopes(int block, std::vector<typename Block::Lanes>& slopes) const {
  const Block& b = blocks_[block];
  const int first = block * kBlock, size = BlockSize(block);
  if (dense_) {
    Gather(block, G_.middleRows(first, size) * T_.transpose(), slopes);
    return;
  }
  for (auto& slope : slopes) slope.setZero();
  for (int i = 0; i < size; ++i) {
    const Scalar x[4] = {b.x[i], b.y[i], b.z[i], Scalar(1)};
    for (int k = 0; k < carrier_count_[block][i]; ++k) {
      const int j = carriers_[block][i * l_ + k];
      Row moved = Row::Zero();
      for (int c = 0; c < 4; ++c) moved += x[c] * ConstRow(T_.row(4 * j + c).data());
      slopes[j][i] = (moved * ConstRow(G_.row(first + i).data())).sum();
    }
  }
}

template <typename Scalar>
Losses Objective<Scalar>::SkinBlock(int block, bool slopes) {
  EvaluateBlock(table_, blocks_[block]);
  if (dense_) {
    SkinDense(block);
  } else {
    SkinSparse(block);
  }
  const int first = block * kBlock, size = BlockSize(block);
  Losses losses;
  for (int v = first; v < first + size; ++v) {
    losses.loc += SpringLoss(v);
    if (set_.collider) losses.col += CollisionLoss(v);
  }
  for (auto& slope : slopes_[block]) slope.setZero();
  if (dense_ && table_.cut()) losses.sp = SparsityLoss(block, slopes);
  losses.guide = GuideLoss(block);
  return losses;
}

// Returns equation 4 for a block, r being its residual. Leaves 2 lambda r / degree, which every neighbour of v gets, in
// R_, and adds the gradient through B to slopes_.
template <typename Scalar>
double Objective<Scalar>::LaplacianBlock(int block, bool slopes) {
  const int first = block * kBlock, size = BlockSize(block);
  const double factor = weights_.dm * Scale();
  Rows quaternions(size, 4 * kBatch), turned(size, 4 * kBatch);
  BlendRotations(block, quaternions);
  double loss = 0;
  for (int i = 0; i < size; ++i) {
    const int v = first + i;
    const std::span<const int> around = set_.neighbors[v];
    Vector<Scalar> r = {Poses<Scalar>::Zero(), Poses<Scalar>::Zero(), Poses<Scalar>::Zero()};
    const Vector<Scalar> own = Load(X_.row(v).data());
    for (const int k : around) {
      const Vector<Scalar> other = Load(X_.row(k).data());
      r.x += other.x - own.x, r.y += other.y - own.y, r.z += other.z - own.z;
    }
    const auto share = static_cast<Scalar>(around.empty() ? 0.0 : 1.0 / static_cast<double>(around.size()));
    const Turn<Scalar> turn(quaternions.row(i).data(), set_.L.col(v));
    r.x = r.x * share - turn.s.x, r.y = r.y * share - turn.s.y, r.z = r.z * share - turn.s.z;
    loss += static_cast<double>((r.x * r.x + r.y * r.y + r.z * r.z).sum());
    if (!slopes) continue;
    const auto e = static_cast<Scalar>(-2 * factor);
    turn.Gradient({e * r.x, e * r.y, e * r.z}, turned.row(i).data());
    const Scalar out = -e * share;
    Store<Scalar>({out * r.x, out * r.y, out * r.z}, R_.row(v).data());
  }
  if (slopes) RotationSlopes(block, turned);
  return loss * Scale();
}

// Adds a block's part of dL/dparameters. dL/dX of the Laplacian is its transpose: v gets its neighbours' shares and
// gives back its own, degree times.
template <typename Scalar>
void Objective<Scalar>::GradientBlock(int block, Eigen::VectorXd& gradient) {
  const int first = block * kBlock, size = BlockSize(block);
  for (int v = first; v < first + size; ++v) {
    const std::span<const int> around = set_.neighbors[v];
    Vector<Scalar> g = Load(G_.row(v).data());
    const Vector<Scalar> own = Load(R_.row(v).data());
    for (const int k : around) {
      const Vector<Scalar> other = Load(R_.row(k).data());
      g.x += other.x - own.x, g.y += other.y - own.y, g.z += other.z - own.z;
    }
    Store(g, G_.row(v).data());
  }
  std::vector<typename Block::Lanes> slopes(set_.joint_count);
  SkinSlopes(block, slopes);
  const auto mean = static_cast<Scalar>(1.0 / (static_cast<double>(set_.vertex_count()) * kBatch));
  for (int j = 0; j < set_.joint_count; ++j) slopes[j] = (slopes[j] + slopes_[block][j]) * mean;
  BlockGradient(table_, blocks_[block], slopes, gradient);
}

// Adds the gradients of all blocks in order, a few blocks at a time: those of all blocks together would take more
// memory than all points.
template <typename Scalar>
void Objective<Scalar>::AddGradients(Eigen::VectorXd& gradient) {
  constexpr int kAtOnce = 64;
  const int blocks = static_cast<int>(blocks_.size());
  std::vector<Eigen::VectorXd> parts(std::min(kAtOnce, blocks));
  for (int first = 0; first < blocks; first += kAtOnce) {
    const int count = std::min(kAtOnce, blocks - first);
    ParallelFor(count, 1, [&](int i) {
      parts[i].setZero(gradient.size());
      GradientBlock(first + i, parts[i]);
    });
    for (int i = 0; i < count; ++i) gradient += parts[i];
  }
}

template <typename Scalar>
Losses Objective<Scalar>::Evaluate(const Eigen::VectorXd& parameters, std::span<const int> poses, double relax,
                                   Eigen::VectorXd* gradient) {
  table_ = MakeCellTable<Scalar>(parameters, set_.joint_count, sites_, l_, relax);
  LoadPoses(poses);
  const int blocks = static_cast<int>(blocks_.size());
  const bool slopes = gradient != nullptr;
  dense_ = relax > 0 || !table_.cut();
  // Skin all points, and compute the losses that need no neighbours.
  Losses losses = ParallelReduce(
      blocks, 1, Losses{}, [&](int b, int) { return SkinBlock(b, slopes); },
      [](Losses& total, const Losses& part) {
        total.loc += part.loc, total.sp += part.sp, total.guide += part.guide, total.col += part.col;
      });
  // Compute the Laplacian of the skinned points.
  losses.dm = ParallelReduce(
      blocks, 1, 0.0, [&](int b, int) { return LaplacianBlock(b, slopes); },
      [](double& total, double part) { total += part; });
  // Carry the gradient back to the parameters.
  if (slopes) AddGradients(*gradient = Eigen::VectorXd::Zero(parameters.size()));
  const double count = static_cast<double>(set_.vertex_count()) * kBatch;
  losses.dm /= count, losses.loc /= count, losses.sp /= count, losses.guide /= count, losses.col /= count;
  losses.total = weights_.dm * losses.dm + weights_.loc * losses.loc + weights_.sp * losses.sp +
                 weights_.guide * losses.guide + weights_.col * losses.col;
  return losses;
}

template class Objective<float>;
template class Objective<double>;

}  // namespace sinew::skincells
