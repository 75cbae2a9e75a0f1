// Learned field of contact displacements in a collider's space (contact-centric deformation learning, doi
// 10.1145/3528223.3530182, sections 3.2 to 3.4):
//
//   u(x) = R(z) r(z-bar),   z-bar = T(z)^-1 x~(x)                      (2)
//   r = f(z-bar, T(z)^-1 x)                                            (3, dense)
//   r = f(z-bar, W(x) T(z)^-1 x)                                       (4, sparse)
//
// with f a network of one or two hidden tanh layers. Lengths are divided by the collider's size; z-bar is counted in
// quarters of it, the other inputs and the outputs in their root mean squares over the training rows.
#ifndef SINEW_OFFLINE_CONTACT_CONTACT_FIELD_H_
#define SINEW_OFFLINE_CONTACT_CONTACT_FIELD_H_

#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/contact/contact_object.h"
#include "sinew/offline/contact/sample_file.h"
#include "sinew/offline/learn/layers/described_network.h"

namespace sinew::contact {

enum class FieldKind {
  kSparse,   // equation 4 with W = the weight w_j for all numbers of handle j
  kLiteral,  // equation 4 with W = diag U(x) as printed: a frame's matrix is also multiplied by where x is in the frame
  kDense,    // equation 3
};

// Two or three coordinates, without a heap. There is room for four, so that vector instructions do not read beyond it.
using PlaceVector = Eigen::Matrix<float, Eigen::Dynamic, 1, 0, 4, 1>;

// Sample with the state that it belongs to.
struct SampleRef {
  const ContactShard* shard = nullptr;
  const ContactSample* sample = nullptr;
};
// All samples of the shards, in order.
std::vector<SampleRef> ListSamples(std::span<const ContactShard> shards);

// Displacement r of a node, in shares of the collider's size.
PlaceVector DisplacementOf(const SampleRef& ref, int node);

// Inputs of the network for the nodes of one sample.
class FieldInputs {
 public:
  FieldInputs(const ContactObject& object, FieldKind kind, const SampleRef& ref);

  // Number of inputs: z-bar and all numbers of the handles.
  static int Width(const ContactObject& object) { return object.dimension() + object.subspace.state_size(); }
  // Position z-bar of a node in the collider's space, in shares of the collider's size.
  PlaceVector Place(int node) const;
  // Factor of number i of the handles at a node: its entry of W(x).
  float Factor(int node, int i) const;
  // Numbers of the handles in the collider's space, T^-1 x, in shares of the collider's size where they are lengths.
  const Eigen::VectorXf& handles() const { return handles_; }
  // Writes Width() numbers.
  void FillRow(int node, float* row) const;

 private:
  const ContactObject& object_;
  FieldKind kind_;
  const ContactShard& shard_;
  SmallMatrix R_;
  SmallVector position_;
  Eigen::VectorXf handles_;
  std::vector<int> handle_of_;  // of each number
};

struct FieldShape {
  FieldKind kind = FieldKind::kSparse;
  int hidden_layers = 2;  // 1 or 2
  int width = 300;
};

// Description of a network with hidden tanh layers (layers::DescribedNetwork).
Json DescribeTanhNetwork(int inputs, int hidden_layers, int width, int outputs);

class ContactField {
 public:
  // object must outlive this. input_scales: one per input, above 0; output_scale: above 0.
  ContactField(const ContactObject& object, const FieldShape& shape, std::vector<float> input_scales,
               float output_scale);

  const layers::DescribedNetwork& network() const { return *network_; }
  const FieldShape& shape() const { return shape_; }
  const std::vector<float>& input_scales() const { return input_scales_; }
  float output_scale() const { return output_scale_; }
  void set_parameters(std::vector<float> parameters) { parameters_ = std::move(parameters); }
  const std::vector<float>& parameters() const { return parameters_; }

  // Returns r for all nodes, one row per node, in shares of the collider's size. The first layer is evaluated as
  // skinning of hidden units, A z-bar + sum_j w_j g_j + b with g_j made once per sample.
  learn::RowMatrix Predict(const SampleRef& ref) const;
  // Inputs of the network for all nodes, one row per node.
  learn::RowMatrix InputRows(const SampleRef& ref) const;
  // The same as Predict() by full rows of inputs: slower, and the reference for tests.
  learn::RowMatrix PredictByRows(const SampleRef& ref) const;

 private:
  const ContactObject* object_;
  FieldShape shape_;
  std::vector<float> input_scales_;
  float output_scale_;
  std::unique_ptr<layers::DescribedNetwork> network_;
  std::vector<float> parameters_;
};

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_CONTACT_FIELD_H_
