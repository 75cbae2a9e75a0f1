// Edits a mesh that lies on a surface, edge by edge, towards nearly equilateral triangles of a desired size: what
// remeshing of implicit surfaces (remesh.h) and of triangle meshes (remesh_triangles.h) have in common.
#ifndef SINEW_OFFLINE_REMESH_REMESHER_H_
#define SINEW_OFFLINE_REMESH_REMESHER_H_

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/edit_mesh.h"
#include "sinew/offline/remesh/size_field.h"

namespace sinew {

// Surface on which vertices are moved. Vertices may be bound to faces: planes that cut the surface, or lines on it. The
// faces of a vertex are the bits of an int; 0: it moves freely on the surface.
class RemeshGround {
 public:
  // Bit of the faces of a vertex that must stay where it is, and in the mesh.
  static constexpr int kFixed = 1 << 30;

  virtual ~RemeshGround() = default;

  // Moves a point onto the surface, inside the faces that it is bound to, and returns the surface's normal there.
  // normal: of the surface where the point came from, or zero if that is not known. May be called from several threads
  // at once.
  virtual Eigen::Vector3d Project(int faces, const Eigen::Vector3d& normal, Eigen::Vector3d& point) const = 0;
  // Takes out of a move from `before` to `after` what leaves the faces.
  virtual void Hold(int faces, const Eigen::Vector3d& before, Eigen::Vector3d& after) const = 0;
  // Whether faces may be lines with triangles on both sides. Every edge between two vertices of one face then lies on
  // it.
  virtual bool has_inner_lines() const { return false; }
};

class Remesher {
 public:
  // faces: one per vertex of `start`, as RemeshGround understands them. ground, field: must outlive this.
  Remesher(const RemeshGround& ground, const FineMesh& start, std::vector<int> faces, bool half, SizeField& field);

  // Only collapses what is much finer than `length`: badly shaped, but fast. The ground is not asked.
  FineMesh Thin(double length);

  // Moves the vertices without editing the mesh. Returns the number of triangles that are folded over.
  int MoveOnly(const FineMesh& like, const std::vector<double>& lengths, int rounds, FineMesh& mesh);

  // Remeshes with a number of vertices. Throws FailedError if that cannot be reached.
  FineMesh Run(int wanted, int rounds);
  // Does the same, but returns whether the number was reached; Current() is the mesh as near to it as could be.
  bool Approach(int wanted, int rounds);

  // Number of edits, each of an edge drawn at random.
  struct Edits {
    int flips = 0, splits = 0, collapses = 0;
  };
  // Edits edges at random, in a mixed order, without moving vertices but those that it adds. Edges whose edit would
  // leave a sliver or a fold are drawn again, up to a limit; returns the edits that were done.
  Edits EditAtRandom(const Edits& wanted, Random& random);

  // Gives every triangle of the mesh a label, which its pieces inherit, and returns those of the triangles of
  // Current() in their order.
  void SetLabels(std::vector<int> labels) { labels_ = std::move(labels); }
  std::vector<int> Labels() const;
  FineMesh Current() const { return mesh_.ToMesh(); }

 private:
  // Cosine of the largest angle between the normals of a triangle and of the surface: triangles must face the way it
  // does.
  static constexpr double kFacing = 0.25;

  void Update(int v);
  void NormalsFromMesh();
  // Whether two vertices are bound to a common face.
  bool Share(int a, int b) const { return (faces_[a] & faces_[b] & ~RemeshGround::kFixed) != 0; }
  bool TrySplit(int h, double share);

  // Flips or collapses an edge of each triangle that is on edge, turned over or a sliver, as triangles may be in the
  // end where few vertices meet a tight curve. Returns whether there was one.
  bool EditBadTriangles();

  // Collapses the short edge of a needle, and flips the long edge of a cap.
  void EditSliver(int t);
  double EdgeLength(int h) const;
  bool TryFlip(int h);

  // Facing() of h's triangle.
  double FacingOf(int h) const;
  int Folded() const;

  // Makes smoothing aim, from now on, at the place that each vertex has among its neighbours in `like`, however that is
  // spaced.
  void KeepSpacing(const FineMesh& like);

  // Frees the corners of slivers from keeping their spacing. Returns whether there are slivers.
  bool FreeSlivers();
  double EdgeSum(int v) const;
  void UpdateAll();
  void Relax();
  void SetLengths();
  bool OnSeam(int v) const;

  // Number of vertices of the whole mesh, with its mirror image.
  int Count() const;

  // Length of an edge over its desired length.
  double Relative(int h) const;
  bool IsFirst(int h) const;
  // Whether an edge lies on a line with triangles on both sides.
  bool OnInnerLine(int h) const;
  void SplitLong();
  // share: where between From(h) and To(h) the new vertex is.
  void Split(int h, double share = 0.5);
  void CollapseShort();
  bool TryCollapse(int h, double longest);
  bool MayCollapse(int h, double longest) const;

  // Whether the collapse would make an edge through the inside that connects two boundary vertices of one face, and
  // would meet its own mirror image. None exists before, so a neighbour on the same face as `a` is one along the
  // boundary, and stays so.
  bool JoinsFaces(int a, int b) const;
  bool Fits(int a, int b, double longest) const;

  // Whether the triangle faces the way its corners do, and is not a needle.
  bool Faces(int a, int b, int c) const;

  // Cosine of the angle between a triangle's normal and the surface's at its corners.
  static double Facing(const std::vector<Eigen::Vector3d>& positions, const std::vector<Eigen::Vector3d>& normals,
                       int a, int b, int c);

  // Flips edges towards valence 6 (4 on the boundary); if valences are equally good, towards larger smallest angles.
  void FlipEdges();
  bool ShouldFlip(int h) const;
  double SmallestAngle(int a, int b, int c) const;

  // Target of smoothing: the centroid of a vertex's surroundings, weighted so that edges get their desired lengths.
  Eigen::Vector3d Target(int v) const;
  Eigen::Vector3d BoundaryTarget(int v) const;
  void Smooth();

  // Moves the corners of triangles that smoothing turned over back to where they were.
  void TakeBackFolds(const std::vector<Eigen::Vector3d>& positions, const std::vector<Eigen::Vector3d>& normals);

  // Splits the longest or collapses the shortest edges, relative to their desired lengths, until the number of vertices
  // is right. An edge of the seam counts once, any other twice (with its mirror image): an odd difference is made even
  // by splitting an edge of the seam, which is always possible.
  // Returns whether it became right.
  bool MakeExact(int wanted);
  int Edit(bool split, bool on_seam, int edits, double longest);

  const RemeshGround& ground_;
  bool half_;
  EditMesh mesh_;
  SizeField& field_;
  double scale_ = 1;
  double facing_ = kFacing;  // as kFacing, for triangles that edits make
  // One per vertex slot.
  std::vector<Eigen::Vector3d> normals_;
  std::vector<double> radii_;    // of curvature
  std::vector<double> lengths_;  // desired edge lengths
  std::vector<Eigen::Vector3d>
      offsets_;              // from the desired place of a vertex to its Target(); empty: the two are the same
  std::vector<int> faces_;   // see RemeshGround
  std::vector<int> labels_;  // one per triangle slot; empty: triangles have none
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_REMESH_REMESHER_H_
