// Sculptures: solids blended in a tree of groups, and the implicit surface (approximate signed distance) of the result.
//
// Inside a group, primitives are applied in order, each blended with the result so far. A group is then blended with
// its parent's own primitives, and with nothing else: two children of one parent (two fingers, two legs, arm and head)
// never grow a web between them, however near they are.
//
// All of it is plain numbers, so that another shape is the same sculpture with other numbers: the builder of a kind of
// character must return the same groups and primitives, in the same order, for every shape.
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
  int parent = -1;      // index of an earlier group; only the first group, the root, has none (-1)
  double blend = 0.02;  // radius of the fillet with the parent's own primitives, metres
  // Radius that rounds the valley where two of this group's children meet, metres; usually 1 to 2 mm. It adds nothing
  // where not both of them stand out of this group, so no web grows.
  double sibling_blend = 0;
  bool mirrored = false;  // adds the mirror image at -x of the group and all its descendants, which must say false
  // Smallest radius of curvature that the coarsest meshes resolve, metres: they may leave out smaller details of this
  // group. 0: they keep all details.
  double spare = 0;
  std::vector<Primitive> primitives;  // at least one; the first must add
};

struct Sculpture {
  std::vector<Group> groups;
  std::vector<Primitive> cuts;  // planes that carve the whole sculpture in the end (flat soles)

  // Returns the new group's index.
  int AddGroup(const std::string& name, int parent, double blend, bool mirrored = false);
  // Appends a copy of the primitive that belongs to `joint`, and returns a reference to it, for setting the fields that
  // Limb(), Loft() and the like leave at their defaults. The reference is valid until the next Add() to the group.
  Primitive& Add(int group, int joint, const Primitive& primitive);
};

// Solid that a surface point belongs to, with its share where several solids blend.
struct Owner {
  int group = 0;  // -1: one of the sculpture's cuts
  int primitive = 0;
  bool mirrored = false;  // the owner is the mirror image of the solid
  double weight = 1;      // share in the point, in (0, 1]
};

// Implicit surface of a sculpture. If everything that is not mirrored is symmetric itself, the value at a point and at
// its mirror image is bitwise the same. Solids that cannot influence a point are skipped by their bounding boxes; this
// never changes the value.
class Implicit : public ImplicitSurface {
 public:
  // Throws UsageError if the sculpture is invalid (no group, an empty group or one that starts with a carve, a parent
  // that is not an earlier group, a mirrored group or primitive inside a mirrored group, an invalid primitive such as
  // one with a section or cap <= 0).
  explicit Implicit(const Sculpture& sculpture);

  double Evaluate(const Vector3d& point, Vector3d* gradient) const override;
  Eigen::AlignedBox3d Bounds() const override { return bounds_; }

  // Returns the owners of a point on the surface; their weights sum to 1. with_cuts: whether the sculpture's cuts can
  // be owners; if false, the owners are those of the sculpture without its cuts.
  std::vector<Owner> Owners(const Vector3d& point, bool with_cuts = true) const;
  // Maps a point of this surface to the corresponding point of `other`, another shape of the same sculpture. The result
  // is near the surface of `other`, not exactly on it.
  Vector3d Carry(const Implicit& other, const Vector3d& point) const;

 private:
  struct PreparedGroup {
    double blend = 0, sibling_blend = 0;
    bool mirrored = false;
    std::vector<PreparedPrimitive> primitives;
    std::vector<int> children;
    // Bounding box of the group and its descendants, without the group's own mirror image; the value at a distance from
    // it is at least reach * distance.
    Eigen::AlignedBox3d box;
    double reach = 1;
    // Bounding box of the group's own primitives; their value is at least own_reach * distance - own_slack.
    Eigen::AlignedBox3d own_box;
    double own_reach = 1, own_slack = 0;
  };

  void SetBounds();
  static void SetOwnBounds(PreparedGroup& group);
  // Returns the value of the group's own primitives alone.
  static Sample Own(const PreparedGroup& group, const Vector3d& point);
  // Returns the index of the first primitive that still has to be applied to `own`, which holds the value of those
  // before it: infinity for index 0, else that of the one that hides all earlier ones.
  static size_t FirstThatMatters(const PreparedGroup& group, const Vector3d& point, Sample& own);
  std::optional<Sample> OneChild(const PreparedGroup& group, const Vector3d& point) const;
  // Returns the value of a group with all its descendants, without the group's own mirror image.
  Sample Whole(int index, const Vector3d& point) const;
  // Returns by how much a child group, or its mirror image, lowers `own`, the value of its parent's own primitives.
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
