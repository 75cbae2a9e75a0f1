// Definition of a kind of embedded character: its shape parameters, and the function that builds a figure (a skeleton
// and a sculpture around it) from their values. One file per kind defines these; making mesh and weights is shared.
#ifndef SINEW_OFFLINE_EMBEDDED_KIND_H_
#define SINEW_OFFLINE_EMBEDDED_KIND_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/embedded/implicit.h"
#include "sinew/offline/mesh/extract_surface.h"

namespace sinew::embedded {

struct ShapeParameter {
  std::string name;     // as in --shape NAME=VALUE
  std::string meaning;  // one short line, with the unit
  double low = 0, neutral = 0, high = 1;
  double spread = 0;  // standard deviation of random draws, which stay inside [low, high]
};

// One value per parameter of a kind.
class Shape {
 public:
  // Sets every parameter to its neutral value.
  explicit Shape(const std::vector<ShapeParameter>& parameters);
  // Throws UsageError for an unknown name or a value out of range; the message lists the names or the range.
  void Set(std::string_view name, double value);
  // Returns the value of a parameter, which must exist.
  double operator()(std::string_view name) const;
  const std::vector<ShapeParameter>& parameters() const { return parameters_; }
  const std::vector<double>& values() const { return values_; }

 private:
  int Find(std::string_view name) const;

  std::vector<ShapeParameter> parameters_;
  std::vector<double> values_;
};

// Draws a random shape: every parameter is normally distributed around its neutral value with its spread, and drawn
// again while out of range. The same seed gives the same shape.
Shape RandomShape(const std::vector<ShapeParameter>& parameters, uint64_t seed);

// Joint of a figure at rest, in model space, metres. All joint frames are aligned with the model's axes.
struct FigureJoint {
  std::string name;  // "left_x" and "right_x" are mirror images
  int parent = -1;
  Vector3d position = Vector3d::Zero();
  Vector3d tip = Vector3d::Zero();  // end of the bone that this joint moves, usually a child joint
};

struct Figure {
  std::vector<FigureJoint> joints;
  Sculpture sculpture;
  // Box that bounds the surface, which is open where it leaves the box (a skirt's waist and hem). Infinite by default:
  // a closed surface. Every shape of a kind must bound the same faces of the box.
  Eigen::AlignedBox3d domain = Everywhere();
};

// Build around which shapes can be drawn: what it differs in from the neutral shape.
struct BodyBuild {
  std::string name;
  std::vector<std::pair<std::string, double>> values;  // names and values of parameters
};

struct Kind {
  std::string name;
  std::string description;  // one line
  std::vector<ShapeParameter> parameters;
  // The same parameters with wider ranges and spreads, and builds to spread them around, for bodies to learn from
  // (VariedShape()). Empty: `parameters` serve for that, too.
  std::vector<ShapeParameter> varied = {};
  std::vector<BodyBuild> builds = {};
  Figure (*build)(const Shape& shape) = nullptr;
  // Returns the joint limits of a figure, one per joint. Null: limits are found by the joints' names.
  JointLimits (*limits)(const Figure& figure) = nullptr;
  // Returns short looping animations that show the figure in motion. Null: none.
  std::vector<Animation> (*animations)(const Figure& figure) = nullptr;
  bool symmetric = true;  // mirror-symmetric in x; the mesh is then exactly symmetric too
  // Spacing of the grid that extracts the surface of the neutral figure, metres. Must be less than the width of every
  // gap (between fingers) and of every solid part.
  double grid = 0.004;
};

// Draws a random shape of Kind::varied: around one of the builds, each as likely as the others. The same seed gives the
// same shape.
Shape VariedShape(const Kind& kind, uint64_t seed);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_KIND_H_
