// Object whose contact is learned, in the plane or in space: a soft body, the handles that move it, and the collider
// that touches it. Sampling and learning know of an object what is here; plane_object.h and solid_object.h have the
// rest.
#ifndef SINEW_OFFLINE_CONTACT_CONTACT_OBJECT_H_
#define SINEW_OFFLINE_CONTACT_CONTACT_OBJECT_H_

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/contact/turn.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/handle_subspace.h"
#include "sinew/offline/elasticity/newton.h"
#include "sinew/offline/elasticity/projector.h"

namespace sinew::contact {

// Energy of an object's body and of its contact with the collider. Without a pose there is no collider.
class ContactProblem : public elasticity::Objective {
 public:
  virtual void SetPose(const Turn& turn, const SmallVector& position) = 0;
  // Smallest distance between surface and collider, negative inside; and the largest depth, 0 without contact.
  virtual double SmallestGap(const Eigen::VectorXd& x) const = 0;
  virtual double DeepestDepth(const Eigen::VectorXd& x) const = 0;
  // Share of the triangles or tetrahedra that are inverted.
  virtual double InvertedShare(const Eigen::VectorXd& x) const = 0;
};

struct ContactObject {
  using Pairs = std::vector<std::pair<int, int>>;
  // edges: of the surface. graph: pairs of neighbouring handles. collider_size: in metre.
  ContactObject(elasticity::HandleSubspace subspace, Pairs edges, Pairs graph, double collider_size, std::string name);
  virtual ~ContactObject() = default;

  elasticity::HandleSubspace subspace;
  elasticity::NullSpace null_space;  // of the subspace
  Pairs edges;                       // pairs of nodes
  Pairs graph;
  double collider_size;
  std::string name;  // of object and collider, for files

  int dimension() const { return subspace.dimension(); }
  int node_count() const { return static_cast<int>(subspace.rest().rows()); }
  // Length of the diagonal of the bounding box at rest.
  double Diagonal() const;

  // Draws a state for training, and one for testing. Rigid motions are left out.
  virtual Eigen::VectorXd DrawState(Random& random) const = 0;
  virtual Eigen::VectorXd DrawTestState(Random& random) const { return DrawState(random); }
  // Number of drawn states that those for training are chosen from.
  virtual int candidate_count() const = 0;

  // Places of the surface that a collider may come to, and `count` of them that are spread by distance along it.
  virtual int place_count() const = 0;
  virtual std::vector<int> SpreadPlaces(int count) const = 0;
  // Moves one of `count` spread places at random within its share of the surface.
  virtual int ShiftPlace(int place, int count, Random& random) const = 0;
  // Position and outward normal of a place, and how far a ray from there runs inside the body; infinite if it leaves at
  // once.
  virtual SmallVector PlaceAt(const Eigen::VectorXd& x, int place) const = 0;
  virtual SmallVector NormalAt(const Eigen::VectorXd& x, int place) const = 0;
  virtual double ThicknessBelow(const Eigen::VectorXd& x, int place, const SmallVector& direction) const = 0;
  // Largest distance of a point of the collider from its origin.
  virtual double collider_radius() const = 0;
  // How far the collider may move between two solves; infinite unless it has a wall that it could pull through the
  // body.
  virtual double max_step() const { return std::numeric_limits<double>::infinity(); }

  virtual std::unique_ptr<ContactProblem> MakeProblem() const = 0;
};

// How deep a collider may stay in the body at a pressure of a third of Young's modulus, as a share of its size.
inline constexpr double kResidualDepth = 0.004;

// Relative transformations of neighbouring handles, by which states are compared (section 4.2): for each edge of the
// graph, the second handle in the frame of the first.
Eigen::VectorXd RelativeHandles(const ContactObject& object, const Eigen::VectorXd& state);

// Chooses `count` states that are spread, the rest state first, by greedy farthest points of relative transformations
// whose entries are normalised per edge. The first ones are the same whatever the count. candidates: states to choose
// from. radius: if not null, set to the largest distance of a candidate from the nearest chosen state.
std::vector<Eigen::VectorXd> ChooseStates(const ContactObject& object, const std::vector<Eigen::VectorXd>& candidates,
                                          int count, double* radius = nullptr);

// Distance of a state from the nearest of `others`, normalised by the spread of `candidates` as in ChooseStates().
double NearestState(const ContactObject& object, const std::vector<Eigen::VectorXd>& candidates,
                    const std::vector<Eigen::VectorXd>& others, const Eigen::VectorXd& state);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_CONTACT_OBJECT_H_
