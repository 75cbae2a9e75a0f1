// The one solid that embedded characters are sculpted of, its signed-distance-like value, and how values blend.
// Metres, Y up, the character faces +Z, its left is +X.
#ifndef SINEW_OFFLINE_EMBEDDED_PRIMITIVE_H_
#define SINEW_OFFLINE_EMBEDDED_PRIMITIVE_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <utility>
#include <vector>

namespace sinew::embedded {

using Eigen::Vector3d;

// Half widths of a cross-section on the four sides of the centreline; the sides may differ (a calf is fuller behind).
struct Section {
  double plus_u = 0, minus_u = 0, plus_v = 0, minus_v = 0;

  static Section Round(double radius) { return {radius, radius, radius, radius}; }
  static Section Oval(double u, double v) { return {u, u, v, v}; }
};

// A cross-section at one place along a limb.
struct Station {
  double t = 0;         // 0 at a, 1 at b
  double u = 0, v = 0;  // centre of the section, off the straight line from a to b
  Section section;      // > 0
};

// A limb: a centreline from `a` to `b` with an elliptic cross-section that changes smoothly from section_a to section_b
// and ends in half ellipsoids. With a == b an ellipsoid. Its local frame is
//   w: from a to b (or `axis` where a == b),  u: `side` made perpendicular to w,  v = w x u.
// Two ways to remember: w up (+Y) with the default side +X has v = -Z, so minus_v is the front; w along an arm (+X)
// with side +Y has u up and v to the front (+Z).
struct Primitive {
  enum class Solid { kLimb, kHalfSpace };
  enum class Operation { kAdd, kCarve };

  Solid solid = Solid::kLimb;
  Operation operation = Operation::kAdd;  // carve: takes away from what is in the group so far
  int joint = 0;                          // whose part of the body this is; the left one of a mirrored pair
  Vector3d a = Vector3d::Zero();          // kHalfSpace: a point of the plane
  Vector3d b = Vector3d::Zero();
  Vector3d axis = Vector3d::UnitY();  // a == b: w. kHalfSpace: the normal; the solid is what lies behind the plane
  Vector3d side = Vector3d::UnitX();  // must not be parallel to w
  Section section_a, section_b;       // > 0
  double cap_a = 0, cap_b = 0;        // how far it reaches beyond a and beyond b; > 0
  Section bulge;                      // added to the section half way, fading to nothing at both ends
  Vector3d bend = Vector3d::Zero();   // how far the centreline is off the straight line half way; across w
  // At least two, from t = 0 to t = 1, increasing: the sections and the centreline pass through these smoothly (cubic
  // splines, without slope at the ends) instead of what section_a, section_b, bulge and bend say. Needs a != b.
  std::vector<Station> stations;
  double exponent = 2;       // 2: ellipse; above: boxier (4 is nearly a box with rounded edges)
  double blend = 0.01;       // radius of the fillet (add) or rounded rim (carve) with what is before
  bool mirrored = false;     // also at -x; only in groups that are not mirrored themselves
  double mirror_blend = -1;  // between the two mirror images; negative: as `blend`
};

// A limb whose caps are as long as its sections are wide on average.
Primitive Limb(const Vector3d& a, const Section& section_a, const Vector3d& b, const Section& section_b, double blend);
// A limb through stations; caps as long as the end sections are wide on average.
Primitive Loft(const Vector3d& a, const Vector3d& b, const std::vector<Station>& stations, double blend);
// An axis-aligned ellipsoid: half widths along x, y and z.
Primitive Ellipsoid(const Vector3d& center, const Vector3d& radii, double blend);
// Takes away what lies behind a plane (flat soles).
Primitive CutPlane(const Vector3d& point, const Vector3d& normal, double blend);

// A function's value and gradient at a point.
struct Sample {
  double value = 0;
  Vector3d gradient = Vector3d::Zero();
};

// Smooth minimum, twice continuously differentiable: equal to min(a, b) where they differ by more than `radius`, lower
// by radius / 6 where they are equal.
Sample SmoothMin(const Sample& a, const Sample& b, double radius);
Sample SmoothMax(const Sample& a, const Sample& b, double radius);

// What the value of a solid is at least, so far outside its box; metres.
constexpr double kFarSlope = 0.9;
constexpr double FarValue(double distance) { return kFarSlope * distance - 0.06; }

// A primitive made ready for evaluation.
class PreparedPrimitive {
 public:
  // Throws UsageError where the primitive is not a solid; `group` is for the message.
  PreparedPrimitive(const Primitive& primitive, const std::string& group);

  // Near the signed distance (first order: exact at the surface, an underestimate outside), once continuously
  // differentiable away from the centreline and, well beyond any blend, from where the box takes over.
  Sample Evaluate(const Vector3d& point) const;

  // Holds the solid.
  const Eigen::AlignedBox3d& box() const { return box_; }
  // No value is lower at this distance from the box (> 0): the first-order value by Kantorovich's bound, or FarValue().
  double LeastValue(double distance) const;
  // The share of the distance that the first-order value has at least.
  double reach() const { return reach_; }
  const Primitive& primitive() const { return primitive_; }

  // Where a point is in the primitive, in coordinates that another shape of the same primitive understands: carrying a
  // point from one shape to the other is other.FromLocal(one.ToLocal(point)).
  Vector3d ToLocal(const Vector3d& point) const;
  Vector3d FromLocal(const Vector3d& local) const;

 private:
  Sample EvaluateNear(const Vector3d& point) const;

  struct Along;  // what depends on the place along the centreline
  // Half widths on the four sides, then the centre's two coordinates.
  enum Channel { kPlusU, kMinusU, kPlusV, kMinusV, kCentreU, kCentreV, kChannels };
  struct Profile {
    double from = 0, to = 0, bulge = 0;
  };
  struct Cubic {
    double c0 = 0, c1 = 0, c2 = 0, c3 = 0;  // powers of t - (t of the span's first station)
  };
  struct Place {
    double value, slope;  // and its derivative along the centreline
  };
  Along At(double y) const;
  Place PlaceAt(const Along& at, Channel channel) const;
  void SetProfiles();
  void SetSplines();
  void CheckStations(const std::string& group) const;
  // Least and largest value of a channel.
  std::pair<double, double> Range(Channel channel) const;
  void SetBounds();

  Primitive primitive_;
  Eigen::Matrix3d local_from_model_;  // rows w, u, v
  double length_ = 0;
  Profile profiles_[kChannels];
  std::vector<Cubic> splines_;  // stations only: kChannels a span
  Eigen::AlignedBox3d box_;
  double reach_ = 1;
};

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_PRIMITIVE_H_
