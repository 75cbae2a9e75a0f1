// A sculpture: primitives in a tree of groups, and its signed-distance-like value.
//
// Inside a group, primitives are applied in their order, each blended with what is there already. A group is then
// blended with its parent's own primitives, and with nothing else: two children of one parent (two fingers, two legs,
// arm and head) never grow a web between them, however near they are.
//
// Everything is a plain number, so that another body is the same sculpture with other numbers: the builder of a kind
// must give the same groups and primitives, in the same order, for every shape.
#ifndef SINEW_OFFLINE_EMBEDDED_IMPLICIT_H_
#define SINEW_OFFLINE_EMBEDDED_IMPLICIT_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/embedded/primitive.h"
#include "sinew/offline/mesh/implicit_surface.h"

namespace sinew::embedded {

struct Group {
  std::string name;
  int parent = -1;           // index of an earlier group; the first group is the root and the only one without
  double blend = 0.02;       // radius of the fillet with the parent's own primitives
  double sibling_blend = 0;  // rounds the valley where two of this group's children meet; a millimetre or two
  bool mirrored = false;     // the group, with all below it, also at -x. What is below a mirrored group says false
  // What the coarsest meshes leave out: rounder forms than this (radius, metres) stay. 0: everything stays.
  double spare = 0;
  std::vector<Primitive> primitives;  // at least one
};

struct Sculpture {
  std::vector<Group> groups;
  std::vector<Primitive> cuts;  // planes that carve the whole at last (soles)

  // Returns the new group's index.
  int AddGroup(const std::string& name, int parent, double blend, bool mirrored = false);
  // Returns the primitive inside the group, for fields that the short forms leave out; valid until the next Add.
  Primitive& Add(int group, int joint, const Primitive& primitive);
};

// Which solid a point of the surface belongs to, and how much where solids flow into each other.
struct Owner {
  int group = 0;  // -1: one of the sculpture's cuts
  int primitive = 0;
  bool mirrored = false;  // its mirror image
  double weight = 1;
};

// The value is the same, to the last bit, at a point and its mirror image if everything that is not mirrored is
// symmetric itself. Solids that cannot matter at a point are skipped by their boxes, which never changes the value.
class Implicit : public ImplicitSurface {
 public:
  // Throws UsageError if the sculpture is not one (no group, an empty one, a parent that comes later, a mirror in a
  // mirror, a section or cap <= 0).
  explicit Implicit(const Sculpture& sculpture);

  double Evaluate(const Vector3d& point, Vector3d* gradient) const override;
  Eigen::AlignedBox3d Bounds() const override { return bounds_; }

  // For a point on the surface; the weights sum to 1. Without cuts: as if there were none.
  std::vector<Owner> Owners(const Vector3d& point, bool with_cuts = true) const;
  // Where a point of this surface is on `other`, which is another shape of the same sculpture. Near its surface.
  Vector3d Carry(const Implicit& other, const Vector3d& point) const;

 private:
  struct PreparedGroup {
    double blend = 0, sibling_blend = 0;
    bool mirrored = false;
    std::vector<PreparedPrimitive> primitives;
    std::vector<int> children;
    Eigen::AlignedBox3d box;  // of all below, without the group's own mirror image
    double reach = 1;
    // The same for the group's own primitives; their value is at least reach * distance - slack.
    Eigen::AlignedBox3d own_box;
    double own_reach = 1, own_slack = 0;
  };

  void SetBounds();
  static void SetOwnBounds(PreparedGroup& group);
  static Sample Own(const PreparedGroup& group, const Vector3d& point);
  static size_t FirstThatMatters(const PreparedGroup& group, const Vector3d& point, Sample& own);
  std::optional<Sample> OneChild(const PreparedGroup& group, const Vector3d& point) const;
  Sample Whole(int index, const Vector3d& point) const;
  Sample Addition(int child, const Sample& own, const Vector3d& point, bool mirror) const;

  void AddOwners(int index, const Vector3d& point, bool mirrored, double weight, std::vector<Owner>& owners) const;
  static void AddOwnOwners(const PreparedGroup& group, int index, const Vector3d& point, bool mirrored, double weight,
                           std::vector<Owner>& owners);
  const PreparedPrimitive& Solid(const Owner& owner) const {
    return owner.group < 0 ? cuts_[owner.primitive] : groups_[owner.group].primitives[owner.primitive];
  }

  std::vector<PreparedGroup> groups_;
  std::vector<PreparedPrimitive> cuts_;
  Eigen::AlignedBox3d bounds_;
};

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_IMPLICIT_H_
