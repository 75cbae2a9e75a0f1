// Baseline that the paper compares with, after Romero et al. 2021: displacements in the object's space as coefficients
// of their principal components, which a network of one wide tanh layer predicts from the state and the collider's
// pose.
#ifndef SINEW_OFFLINE_CONTACT_OBJECT_CENTRIC_H_
#define SINEW_OFFLINE_CONTACT_OBJECT_CENTRIC_H_

#include "sinew/offline/contact/contact_field.h"
#include "sinew/offline/contact/train_network.h"

namespace sinew::contact {

struct ObjectCentricOptions {
  int width = 3000;          // of the hidden layer
  int max_components = 64;   // of the basis
  int basis_samples = 1000;  // samples that the basis is found from, at most
  int batch = 512;           // samples per step
};

class ObjectCentricModel {
 public:
  // Returns r for all nodes, as ContactField::Predict() does.
  learn::RowMatrix Predict(const SampleRef& ref) const;
  int component_count() const { return static_cast<int>(basis_.cols()); }

 private:
  friend ObjectCentricModel TrainObjectCentric(const ContactObject&, std::span<const ContactShard>,
                                               const ObjectCentricOptions&, const TrainOptions&, Trained*);
  Eigen::RowVectorXf InputsOf(const SampleRef& ref) const;

  Eigen::MatrixXf basis_;  // one row per coordinate of a node, orthonormal columns
  Eigen::VectorXf mean_;
  Eigen::RowVectorXf input_mean_, input_scale_;
  float output_scale_ = 1;
  std::shared_ptr<layers::DescribedNetwork> network_;
  std::vector<float> parameters_;
};

ObjectCentricModel TrainObjectCentric(const ContactObject& object, std::span<const ContactShard> shards,
                                      const ObjectCentricOptions& settings, const TrainOptions& options,
                                      Trained* trained);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_OBJECT_CENTRIC_H_
