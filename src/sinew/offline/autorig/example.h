// Bodies whose rig is known, as a rigging network is trained and tested on them.
#ifndef SINEW_OFFLINE_AUTORIG_EXAMPLE_H_
#define SINEW_OFFLINE_AUTORIG_EXAMPLE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/autorig/edge_input.h"
#include "sinew/offline/character/character.h"

namespace sinew::autorig {

// Stances that examples are drawn from. All angles in degrees; each example draws its own, evenly.
struct StanceRange {
  double arms_down = 60;   // 0: as the T-pose of the file
  double legs_apart = 15;  // each
  double elbows = 15;      // how far they bend to the front
  double turn = 10;        // of the whole body, about any axis, beyond what finding its frame leaves
  double wander = 0;       // of every joint about any axis
  double proportions = 0;  // strength of Proportions, for half of the examples
  double chibi = 0;        // share of the examples with proportions of small game characters (Proportions::Chibi())
  double costumes = 0;     // share of the bodies that are put into a costume (costume.h) before they stand
  double least = 0;        // share of arms_down and legs_apart that is the least: 0 draws from the T-pose on
};
// Stances to train with, which vary more than those of tests.
StanceRange TrainingStances();
// The T-pose, upright.
StanceRange UprightStance();
// Stances to choose the best network by, and to learn what is usual from: those of tests, with as many costumes and
// game characters as are trained on.
StanceRange ValidationStances();

// A body in a T-pose as a surface with weights, facing z, y up.
struct WeightedBody {
  TriMesh surface;
  RowMatrix weights;  // per vertex: share of every joint of BipedJoints()
  JointPositions joints = JointPositions::Zero();
};
// Returns the skin weights of all vertices, parts in order, one column per joint of BipedJoints(); those of other
// joints go to the nearest above them. Vertices without any follow the pelvis. joints: in the character's skeleton.
RowMatrix BipedWeights(const Character& character, const std::array<int, kJoints>& joints);
// Returns a character as one surface. character: with all joints of BipedJoints(), of which others' weights go to the
// nearest above them. file: for messages.
WeightedBody MakeWeightedBody(const Character& character, const std::string& file);
// Takes the mesh that a working surface of another body has over to a body with the same triangles as that one.
WeightedBody Remesh(const WeightedBody& body, const WorkingSurface& working);
// Remeshes a body and carries its weights over.
WeightedBody Remesh(const WeightedBody& body, int vertices, uint64_t seed, const std::string& file);

// Returns the body in a drawn stance, by linear blend skinning. The whole body is not turned. The turns of joints
// depend on range and seed alone, so that two rigs of one surface can be compared in the same stance.
WeightedBody Stand(const WeightedBody& body, const StanceRange& range, uint64_t seed);

// A body in a stance of its own, in canonical space.
struct Example {
  EdgeInput input;                                  // as MakeEdgeInput() gives it
  std::shared_ptr<const RowMatrix> weights;         // per edge: share of every joint
  std::shared_ptr<const RowMatrix> vertex_weights;  // the same of the surface's vertices
  JointPositions joints = JointPositions::Zero();
  TriMesh surface;    // what the network sees
  uint64_t seed = 0;  // of what is drawn when it is trained on
};

// Draws stances of one body on one mesh, which is cheap once edges are known.
class ExampleMaker {
 public:
  explicit ExampleMaker(WeightedBody body);

  // May be called from any thread.
  Example Make(const StanceRange& range, uint64_t seed) const;

 private:
  WeightedBody body_;
  std::shared_ptr<const SurfaceEdges> edges_;
  struct Weights {
    std::shared_ptr<const RowMatrix> edges, vertices;
  };
  Weights weights_, mirrored_weights_;
};

// Draws a stance of the body, and remeshes it as it stands, as for a file whose rig is not known. Throws InputError,
// naming `file`, for a body without area.
Example MakeExample(const WeightedBody& body, const StanceRange& range, int vertices, uint64_t seed,
                    const std::string& file);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_EXAMPLE_H_
