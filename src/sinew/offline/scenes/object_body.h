// A soft object before it is a table, in the plane or in space: what building one needs of both, by the number of
// dimensions.
#ifndef SINEW_OFFLINE_SCENES_OBJECT_BODY_H_
#define SINEW_OFFLINE_SCENES_OBJECT_BODY_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/elasticity/handle_subspace.h"

namespace sinew::scenes {

struct ObjectBody {
  Eigen::MatrixXd positions;  // one row per node, two or three coordinates
  // Triangles counter-clockwise, or tetrahedra as in TetMesh; and facets of the boundary, as dynamics/object_table.h
  // wants them. One row each.
  Eigen::MatrixXi cells, boundary;
  std::vector<elasticity::Handle> handles;
  Eigen::MatrixXd basis;  // one row per node, one column per function
  double young = 0, poisson = 0, density = 0;

  int dimension() const { return static_cast<int>(positions.cols()); }
  int node_count() const { return static_cast<int>(positions.rows()); }
  int cell_count() const { return static_cast<int>(cells.rows()); }
  // Diagonal of the bounding box at rest.
  double Size() const { return (positions.colwise().maxCoeff() - positions.colwise().minCoeff()).norm(); }
  // Positions Q of the functions at rest, one row each.
  Eigen::MatrixXd RestRows() const;
  // 1 for functions that carry a position, 0 for others.
  Eigen::VectorXd PositionFunctions() const;
};

// Area or volume of a cell, and gradients of the functions on it, one row per function.
struct ObjectElement {
  double measure = 0;
  Eigen::MatrixXd gradients;
};
std::vector<ObjectElement> ElementsOf(const ObjectBody& body);

// Integrals of density phi_k phi_l, exact for linear cells.
Eigen::MatrixXd MassOf(const ObjectBody& body, const std::vector<ObjectElement>& elements);

// Cells that stand for all, and what each stands for.
struct Cubature {
  std::vector<int> elements;
  Eigen::VectorXd measures;
  double error = 0;  // of the reduced gradient over 50 random states, in the metric of the inverse mass
};

// Spreads cells by farthest points of their middles. count: how many; in space their measures are then fitted to the
// forces of all cells in random states, and cells that are not needed are left out. 0: as many as it takes for `enough`
// as error, beginning with 200, each with the measure of what is nearest to it.
Cubature ChooseCubature(const ObjectBody& body, const std::vector<ObjectElement>& elements, const Eigen::MatrixXd& mass,
                        int count, double enough);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_OBJECT_BODY_H_
