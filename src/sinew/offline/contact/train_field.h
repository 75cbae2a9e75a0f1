// Training of contact fields on samples: rows are nodes of the volume and edges of the surface (section 4.1).
#ifndef SINEW_OFFLINE_CONTACT_TRAIN_FIELD_H_
#define SINEW_OFFLINE_CONTACT_TRAIN_FIELD_H_

#include "sinew/offline/contact/contact_field.h"
#include "sinew/offline/contact/train_network.h"

namespace sinew::contact {

struct FieldRowOptions {
  int samples = 32;  // per step
  int nodes = 64;    // per sample
  int edges = 32;    // per sample
};

// Draws rows of samples. Half of the nodes and edges of a sample are drawn from all of them, half from those within 1.2
// collider sizes of the collider, where nearly all of the displacement is; weights make up for it, so that the expected
// loss is that of all nodes and edges alike.
class FieldRows {
 public:
  // Scales are found from `seed`; object and refs must outlive this. Throws UsageError without samples.
  FieldRows(const ContactObject& object, FieldKind kind, std::vector<SampleRef> refs, const FieldRowOptions& options,
            uint64_t seed);

  const std::vector<float>& input_scales() const { return input_scales_; }
  float output_scale() const { return output_scale_; }
  // Takes the scales of others, for validation.
  void TakeScales(const FieldRows& other);

  void Fill(Random& random, RowBatch& batch) const;

 private:
  void FillSample(Random& random, const SampleRef& ref, int first, int index, RowBatch& batch) const;
  void PutRow(const FieldInputs& inputs, const SampleRef& ref, int node, int row, RowBatch& batch) const;
  void FindScales(uint64_t seed);

  const ContactObject& object_;
  FieldKind kind_;
  std::vector<SampleRef> refs_;
  FieldRowOptions options_;
  std::vector<float> input_scales_;
  float output_scale_ = 1;
  float edge_scale_ = 1;  // mean square of a difference along an edge, in squares of output_scale_
};

// Trains a field. A twentieth of the samples, whole chains of depths, is held back for validation.
// history: if not null, losses over the training.
ContactField TrainField(const ContactObject& object, const FieldShape& shape, std::span<const ContactShard> shards,
                        const FieldRowOptions& rows, const TrainOptions& options, Trained* trained);

// Splits samples into those to train on and those held back. Samples of one shard with the same rotation are one chain.
std::pair<std::vector<SampleRef>, std::vector<SampleRef>> HoldBack(std::span<const ContactShard> shards);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_TRAIN_FIELD_H_
