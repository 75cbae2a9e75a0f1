// Kinds of layers between the surface of a body and its joints: pooling to joints, networks on the skeleton, and back.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_JOINT_LAYERS_H_
#define SINEW_OFFLINE_LEARN_LAYERS_JOINT_LAYERS_H_

#include <memory>

#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/learn/layers/described_layers.h"

namespace sinew::layers {

// Each makes the layer that `fields` describe (docs/networks.md). inputs: columns of its input. Throws InputError for a
// value out of range.
std::unique_ptr<LayerKind> MakeSkinningPool(const JsonFields& fields, int inputs);
std::unique_ptr<LayerKind> MakeVotePool(const JsonFields& fields, int inputs);
std::unique_ptr<LayerKind> MakeSkeletonConv(const JsonFields& fields, int inputs);
std::unique_ptr<LayerKind> MakeChainSum(const JsonFields& fields, int inputs);
std::unique_ptr<LayerKind> MakeToRows(const JsonFields& fields, int inputs);

// Number of joints that a layer may have: rows whose memory no tensor of a file stands for.
inline constexpr int kMaxJoints = 1024;

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_JOINT_LAYERS_H_
