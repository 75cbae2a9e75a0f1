#include "sinew/offline/embedded/implicit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"

namespace sinew::embedded {
namespace {

using Eigen::AlignedBox3d;

Vector3d Mirrored(const Vector3d& p) { return {-p.x(), p.y(), p.z()}; }
Sample Mirrored(const Sample& s) { return {s.value, Mirrored(s.gradient)}; }

AlignedBox3d WithMirrorImage(const AlignedBox3d& box) {
  AlignedBox3d both = box;
  return both.extend(Mirrored(box.min())).extend(Mirrored(box.max()));
}

// Value of a primitive blended with its mirror image, if it has one.
Sample EvaluatePair(const PreparedPrimitive& prepared, const Vector3d& point) {
  Sample here = prepared.Evaluate(point);
  const Primitive& primitive = prepared.primitive();
  if (!primitive.mirrored) return here;
  const double radius = primitive.mirror_blend < 0 ? primitive.blend : primitive.mirror_blend;
  return SmoothMin(here, Mirrored(prepared.Evaluate(Mirrored(point))), radius);
}

// Lower bound of the value of all solids in the box, mirror images included.
double LowerBound(const AlignedBox3d& box, double reach, bool mirrored, const Vector3d& point) {
  const double squared = box.squaredExteriorDistance(point);
  const double distance =
      std::sqrt(mirrored ? std::min(squared, box.squaredExteriorDistance(Mirrored(point))) : squared);
  return std::max(reach * distance, FarValue(distance));
}

double PairBlend(const Primitive& primitive) {
  return primitive.mirrored ? std::max(primitive.blend, primitive.mirror_blend) : 0;
}

double LeastValue(const PreparedPrimitive& prepared, const Vector3d& point) {
  const Primitive& primitive = prepared.primitive();
  return LowerBound(prepared.box(), prepared.reach(), primitive.mirrored, point) - PairBlend(primitive) / 6;
}

// Joins what two children add to their parent: the larger addition, with the valley between them rounded. The rounding
// fades where either adds little, so that nothing is added where neither adds.
Sample JoinAdditions(const Sample& a, const Sample& b, double radius) {
  const Sample& high = a.value >= b.value ? a : b;
  const Sample& low = a.value >= b.value ? b : a;
  if (radius <= 0 || low.value <= 0) return high;
  const double square = low.value * low.value, sum = square + radius * radius;
  const double r = radius * square / sum;
  const double h = 1 - (high.value - low.value) / r;
  if (h <= 0) return high;
  const double slope_r = 2 * radius * low.value * radius * radius / (sum * sum);
  const double by_low = h * h / 2 + slope_r * (h * h * h / 6 + h * h / 2 * (1 - h));
  return {high.value + h * h * h * r / 6, (1 - h * h / 2) * high.gradient + by_low * low.gradient};
}

void Check(const Sculpture& sculpture) {
  if (sculpture.groups.empty()) throw UsageError("sculpture: no group");
  std::vector<bool> inside_mirror;
  for (size_t g = 0; g < sculpture.groups.size(); ++g) {
    const Group& group = sculpture.groups[g];
    const auto fail = [&](const char* problem) {
      throw UsageError(fmt::format("sculpture: group '{}': {}", group.name, problem));
    };
    if (g == 0 ? group.parent != -1 : group.parent < 0 || group.parent >= static_cast<int>(g)) {
      fail("its parent must be an earlier group, and only the first has none");
    }
    if (group.primitives.empty() || group.primitives[0].operation != Primitive::Operation::kAdd) {
      fail("it must begin with a primitive that adds");
    }
    const bool inside = g > 0 && inside_mirror[group.parent];
    if (inside && group.mirrored) fail("it is mirrored inside a mirrored group");
    inside_mirror.push_back(inside || group.mirrored);
    for (const Primitive& primitive : group.primitives) {
      if (primitive.mirrored && inside_mirror.back()) fail("a primitive is mirrored inside a mirrored group");
    }
  }
}

}  // namespace

int Sculpture::AddGroup(const std::string& name, int parent, double blend, bool mirrored) {
  groups.push_back(
      {.name = name, .parent = parent, .blend = blend, .sibling_blend = 0, .mirrored = mirrored, .primitives = {}});
  return static_cast<int>(groups.size()) - 1;
}

Primitive& Sculpture::Add(int group, int joint, const Primitive& primitive) {
  std::vector<Primitive>& primitives = groups[group].primitives;
  primitives.push_back(primitive);
  primitives.back().joint = joint;
  return primitives.back();
}

Implicit::Implicit(const Sculpture& sculpture) {
  Check(sculpture);
  for (const Group& group : sculpture.groups) {
    PreparedGroup prepared;
    prepared.blend = group.blend;
    prepared.sibling_blend = group.sibling_blend;
    prepared.mirrored = group.mirrored;
    for (const Primitive& primitive : group.primitives) prepared.primitives.emplace_back(primitive, group.name);
    if (group.parent >= 0) groups_[group.parent].children.push_back(static_cast<int>(groups_.size()));
    groups_.push_back(std::move(prepared));
  }
  for (const Primitive& cut : sculpture.cuts) cuts_.emplace_back(cut, "cuts");
  SetBounds();
}

void Implicit::SetOwnBounds(PreparedGroup& group) {
  for (const PreparedPrimitive& prepared : group.primitives) {
    const Primitive& primitive = prepared.primitive();
    if (primitive.operation != Primitive::Operation::kAdd) continue;
    group.own_box.extend(primitive.mirrored ? WithMirrorImage(prepared.box()) : prepared.box());
    group.own_reach = std::min(group.own_reach, prepared.reach());
    // A fillet lowers the value by a sixth of its radius; no more than three or so meet at one place.
    group.own_slack = std::max(group.own_slack, (primitive.blend + PairBlend(primitive)) / 2);
  }
}

void Implicit::SetBounds() {
  for (int g = static_cast<int>(groups_.size()) - 1; g >= 0; --g) {
    PreparedGroup& group = groups_[g];
    SetOwnBounds(group);
    group.box = group.own_box;
    group.reach = group.own_reach;
    double blend = 0;
    for (const int c : group.children) {
      group.box.extend(groups_[c].mirrored ? WithMirrorImage(groups_[c].box) : groups_[c].box);
      group.reach = std::min(group.reach, groups_[c].reach);
      blend = std::max(blend, groups_[c].blend / 2);
    }
    const double slack = std::max(group.own_slack, blend) + group.sibling_blend;
    const Vector3d margin = Vector3d::Constant(slack / group.reach);
    group.box = {group.box.min() - margin, group.box.max() + margin};
  }
  bounds_ = groups_[0].box;
}

double Implicit::Evaluate(const Vector3d& point, Vector3d* gradient) const {
  Sample sample = Whole(0, point);
  for (const PreparedPrimitive& cut : cuts_) {
    const Sample solid = cut.Evaluate(point);
    sample = SmoothMax(sample, {-solid.value, -solid.gradient}, cut.primitive().blend);
  }
  if (gradient != nullptr) *gradient = sample.gradient;
  return sample.value;
}

// A solid whose value is well below those of all solids before it hides them, so that evaluation can begin with it.
// This is tried for the first solid that is about as near as the nearest one.
size_t Implicit::FirstThatMatters(const PreparedGroup& group, const Vector3d& point, Sample& own) {
  constexpr double kAbout = 0.01;
  constexpr size_t kMax = 96;
  const size_t count = group.primitives.size();
  if (count < 4 || count > kMax) return 0;
  // Lower bounds of all solids, and the nearest of those that add.
  double least[kMax], nearest = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < count; ++i) {
    least[i] = LeastValue(group.primitives[i], point);
    if (group.primitives[i].primitive().operation == Primitive::Operation::kAdd) nearest = std::min(nearest, least[i]);
  }
  // First solid about as near as the nearest: does it hide all before it?
  double before = std::numeric_limits<double>::infinity(), slack = 0;
  for (size_t i = 0; i < count; ++i) {
    const Primitive& primitive = group.primitives[i].primitive();
    if (primitive.operation != Primitive::Operation::kAdd) continue;
    if (least[i] > nearest + kAbout) {
      before = std::min(before, least[i]);
      slack = std::max(slack, primitive.blend / 2);
      continue;
    }
    if (i == 0) return 0;
    own = EvaluatePair(group.primitives[i], point);
    if (before - slack >= own.value + primitive.blend) return i + 1;
    break;
  }
  own = {std::numeric_limits<double>::infinity(), Vector3d::Zero()};
  return 0;
}

