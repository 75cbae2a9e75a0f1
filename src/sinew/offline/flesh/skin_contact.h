// Contact of skin with skin and with rigid colliders: a potential that pushes skin apart before and after penetration.
//
// For each point of the contact surface (contact_surface.h) the point q of a triangle is found that it presses on:
//   Inside other flesh: the point lies in a posed tetrahedron, which gives the rest position of the flesh there; q is
//   the point of the skin nearest to that rest position (as in A. McAdams et al., "Efficient Elasticity for Character
//   Skinning with Contact and Collisions", 2011). At any depth this is the way out of the flesh that it is in, never
//   the way through its own.
//   Outside, or slightly inside: q is the nearest point of the skin that faces it. The two must be nearer than half of
//   their distance at rest, which neighbours on one sheet are not, and must not have faced each other through their own
//   flesh at rest, as the two sides of an ear do.
// With the gap s along the normal n at q (negative inside), a point of area a has the energy
//   a k / 2 max(0, g - s)^2,  g = min(contact distance, half the way between the two at rest),
// so that skin that was close at rest (lips, toes) does not push at rest. Beyond a depth of `yield` the pressure stays
// constant, so that flesh is not crushed between bones that pass through each other.
//
// Pairs and normals are found before each Newton step and stay fixed during it. The energy is then piecewise quadratic,
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

// Lengths are in the positions' unit.
struct SkinContactOptions {
  double distance = 0.003;  // contact distance: skin nearer than this to other skin pushes
  double hardly = 0.02;     // depth up to which a point counts as only slightly inside
  double own_flesh = 0.02;  // distance at rest up to which flesh counts as a point's own
  double yield = 0.01;      // depth beyond which the pressure stays constant
  double stiffness = 1;     // k, pressure per length
};

// Point of the contact surface that is nearer to other skin at rest than the contact distance, with only air between.
// Contact keeps half of that gap there.
struct CloseAtRest {
  int point = -1, triangle = -1;  // of the contact surface
  double gap = 0;                 // distance between them at rest
};

// Contact of a point with a triangle or with a rigid collider. The gap is linear in the node positions before skinning:
// offset + sum_k weights[k] . z[nodes[k]].
struct ContactPair {
  static constexpr int kNodes = 16;  // four per point and per corner of the triangle; unused ones have weight 0
  int point = -1, triangle = -1;     // of the contact surface; triangle -1 for a rigid collider
  double distance = 0;               // from the point to the triangle or collider when the pair was found
  double gap = 0;                    // s when the pair was found
  double yield = 0;                  // g - s beyond which the pressure stays constant
  double free_gap = 0;               // g
  double stiffness = 0;              // a k
  double offset = 0;
  // Barycentric coordinates of q on the triangle, and the vector from q to the point when the pair was found. Not used
  // for colliders.
  Eigen::Vector3d barycentric = Eigen::Vector3d::Zero(), way = Eigen::Vector3d::Zero();
  std::array<int, kNodes> nodes = {};
  std::array<Eigen::Vector3d, kNodes> weights = MakeZeros();

  // Gap s at z.
  double Gap(const Nodes& z) const;
  double Energy(const Nodes& z) const;
  // Negative derivative of the energy with respect to the gap; not negative.
  double Force(double at_gap) const;
  // Upper bound on the second derivative of the energy with respect to the gap.
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
  // embedding: of the surface's points, in `tets`.
  SkinContact(ContactSurface surface, const Embedding& embedding, const SplitTets& tets,
              const SkinContactOptions& options);

  const ContactSurface& surface() const { return surface_; }
  const SkinContactOptions& options() const { return options_; }

  // Rigid collider, placed as at rest.
  struct Collider {
    std::unique_ptr<elasticity::RigidCollider> shape;
    int joint = -1;      // index of the joint it moves with; -1 if it stays
    bool given = false;  // whether each solve says where it is, in place of a joint
  };
  void SetColliders(std::vector<Collider> colliders) { colliders_ = std::move(colliders); }
  bool has_colliders() const { return !colliders_.empty(); }
  // Finds the points that are close to other skin at rest, each with the triangle nearest to it.
  std::vector<CloseAtRest> FindCloseAtRest() const;

