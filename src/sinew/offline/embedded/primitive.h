// The solid primitive that embedded characters are sculpted from, its approximate signed distance, and the blending of
// such distances. Metres, Y up, the character faces +Z, its left is +X.
#ifndef SINEW_OFFLINE_EMBEDDED_PRIMITIVE_H_
#define SINEW_OFFLINE_EMBEDDED_PRIMITIVE_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <utility>
#include <vector>

namespace sinew::embedded {

using Eigen::Vector3d;

// Half widths of a cross-section from the centreline along +u, -u, +v and -v of Primitive's local frame; they may
// differ (a calf is fuller behind).
struct Section {
  double plus_u = 0, minus_u = 0, plus_v = 0, minus_v = 0;

  static Section Round(double radius) { return {radius, radius, radius, radius}; }
  static Section Oval(double u, double v) { return {u, u, v, v}; }
};

// Cross-section at one place along a limb.
struct Station {
  double t = 0;         // place along the limb, 0 at a, 1 at b
  double u = 0, v = 0;  // offset of the section's centre from the straight line from a to b, along u and v
  Section section;      // > 0
};

// A limb or a half space. A limb is a centreline from `a` to `b` with an elliptic cross-section that changes smoothly
// from section_a to section_b, closed by half ellipsoids at both ends; with a == b it is an ellipsoid. Local frame:
//   w: from a to b (or `axis` where a == b),  u: `side` made perpendicular to w,  v = w x u.
// Two examples: w up (+Y) with the default side +X has v = -Z, so minus_v is the front; w along an arm (+X) with side
// +Y has u up and v to the front (+Z).
struct Primitive {
  enum class Solid { kLimb, kHalfSpace };
  enum class Operation { kAdd, kCarve };

  Solid solid = Solid::kLimb;
  Operation operation = Operation::kAdd;  // kCarve: subtracts from the solids before it in its group (implicit.h)
  int joint = 0;                          // joint that this solid moves with; the left one of a mirrored pair
  Vector3d a = Vector3d::Zero();          // kHalfSpace: a point of the plane
  Vector3d b = Vector3d::Zero();
  Vector3d axis = Vector3d::UnitY();  // a == b: w. kHalfSpace: the normal; the solid lies behind the plane
  Vector3d side = Vector3d::UnitX();  // limb: must not be parallel to w
  Section section_a, section_b;       // > 0
  double cap_a = 0, cap_b = 0;        // lengths of the half ellipsoids beyond a and beyond b; > 0
  Section bulge;                      // added to the section half way from a to b, fading to 0 at both ends
  Vector3d bend = Vector3d::Zero();   // offset of the centreline half way from a to b; perpendicular to w
  // Stations that the sections and the centreline pass through smoothly (cubic splines with zero slope at the ends),
  // instead of following section_a, section_b, bulge and bend. Empty, or at least two with t increasing from 0 to 1;
  // then a != b is required.
  std::vector<Station> stations;
  double exponent = 2;       // >= 2. 2: ellipse; above: boxier (4 is nearly a box with rounded edges)
  double blend = 0.01;       // radius of the fillet (kAdd) or rounded rim (kCarve) with the solids before it
  bool mirrored = false;     // adds the mirror image at -x; only in groups that are not mirrored
  double mirror_blend = -1;  // radius of the fillet between the two mirror images; negative: as `blend`
};

// Makes a limb. Each cap is as long as the mean half width of the section at its end; `side` is +Y if the limb is
// nearly parallel to x, otherwise +X.
Primitive Limb(const Vector3d& a, const Section& section_a, const Vector3d& b, const Section& section_b, double blend);
// Makes a limb through stations, with caps and `side` as in Limb().
Primitive Loft(const Vector3d& a, const Vector3d& b, const std::vector<Station>& stations, double blend);
// Makes an axis-aligned ellipsoid. radii: half widths along x, y and z.
Primitive Ellipsoid(const Vector3d& center, const Vector3d& radii, double blend);
// Makes a half space that carves away everything behind a plane, on the side that the normal points away from (flat
// soles).
Primitive CutPlane(const Vector3d& point, const Vector3d& normal, double blend);

// Value and gradient of a function at a point.
struct Sample {
  double value = 0;
  Vector3d gradient = Vector3d::Zero();
};

// Returns a smooth minimum, twice continuously differentiable in the values: min(a, b) where they differ by at least
// `radius`, min(a, b) - radius / 6 where they are equal. SmoothMax() likewise, with max and +.
Sample SmoothMin(const Sample& a, const Sample& b, double radius);
Sample SmoothMax(const Sample& a, const Sample& b, double radius);

// FarValue(): lower bound of the value of PreparedPrimitive::Evaluate() at a distance from the limb's bounding box, in
// metres; kFarSlope: its slope.
constexpr double kFarSlope = 0.9;
constexpr double FarValue(double distance) { return kFarSlope * distance - 0.06; }

// A primitive prepared for evaluation.
class PreparedPrimitive {
 public:
  // Throws UsageError if the primitive is not a valid solid. group: name of its group, for the message.
  PreparedPrimitive(const Primitive& primitive, const std::string& group);

  // Returns a first-order approximation of the signed distance: 0 at the surface, an underestimate outside a limb of
  // constant section. It ignores how steeply the section and the centreline change, so it overestimates beside a
  // tapered, bulging or bent limb. Well beyond any blend radius, FarValue() of the distance from the bounding box
  // replaces it where that is larger. Once continuously differentiable except at the centreline and where that
  // replacement starts.
  Sample Evaluate(const Vector3d& point) const;

  // Bounding box of the solid.
  const Eigen::AlignedBox3d& box() const { return box_; }
  // Returns a lower bound of Evaluate() at a distance (> 0) from the bounding box: the larger of reach() * distance and
  // FarValue().
  double LeastValue(double distance) const;
  // Lower bound of the ratio of the first-order approximation to the true distance, by Kantorovich's inequality.
  double reach() const { return reach_; }
  const Primitive& primitive() const { return primitive_; }

  // Convert a point to and from coordinates relative to the primitive's dimensions (along the centreline, u, v), so
  // that other.FromLocal(one.ToLocal(point)) transfers a point between two shapes of the same primitive.
  Vector3d ToLocal(const Vector3d& point) const;
  Vector3d FromLocal(const Vector3d& local) const;

 private:
  Sample EvaluateNear(const Vector3d& point) const;

  struct Along;  // quantities that depend on the place along the centreline
  // Quantities that vary along the centreline: half widths on the four sides, then the centre's two coordinates.
  enum Channel { kPlusU, kMinusU, kPlusV, kMinusV, kCentreU, kCentreV, kChannels };
  struct Profile {
    double from = 0, to = 0, bulge = 0;
  };
  struct Cubic {
    double c0 = 0, c1 = 0, c2 = 0, c3 = 0;  // coefficients of the powers of t - (t of the span's first station)
  };
  struct Place {
    double value, slope;  // slope: derivative of the value along the centreline
  };
  Along At(double y) const;
  Place PlaceAt(const Along& at, Channel channel) const;
  void SetProfiles();
  void SetSplines();
  void CheckStations(const std::string& group) const;
  // Returns bounds of a channel's values: lowest and highest.
  std::pair<double, double> Range(Channel channel) const;
  void SetBounds();

  Primitive primitive_;
  Eigen::Matrix3d local_from_model_;  // rows w, u, v
  double length_ = 0;
  Profile profiles_[kChannels];
  std::vector<Cubic> splines_;  // kChannels per span between stations; empty without stations
  Eigen::AlignedBox3d box_;
  double reach_ = 1;
};

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_PRIMITIVE_H_