Sample Implicit::Own(const PreparedGroup& group, const Vector3d& point) {
  Sample own{std::numeric_limits<double>::infinity(), Vector3d::Zero()};
  for (size_t i = FirstThatMatters(group, point, own); i < group.primitives.size(); ++i) {
    const PreparedPrimitive& prepared = group.primitives[i];
    const Primitive& primitive = prepared.primitive();
    if (primitive.operation == Primitive::Operation::kAdd) {
      if (LeastValue(prepared, point) >= own.value + primitive.blend) continue;
      own = SmoothMin(own, EvaluatePair(prepared, point), primitive.blend);
    } else {
      const bool limb = primitive.solid == Primitive::Solid::kLimb;
      if (limb && -LeastValue(prepared, point) <= own.value - primitive.blend) continue;
      const Sample solid = EvaluatePair(prepared, point);
      own = SmoothMax(own, {-solid.value, -solid.gradient}, primitive.blend);
    }
  }
  return own;
}

// Returns the value if one child is so far below everything else that nothing else matters, as at most points of limbs.
std::optional<Sample> Implicit::OneChild(const PreparedGroup& group, const Vector3d& point) const {
  const double own_least = LowerBound(group.own_box, group.own_reach, false, point) - group.own_slack;
  int child = -1;
  bool mirror = false;
  double least = own_least, second = std::numeric_limits<double>::infinity(), widest = 0;
  const Vector3d image = Mirrored(point);
  for (const int c : group.children) {
    widest = std::max(widest, groups_[c].blend);
    for (const bool m : {false, true}) {
      if (m && !groups_[c].mirrored) continue;
      const double bound =
          LowerBound(groups_[c].box, groups_[c].reach, false, m ? image : point) - groups_[c].blend / 6;
      if (bound < least) {
        if (child >= 0) second = std::min(second, least);
        least = bound, child = c, mirror = m;
      } else {
        second = std::min(second, bound);
      }
    }
  }
  if (child < 0) return std::nullopt;
  second = std::min(second, own_least - widest) - group.sibling_blend;
  if (least > second) return std::nullopt;
  const Sample whole = mirror ? Mirrored(Whole(child, image)) : Whole(child, point);
  if (whole.value > second) return std::nullopt;
  return whole;
}

Sample Implicit::Whole(int index, const Vector3d& point) const {
  const PreparedGroup& group = groups_[index];
  if (const auto only = OneChild(group, point)) return *only;
  const Sample own = Own(group, point);
  Sample added;
  for (const int child : group.children) {
    Sample addition = Addition(child, own, point, false);
    if (groups_[child].mirrored) {
      addition = JoinAdditions(addition, Addition(child, own, point, true), group.sibling_blend);
    }
    added = JoinAdditions(added, addition, group.sibling_blend);
  }
  return {own.value - added.value, own.gradient - added.gradient};
}

Sample Implicit::Addition(int child, const Sample& own, const Vector3d& point, bool mirror) const {
  const PreparedGroup& group = groups_[child];
  const Vector3d at = mirror ? Mirrored(point) : point;
  if (LowerBound(group.box, group.reach, false, at) >= own.value + group.blend) return {};
  const Sample whole = mirror ? Mirrored(Whole(child, at)) : Whole(child, at);
  const Sample joined = SmoothMin(own, whole, group.blend);
  return {own.value - joined.value, own.gradient - joined.gradient};
}

}  // namespace sinew::embedded
