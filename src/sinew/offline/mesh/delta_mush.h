// Delta Mush (J. Mancewicz, M. L. Derksen, H. Rijpkema, C. A. Wilson, "Delta Mush: Smoothing Deformations While
// Preserving Detail", 2014): a posed surface is smoothed, and the detail that smoothing takes from the rest surface is
// put back in the frames of the smoothed one.
#ifndef SINEW_OFFLINE_MESH_DELTA_MUSH_H_
#define SINEW_OFFLINE_MESH_DELTA_MUSH_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

class DeltaMush {
 public:
  using Cloud = Eigen::Matrix3Xd;  // one column per vertex

  // neighbors, triangles: of a welded surface; both must outlive this. Smoothing is 10 uniform Laplacian sweeps of 0.5.
  DeltaMush(const Csr& neighbors, const Triangles& triangles, const Cloud& rest);

  // Returns the surface that Delta Mush makes of a posed one. May be called from any thread.
  Cloud Apply(const Cloud& posed) const;

 private:
  const Csr& neighbors_;
  const Triangles& triangles_;
  Cloud details_;  // what smoothing takes from the rest surface, in the frames of the smoothed rest surface
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_DELTA_MUSH_H_
