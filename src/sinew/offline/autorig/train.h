// Training of a rigging network with libtorch, from bodies whose rig is known to a model.
#ifndef SINEW_OFFLINE_AUTORIG_TRAIN_H_
#define SINEW_OFFLINE_AUTORIG_TRAIN_H_

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sinew/offline/autorig/augmentation.h"
#include "sinew/offline/autorig/rig_network.h"
#include "sinew/offline/autorig/supervision.h"
#include "sinew/offline/corpus/make_body.h"
#include "sinew/offline/learn/layers/torch_run.h"

namespace sinew::autorig {

struct TrainRigOptions {
  NetworkChoice network;  // describe.h
  LossChoice loss;        // supervision.h
  Augmentation augmentation;
  int examples = 4000;                       // stances of training bodies
  int meshes = 2;                            // that each of these bodies is remeshed to
  int validation = 40;                       // examples of validation bodies
  layers::RunOptions run = {.huber = 0.05};  // `shared` is set by TrainRig()
  int others = 6;  // shapes per embedded kind that is no biped, which set the limit of doubt; 0: validation bodies do
  std::string licence = "not stated";
};
// Returns the options of a preset: "ours", those above, or "paper". Throws UsageError for another name.
TrainRigOptions PresetOptions(const std::string& name);
std::vector<std::string> PresetNames();

// Bodies of one side of a recipe, made as they are asked for.
class ExampleSource {
 public:
  // Throws InputError if the recipe has no body on that side. only: family of which bodies are made; empty: all.
  ExampleSource(const corpus::Recipe& recipe, const std::string& file, corpus::Side side,
                const std::string& without_family = "", const std::string& only_family = "");
  // Forgets bodies that wear something. Throws InputError if no other is left.
  void LeaveOutDressed();

  int bodies() const { return static_cast<int>(bodies_.size()); }
  const corpus::CorpusBody& body(int k) const { return manifest_.bodies[bodies_[k % bodies()]]; }
  // Makes the character of body(k), with its rig. May be called from any thread.
  Character MakeCharacter(int k) const { return maker_.Make(bodies_[k % bodies()]).character; }
  // Makes examples to measure with, in parallel: example k is of body(k), remeshed as it stands. Bodies that cannot be
  // made are left out with a warning.
  std::vector<Example> Make(int count, const StanceRange& range, uint64_t seed) const;
  // Makes examples to train with: each body is remeshed `meshes` times at rest, and stances of it are drawn on these.
  // All but every third mesh of a body have kWorkingVertices, that has between kCoarseVertices and these. The one
  // before it is of the body as another file might have meshed it. meshes: 0 puts all bodies with the same triangles on
  // one mesh of kWorkingVertices.
  std::vector<Example> MakeMany(int count, int meshes, const StanceRange& range, uint64_t seed) const;

 private:
  const corpus::Recipe& recipe_;
  corpus::CorpusManifest manifest_;
  corpus::BodyMaker maker_;
  // A mesh that bodies of one topology share: the triangles of the body that it was made for, and the mesh.
  struct SharedMesh {
    Triangles triangles;
    WorkingSurface working;
  };
  using SharedMeshes = std::map<std::string, SharedMesh>;  // by CorpusBody::topology
  SharedMeshes ShareMeshes(uint64_t seed) const;
  std::vector<Example> MakeOfBody(int k, int count, int meshes, const StanceRange& range, uint64_t seed,
                                  const SharedMeshes& shared) const;

  std::string file_;
  std::vector<int> bodies_;
};

struct TrainedRig {
  learn::Model model;
  learn::TrainingState state;
  bool finished = false;  // false: stopped by the clock
};

// Trains a network on two views of every example, that of the first look and that of the second, and returns the one
// with the smallest validation loss. What is usual is measured on the validation examples, and the limit of doubt lies
// between these and embedded characters that are no bipeds. from: null, or a network whose layers, weights and scaling
// training starts with, with fresh moments, in place of options.network. Goes on from `checkpoint` with `resume`.
TrainedRig TrainRig(const std::vector<Example>& training, const std::vector<Example>& validation,
                    const TrainRigOptions& options, const std::string& recipe_hash, const RigNetwork* from,
                    const std::filesystem::path& checkpoint, bool resume);

// Distances of a network's rigs from the true ones, over examples.
struct RigErrors {
  int examples = 0;
  double mean = 0, percentile99 = 0, largest = 0;  // distance of joints, share of the height
  std::array<double, kJoints> by_joint = {};       // mean per joint
  double weights = 0;                              // mean over the surface of the sum of |w - w'|, 0 to 2
  std::vector<double> by_example;                  // mean distance
  std::vector<Doubts> doubts;                      // by example
};
RigErrors MeasureRig(const RigNetwork& network, const std::vector<Example>& examples);
Json JsonOf(const RigErrors& errors);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_TRAIN_H_
