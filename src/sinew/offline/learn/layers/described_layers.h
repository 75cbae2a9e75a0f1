// Kinds of layers that a described network consists of.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_DESCRIBED_LAYERS_H_
#define SINEW_OFFLINE_LEARN_LAYERS_DESCRIBED_LAYERS_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/core/json_box.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/learn/layers/attention_pooling.h"
#include "sinew/offline/learn/layers/batch_norm.h"
#include "sinew/offline/learn/layers/level_pooling.h"
#include "sinew/offline/learn/layers/mesh_conv.h"

namespace sinew::layers {

// What the rows of a network's matrices are. Either may be null if no layer needs it.
struct Domain {
  const Graph* graph = nullptr;                // rows are its nodes
  const EdgeRings* rings = nullptr;            // rows are its edges
  std::span<const CoarserGraph> coarser = {};  // levels below the graph, each coarser than the one before
  // Rings of edges that lie further away, for convolutions that reach further: wide[k - 1] for a reach of k.
  std::span<const EdgeRings> wide = {};
};

// Where a layer works.
struct LayerContext {
  Domain domain = {};     // what the rows of its input are
  bool training = false;  // whether batch normalisation uses the statistics of the rows
  // Map to the next coarser level for a layer that goes there, and from there for one that goes back.
  const CoarserGraph* step = nullptr;
  // The contraction that the rows of its input are inside of; null: of none.
  const AttentionPooling* contraction = nullptr;
  // In the backward pass: gradient of that contraction's alpha, or, for a layer that contracts, of its own.
  std::span<float> dalpha = {};
  // Number of rows of the surface that joints were pooled from, for a layer that goes back there.
  Eigen::Index rows = 0;
};

// What becomes of the rows of a layer's input.
enum class RowChange {
  kNone,
  kContract,  // they are merged along edges, which opens a contraction
  kExpand,    // that is undone, which closes it
  kPool,      // they are pooled to as many rows as there are joints
  kUnpool,    // they are joints, and what is known of them is given to all rows again
  kCoarser,   // they are pooled to the next coarser level
  kFiner,     // they are copied back to the next finer level
};

enum class InitialValues { kGlorot, kZero, kOne };

struct LayerTensor {
  std::string name;
  int rows = 1, columns = 0;
  InitialValues initial = InitialValues::kZero;
  float scale = 1;  // factor of the initial values
  bool trained = true;
};

// What a layer leaves behind for its backward pass; each kind uses its own.
struct LayerTrace {
  RowMatrix input;  // inputs side by side, if there are several
  RowMatrix output;
  AttentionTrace attention;
  ColumnStatistics statistics;
  AttentionPooling pooling;
  std::vector<int> chosen;
  RowMatrix vote_weights;
};

class LayerKind {
 public:
  virtual ~LayerKind() = default;

  virtual int outputs() const = 0;
  // Tensors in the order in which they follow each other among the parameters.
  virtual std::vector<LayerTensor> Tensors() const { return {}; }
  virtual bool needs_graph() const { return false; }
  virtual bool needs_rings() const { return false; }
  // Which of the domain's rings it works on; 0: those of the mesh itself.
  virtual int reach() const { return 0; }
  virtual RowChange row_change() const { return RowChange::kNone; }
  // Number of joints that the rows of its input must be; 0: any rows will do.
  virtual int joints() const { return 0; }
  // Number of joints that a layer pools to.
  virtual int pools_to() const { return 0; }
  // Sets trace.output, which has the rows of x, or is resized by a layer that changes them. tensors: the layer's own.
  virtual void Forward(const LayerContext& at, const ConstRows& x, const float* tensors, LayerTrace& trace) const = 0;
  // Adds to the gradients of x and of the layer's own tensors. dx: may be null.
  virtual void Backward(const LayerContext& at, const ConstRows& x, const float* tensors, const LayerTrace& trace,
                        const ConstRows& dy, Rows* dx, float* gradient) const = 0;
  virtual void UpdateStatistics(const LayerTrace& /*trace*/, float* /*tensors*/) const {}
};

// Makes the layer that `json` describes. inputs: columns of its input. Throws InputError, naming file and place, for an
// unknown kind, an unknown key and a value out of range.
std::unique_ptr<LayerKind> MakeLayer(const Json& json, int inputs, const std::string& file, const std::string& place);

// Takes a factor of the initial weights from a description, 1 if there is none. Throws InputError for one that is not
// positive, as CheckRate() does for the factor of the learning rate, which only training uses.
float InitialScale(const JsonFields& fields);
void CheckRate(const JsonFields& fields);

// What to do about a bad description.
inline constexpr const char* kDescriptionRemedy = "docs/networks.md says what a network's description holds";
inline constexpr int kMaxChannels = 1 << 16;
inline constexpr int kMaxReach = 16;

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_DESCRIBED_LAYERS_H_
