// What a kind of embedded character is: its shape parameters, and the function from their values to a figure (a
// skeleton and a sculpture around it). One file per kind defines these; everything after (mesh, weights) is shared.
#ifndef SINEW_OFFLINE_EMBEDDED_KIND_H_
#define SINEW_OFFLINE_EMBEDDED_KIND_H_

#include <cstdint>
#include <string>
#include <string_view>
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
  // Neutral.
  explicit Shape(const std::vector<ShapeParameter>& parameters);
  // Throws UsageError for a name that does not exist or a value out of range, saying which there are.
  void Set(std::string_view name, double value);
  // The parameter must exist.
  double operator()(std::string_view name) const;
  const std::vector<ShapeParameter>& parameters() const { return parameters_; }
  const std::vector<double>& values() const { return values_; }

 private:
  int Find(std::string_view name) const;

  std::vector<ShapeParameter> parameters_;
  std::vector<double> values_;
};

// A body drawn at random: every parameter normal around neutral with its spread, drawn again where out of range.
Shape RandomShape(const std::vector<ShapeParameter>& parameters, uint64_t seed);

// At rest all joint frames are aligned with the model's axes.
struct FigureJoint {
  std::string name;  // "left_x" and "right_x" are mirror images
  int parent = -1;
  Vector3d position = Vector3d::Zero();
  Vector3d tip = Vector3d::Zero();  // where the bone ends that this joint moves: usually a child joint
};

struct Figure {
  std::vector<FigureJoint> joints;
  Sculpture sculpture;
  // The surface ends where it leaves this box (a skirt's waist and hem); by default it does not. Every shape must
  // bound the same faces of the box.
  Eigen::AlignedBox3d domain = Everywhere();
};

struct Kind {
  std::string name;
  std::string description;  // one line
  std::vector<ShapeParameter> parameters;
  Figure (*build)(const Shape& shape) = nullptr;
  // How far the joints of a figure turn, one limit a joint; null: as their names say.
  JointLimits (*limits)(const Figure& figure) = nullptr;
  // What a figure can do to show itself: short loops. May be null.
  std::vector<Animation> (*animations)(const Figure& figure) = nullptr;
  bool symmetric = true;  // mirror-symmetric in x, so that the mesh is too
  // Spacing of the grid that finds the surface of the neutral figure; less than any gap (between fingers) and any
  // solid part is wide. Metres.
  double grid = 0.004;
};

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_KIND_H_
