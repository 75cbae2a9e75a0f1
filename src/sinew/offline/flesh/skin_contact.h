// Skin against skin: a potential that pushes apart before and after penetration.
//
// Each point of the contact surface looks for the place of the skin that it presses on, a point q of a triangle:
//   Inside other flesh: it is in a posed tetrahedron, which says where that flesh is at rest; q is the skin nearest to
//   there at rest (as in A. McAdams et al., "Efficient Elasticity for Character Skinning with Contact and Collisions",
//   2011). However deep it is, this is the way out of the flesh that it is in, never the way through its own.
//   Outside, or hardly inside: q is the nearest place that faces it. The two must have come nearer than half of their
//   distance at rest, which neighbours on one sheet have not, and must not have faced each other through their own
//   flesh at rest, as the two sides of an ear do.
// With the gap s along the normal n at q (negative inside), a point of area a has the energy
//   a k / 2 max(0, g - s)^2,  g = min(contact distance, half the way between the two at rest),
// so that what was close at rest (lips, toes) does not push there. From a depth of `yield` on the pressure stays as it
// is: where bones pass through each other, flesh between them is not crushed.
//
// Pairs and normals are found anew before each Newton step and kept during it: then the energy is quadratic in places,
// and its second derivatives are exact and never negative.
#ifndef SINEW_OFFLINE_FLESH_SKIN_CONTACT_H_
#define SINEW_OFFLINE_FLESH_SKIN_CONTACT_H_

#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "sinew/offline/elasticity/rigid_collider.h"
#include "sinew/offline/flesh/contact_surface.h"
#include "sinew/offline/flesh/skin_frames.h"
#include "sinew/offline/flesh/split_sheets.h"
#include "sinew/offline/mesh/box_tree.h"
#include "sinew/offline/mesh/embedding.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::flesh {

struct SkinContactOptions {
  double distance = 0.003;  // in the positions' unit
  double hardly = 0.02;     // hardly inside: up to this
  double own_flesh = 0.02;  // flesh nearer than this at rest is a point's own
  double yield = 0.01;      // the depth from which on pressure stays as it is
  double stiffness = 1;     // k, pressure per length
};

// A place where the skin is nearer to other skin at rest than the contact distance, with nothing but air between.
// There, half of that gap is what contact keeps.
struct CloseAtRest {
  int point = -1, triangle = -1;
  double gap = 0;
};

// A point that presses on a triangle, or (triangle -1) on a rigid collider: the gap is offset + sum_k weight_k .
// z_node_k.
struct ContactPair {
  static constexpr int kNodes = 16;
  int point = -1, triangle = -1;
  double distance = 0;   // from the point to the triangle
  double gap = 0;        // s when it was found
  double yield = 0;      // how far it can be pressed before the pressure stays as it is
  double free_gap = 0;   // g
  double stiffness = 0;  // a k
  double offset = 0;
  // The place on the triangle, and the way from there to the point when it was found; of pairs of skin alone.
  Eigen::Vector3d barycentric = Eigen::Vector3d::Zero(), way = Eigen::Vector3d::Zero();
  std::array<int, kNodes> nodes = {};
  std::array<Eigen::Vector3d, kNodes> weights = MakeZeros();

  double Gap(const Nodes& z) const;
  double Energy(const Nodes& z) const;
  // Minus the energy's derivative by the gap, not negative.
  double Force(double at_gap) const;
  // A curvature of the energy by the gap that never understates it.
  double Curvature(double at_gap) const;

 private:
  static std::array<Eigen::Vector3d, kNodes> MakeZeros() {
    std::array<Eigen::Vector3d, kNodes> zeros;
    zeros.fill(Eigen::Vector3d::Zero());
    return zeros;
  }
};

class SkinContact {
 public:
  // embedding: of the surface's points.
  SkinContact(ContactSurface surface, const Embedding& embedding, const SplitTets& tets,
              const SkinContactOptions& options);

  const ContactSurface& surface() const { return surface_; }
  const SkinContactOptions& options() const { return options_; }

