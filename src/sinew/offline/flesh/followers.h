// Points of a character that are not simulated but follow the flesh near them: clothes, hair, lashes, and flesh that
// other flesh hides.
//
// Such a point is moved by linear blend skinning, as without flesh, plus the displacement of the flesh near
// it: the difference between where the simulation and where linear blend skinning put that. Layers are then pushed out
// of the flesh that they are outside of at rest, hidden flesh too; what other flesh covers at rest, layers and hidden
// flesh, is pushed under that.
#ifndef SINEW_OFFLINE_FLESH_FOLLOWERS_H_
#define SINEW_OFFLINE_FLESH_FOLLOWERS_H_

#include <vector>

#include "sinew/offline/flesh/rest_skin.h"
#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::flesh {

class Followers {
 public:
  Followers() = default;
  // size: of the body, its longest side. Points farther than a tenth of that from flesh do not follow it.
  Followers(const RestSkin& skin, const FleshSurface& flesh, double size);

  bool empty() const { return followers_.empty(); }

  // Returns what to add to the skinned position of every welded point: zero for points that follow nothing.
  // skinned: welded points by linear blend skinning. flesh_positions: posed vertices of the flesh's surface.
  Points Displacements(const Points& skinned, const Points& flesh_positions) const;

 private:
  // Point that follows flesh.
  struct Follower {
    int point = -1;     // welded point
    int triangle = -1;  // triangle of the flesh that it follows
    Eigen::Vector3d barycentric = Eigen::Vector3d::Zero();
    double share = 0;  // of the displacement there that it takes over, 0 to 1
  };
  // Point that is kept outside flesh and under other flesh.
  struct Kept {
    int follower = -1;   // index of the follower
    SurfacePoint under;  // nearest point at rest of the flesh below; its triangle is -1 if it need not stay outside
    double gap = 0;      // signed distance from it at rest; negative inside
    double depth = 0;    // distance from the flesh that covers it at rest
  };
  // Flesh, as triangles of welded points, and the points that are kept on their side of it.
  struct Between {
    Triangles below, cover;
    std::vector<bool> rim;  // of the cover: one per welded point
    std::vector<Kept> kept;
  };
  void Attach(const RestSkin& skin, const FleshSurface& flesh, double size);
  // Values smoothed along the edges of the pieces, one row per follower.
  Eigen::MatrixX3d Smoothed(Eigen::MatrixX3d values) const;
  void FindSides(const RestSkin& skin, const std::vector<int>& follower_of);
  // Moves layers out of the flesh below them. welded: posed welded points. moved, positions: one row per follower: how
  // far it followed the flesh, and where it is.
  void PushOutside(const Points& welded, const Between& between, const Eigen::MatrixX3d& moved,
                   Eigen::MatrixX3d& positions) const;
  // Moves layers and hidden flesh under the flesh that covers them.
  void PushUnder(const Points& welded, const Between& between, const Eigen::MatrixX3d& moved,
                 Eigen::MatrixX3d& positions) const;

  TriMesh flesh_;               // at rest, without what is hidden
  std::vector<int> welded_of_;  // one per vertex of the flesh
  std::vector<Follower> followers_;
  std::vector<Between> between_;
  Csr neighbours_;  // row per follower: followers at the other ends of its edges
  double size_ = 0;
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_FOLLOWERS_H_
