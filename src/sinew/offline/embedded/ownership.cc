// Owners of surface points: the share of a solid is the derivative of the blended value by the solid's value.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/embedded/implicit.h"

namespace sinew::embedded {
namespace {

constexpr double kLeastWeight = 1e-3;

Vector3d MirrorImage(const Vector3d& p) { return {-p.x(), p.y(), p.z()}; }

// Derivative of SmoothMin(value, other, radius) by `value`: the share of `value` in it.
double ShareOfMin(double value, double other, double radius) {
  const double h = radius > 0 ? std::max(0.0, 1 - std::abs(value - other) / radius) : 0;
  const double minor = h * h / 2;
  return value < other ? 1 - minor : value > other ? minor : 0.5;
}

}  // namespace

std::vector<Owner> Implicit::Owners(const Vector3d& point, bool with_cuts) const {
  double value = Whole(0, point).value;
  double rest = 1;
  std::vector<Owner> owners;
  for (size_t i = 0; with_cuts && i < cuts_.size(); ++i) {
    const double solid = cuts_[i].Evaluate(point).value;
    const double share = ShareOfMin(solid, -value, cuts_[i].primitive().blend);
    for (Owner& owner : owners) owner.weight *= 1 - share;
    rest *= 1 - share;
    owners.push_back({-1, static_cast<int>(i), false, share});
    value = std::max(value, -solid);
  }
  AddOwners(0, point, false, rest, owners);
  std::erase_if(owners, [](const Owner& owner) { return owner.weight < kLeastWeight; });
  double sum = 0;
  for (const Owner& owner : owners) sum += owner.weight;
  for (Owner& owner : owners) owner.weight /= sum;
  return owners;
}

void Implicit::AddOwners(int index, const Vector3d& point, bool mirrored, double weight,
                         std::vector<Owner>& owners) const {
  const PreparedGroup& group = groups_[index];
  const double own = Own(group, point).value;
  // Only the child that adds most owns anything: children do not blend with each other.
  int best = -1;
  bool best_mirrored = false;
  double best_whole = std::numeric_limits<double>::infinity(), best_addition = 0;
  for (const int child : group.children) {
    for (const bool mirror : {false, true}) {
      if (mirror && !groups_[child].mirrored) continue;
      const double addition = Addition(child, {own, Vector3d::Zero()}, point, mirror).value;
      if (addition <= best_addition) continue;
      best = child, best_mirrored = mirror, best_addition = addition;
      best_whole = Whole(child, mirror ? MirrorImage(point) : point).value;
    }
  }
  const double share = best < 0 ? 0 : ShareOfMin(best_whole, own, groups_[best].blend);
  if (weight * (1 - share) > kLeastWeight) AddOwnOwners(group, index, point, mirrored, weight * (1 - share), owners);
  if (weight * share <= kLeastWeight) return;
  AddOwners(best, best_mirrored ? MirrorImage(point) : point, mirrored || best_mirrored, weight * share, owners);
}

void Implicit::AddOwnOwners(const PreparedGroup& group, int index, const Vector3d& point, bool mirrored, double weight,
                            std::vector<Owner>& owners) {
  const size_t first = owners.size();
  Sample own{std::numeric_limits<double>::infinity(), Vector3d::Zero()};
  for (size_t i = 0; i < group.primitives.size(); ++i) {
    const PreparedPrimitive& prepared = group.primitives[i];
    const Primitive& primitive = prepared.primitive();
    const bool carve = primitive.operation == Primitive::Operation::kCarve;
    double value = prepared.Evaluate(point).value;
    bool image = false;
    if (primitive.mirrored) {
      const double other = prepared.Evaluate(MirrorImage(point)).value;
      image = other < value;
      value = std::min(value, other);
    }
    const double share = ShareOfMin(value, carve ? -own.value : own.value, primitive.blend);
    for (size_t k = first; k < owners.size(); ++k) owners[k].weight *= 1 - share;
    owners.push_back({index, static_cast<int>(i), mirrored || image, weight * share});
    const Sample sample{carve ? -value : value, Vector3d::Zero()};
    own = carve ? SmoothMax(own, sample, primitive.blend) : SmoothMin(own, sample, primitive.blend);
  }
}

Vector3d Implicit::Carry(const Implicit& other, const Vector3d& point) const {
  Vector3d carried = Vector3d::Zero();
  for (const Owner& owner : Owners(point)) {
    const Vector3d from = owner.mirrored ? MirrorImage(point) : point;
    const Vector3d to = other.Solid(owner).FromLocal(Solid(owner).ToLocal(from));
    carried += owner.weight * (owner.mirrored ? MirrorImage(to) : to);
  }
  return carried;
}

}  // namespace sinew::embedded