  // A rigid thing, where it is at rest, that moves with a joint; joint -1: not at all.
  struct Collider {
    std::unique_ptr<elasticity::RigidCollider> shape;
    int joint = -1;
  };
  void SetColliders(std::vector<Collider> colliders) { colliders_ = std::move(colliders); }
  // Of each point the nearest such place.
  std::vector<CloseAtRest> FindCloseAtRest() const;

  // One shape of the flesh.
  struct Shape {
    const Nodes* z = nullptr;
    const std::vector<Eigen::Affine3d>* maps = nullptr;  // of the points: from z to where they are
    Nodes nodes;                                         // the tetrahedra's, posed
    Points positions, normals;                           // of the points
    Points facing;                                       // of the triangles: the sums of their corners' normals
    Points centres;                                      // of the triangles
    std::vector<float> radii;                            // of spheres around those that hold the triangles
    Nodes in_tets;  // the points where the posed tetrahedra, with straight edges, have them
    // Of the tetrahedra, from their first corner: to barycentric coordinates of the other three. 0 if inverted.
    std::vector<Eigen::Matrix3d> to_barycentric;
    Bvh triangles, tets;
    std::vector<Box> facings;  // of the nodes of `triangles`: around what is in `facing` of their triangles
  };
  // nodes: where the tetrahedra's are. z and maps must live as long as the shape.
  Shape MakeShape(const std::vector<Eigen::Affine3d>& maps, Nodes nodes, const Nodes& z) const;

  // Which points could touch something while nothing moves further than `margin`.
  std::vector<int> Candidates(const Shape& shape, double margin) const;
  // All pairs of these points that push, or are within the contact distance.
  std::vector<ContactPair> FindPairs(const Shape& shape, const std::vector<int>& candidates) const;

  // How far the point of a pair of skin has slid over the skin that it presses on since it was found.
  double Slide(const Shape& shape, const ContactPair& pair) const;

  // All points that touch a rigid collider, or are inside it. joints: the motions of all joints from rest.
  std::vector<ContactPair> FindColliderPairs(const Shape& shape, const std::vector<DualQuaternion>& joints) const;

  // What a point presses on; triangle -1: nothing.
  struct Found {
    int triangle = -1;
    double distance = 0;  // to it
    Eigen::Vector3d barycentric = Eigen::Vector3d::Zero();
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    double gap = 0, rest_distance = 0;
  };
  Found FindInside(const Shape& shape, int point) const;
  Found FindNear(const Shape& shape, int point, double margin) const;
  // The same without trees: their oracles.
  Found FindInsideByAsking(const Shape& shape, int point) const;
  Found FindNearByAsking(const Shape& shape, int point, double margin) const;

 private:
  // Marks the points of a group for which FindNear, or FindInside, has anything to find.
  void MarkNear(const Shape& shape, const std::vector<int>& group, double margin, std::vector<bool>& could) const;
  void MarkInside(const Shape& shape, const std::vector<int>& group, std::vector<bool>& could) const;
  // Better than `best` by the rules above? Then best is it.
  void TryTriangle(const Shape& shape, int point, int triangle, double margin, Found& best) const;
  // Is the place, at rest in the tetrahedron, flesh of its own piece rather than of another?
  bool IsOwnPiece(int tet, const Eigen::Vector3d& place) const;
  void TryTet(const Shape& shape, int point, int tet, Found& best) const;
  // From the pair's place on its triangle to its point.
  Eigen::Vector3d WayTo(const Shape& shape, const ContactPair& pair) const;
  // Adds how much the point, times `share`, moves along the normal with its nodes: to the pair's weights from `next`
  // on.
  void AddPoint(const Shape& shape, int point, double share, const Eigen::Vector3d& normal, int& next,
                ContactPair& pair) const;

  ContactSurface surface_;
  Embedding embedding_;
  SplitTets split_;
  SkinContactOptions options_;
  Points rest_normals_;
  SurfaceQuery rest_query_;
  std::vector<Collider> colliders_;
  std::vector<std::vector<int>> groups_;  // points that are near each other at rest; all of them
  Bvh triangles_, tets_;                  // at rest; posed ones have their items and other boxes
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_SKIN_CONTACT_H_
