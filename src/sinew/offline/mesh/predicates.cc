#include "sinew/offline/mesh/predicates.h"

#include <array>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// Half the distance from 1 to the next double: the largest relative error of one operation.
constexpr double kEpsilon = std::numeric_limits<double>::epsilon() / 2;

// A number as the exact sum of doubles that do not overlap, smallest first. N: room for the largest result needed.
template <int N>
class Expansion {
 public:
  Expansion() = default;
  // Exactly a - b.
  static Expansion Difference(double a, double b) {
    Expansion out;
    out.Add(a);
    out.Add(-b);
    return out;
  }

  // Shewchuk's GROW-EXPANSION, dropping zeros.
  void Add(double b) {
    double q = b;
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      const double sum = q + terms_[i];
      const double b_virtual = sum - q;
      const double error = (q - (sum - b_virtual)) + (terms_[i] - b_virtual);
      if (error != 0) terms_[kept++] = error;
      q = sum;
    }
    if (q != 0) terms_[kept++] = q;
    size_ = kept;
  }
  template <int M>
  void Add(const Expansion<M>& other, double sign) {
    for (int i = 0; i < other.size(); ++i) Add(sign * other[i]);
  }

  int size() const { return size_; }
  double operator[](int i) const { return terms_[i]; }
  // The largest term decides.
  int Sign() const { return size_ == 0 ? 0 : terms_[size_ - 1] > 0 ? 1 : -1; }

 private:
  std::array<double, N> terms_;
  int size_ = 0;
};

template <int A, int B>
Expansion<2 * A * B> Multiply(const Expansion<A>& a, const Expansion<B>& b) {
  Expansion<2 * A * B> product;
  for (int i = 0; i < a.size(); ++i) {
    for (int k = 0; k < b.size(); ++k) {
      const double high = a[i] * b[k];
      product.Add(std::fma(a[i], b[k], -high));
      product.Add(high);
    }
  }
  return product;
}

using Difference = Expansion<2>;

// a d - b c.
Expansion<16> Determinant(const Difference& a, const Difference& b, const Difference& c, const Difference& d) {
  Expansion<16> determinant;
  determinant.Add(Multiply(a, d), 1);
  determinant.Add(Multiply(b, c), -1);
  return determinant;
}

int ExactOrient2d(const Eigen::Vector2f& a, const Eigen::Vector2f& b, const Eigen::Vector2f& c) {
  const auto x = [&](const Eigen::Vector2f& p) { return Difference::Difference(p.x(), c.x()); };
  const auto y = [&](const Eigen::Vector2f& p) { return Difference::Difference(p.y(), c.y()); };
  return Determinant(x(a), y(a), x(b), y(b)).Sign();
}

int ExactOrient3d(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c,
                  const Eigen::Vector3f& d) {
  const Eigen::Vector3f* points[3] = {&a, &b, &c};
  Difference m[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) m[i][k] = Difference::Difference((*points[i])[k], d[k]);
  }
  Expansion<192> determinant;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    determinant.Add(Multiply(Determinant(m[j][0], m[j][1], m[l][0], m[l][1]), m[i][2]), 1);
  }
  return determinant.Sign();
}

}  // namespace

int Orient2d(const Eigen::Vector2f& a, const Eigen::Vector2f& b, const Eigen::Vector2f& c) {
  const double left = (double{a.x()} - c.x()) * (double{b.y()} - c.y());
  const double right = (double{a.y()} - c.y()) * (double{b.x()} - c.x());
  const double determinant = left - right;
  // Shewchuk's bound of the first stage: (3 + 16 eps) eps times the sum of magnitudes.
  if (std::abs(determinant) > 3.1 * kEpsilon * (std::abs(left) + std::abs(right))) return determinant > 0 ? 1 : -1;
  return ExactOrient2d(a, b, c);
}

int Orient3d(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c, const Eigen::Vector3f& d) {
  const Eigen::Vector3d e = d.cast<double>();
  const Eigen::Vector3d p = a.cast<double>() - e, q = b.cast<double>() - e, r = c.cast<double>() - e;
  const double qr = q.x() * r.y(), rq = r.x() * q.y();
  const double rp = r.x() * p.y(), pr = p.x() * r.y();
  const double pq = p.x() * q.y(), qp = q.x() * p.y();
  const double determinant = p.z() * (qr - rq) + q.z() * (rp - pr) + r.z() * (pq - qp);
  const double magnitude = (std::abs(qr) + std::abs(rq)) * std::abs(p.z()) +
                           (std::abs(rp) + std::abs(pr)) * std::abs(q.z()) +
                           (std::abs(pq) + std::abs(qp)) * std::abs(r.z());
  // Shewchuk's bound of the first stage: (7 + 56 eps) eps times the sum of magnitudes.
  if (std::abs(determinant) > 7.1 * kEpsilon * magnitude) return determinant > 0 ? 1 : -1;
  return ExactOrient3d(a, b, c, d);
}

}  // namespace sinew