  // Posed shape of the flesh, prepared for searches.
  struct Shape {
    const Nodes* z = nullptr;
    const std::vector<Eigen::Affine3d>* maps = nullptr;  // one per point: from z to its posed position
    Nodes nodes;                                         // posed positions of the tetrahedra's nodes
    Points positions, normals;                           // one per point
    Points facing;                                       // one per triangle: sum of its corners' normals
    Points centres;                                      // one per triangle
    std::vector<float> radii;  // one per triangle: radius of its bounding sphere around the centre
    Nodes in_tets;             // one per point: its position in its straight posed tetrahedron
    // Matrices, one per tetrahedron, from a position relative to its first corner to the barycentric coordinates of the
    // other three corners; 0 if inverted.
    std::vector<Eigen::Matrix3d> to_barycentric;
    Bvh triangles, tets;       // around the posed ones
    std::vector<Box> facings;  // one per node of `triangles`: bounding box of `facing` over its triangles
  };
  // Prepares a shape. maps: one per point, from z to its posed position. nodes: posed positions of the tetrahedra's
  // nodes. z and maps must live as long as the shape.
  Shape MakeShape(const std::vector<Eigen::Affine3d>& maps, Nodes nodes, const Nodes& z) const;

  // Points that could touch other skin as long as nothing moves further than `margin`.
  std::vector<int> Candidates(const Shape& shape, double margin) const;
  // Finds all pairs of skin of these points that push, or are within the contact distance.
  std::vector<ContactPair> FindPairs(const Shape& shape, const std::vector<int>& candidates) const;

  // Distance by which the point of a pair of skin has slid over the skin that it presses on since the pair was found.
  double Slide(const Shape& shape, const ContactPair& pair) const;

  // Finds all points that touch a rigid collider or are inside it. joints: motions from rest, one per joint. places:
  // motions from rest of the colliders whose places are given, in order; those beyond its end are not there.
  std::vector<ContactPair> FindColliderPairs(const Shape& shape, const std::vector<DualQuaternion>& joints,
                                             const std::vector<Rigid>& places) const;

  // Place on the skin that a point presses on.
  struct Found {
    int triangle = -1;    // -1 if there is none
    double distance = 0;  // from the point to the triangle
    Eigen::Vector3d barycentric = Eigen::Vector3d::Zero();
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    double gap = 0, rest_distance = 0;
  };
  // Finds the way out of other flesh that the point is in.
  Found FindInside(const Shape& shape, int point) const;
  // Finds the nearest skin that faces the point, up to `margin` beyond the distances at which it pushes.
  Found FindNear(const Shape& shape, int point, double margin) const;
  // Brute-force versions of FindInside and FindNear without trees, as oracles for tests.
  Found FindInsideByAsking(const Shape& shape, int point) const;
  Found FindNearByAsking(const Shape& shape, int point, double margin) const;

 private:
  // Marks in `could` the points of a group for which FindNear finds anything.
  void MarkNear(const Shape& shape, const std::vector<int>& group, double margin, std::vector<bool>& could) const;
  // Marks in `could` the points of a group for which FindInside finds anything.
  void MarkInside(const Shape& shape, const std::vector<int>& group, std::vector<bool>& could) const;
  // Replaces `best` by this triangle if the point presses on it by the rules above and it is nearer.
  void TryTriangle(const Shape& shape, int point, int triangle, double margin, Found& best) const;
  // Whether a place in the tetrahedron at rest is flesh of the tetrahedron's own piece rather than of another.
  bool IsOwnPiece(int tet, const Eigen::Vector3d& place) const;
  // Replaces `best` by the skin of the flesh in this tetrahedron if the point is inside it, and deeper than in `best`.
  void TryTet(const Shape& shape, int point, int tet, Found& best) const;
  // Vector from q on the pair's triangle to its point.
  Eigen::Vector3d WayTo(const Shape& shape, const ContactPair& pair) const;
  // Adds `share` times the point's position along the normal to the pair's gap: its offset, and its nodes and weights
  // from index `next` on, which is advanced.
  void AddPoint(const Shape& shape, int point, double share, const Eigen::Vector3d& normal, int& next,
                ContactPair& pair) const;

  ContactSurface surface_;
  Embedding embedding_;
  SplitTets split_;
  SkinContactOptions options_;
  Points rest_normals_;
  SurfaceQuery rest_query_;
  std::vector<Collider> colliders_;
  std::vector<std::vector<int>> groups_;  // all points, in groups near each other at rest
  Bvh triangles_, tets_;                  // at rest; posed trees have the same items and other boxes
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_SKIN_CONTACT_H_
