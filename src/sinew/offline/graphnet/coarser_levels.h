// Coarser levels below the graph of a body, for networks that pool along fixed maps.
#ifndef SINEW_OFFLINE_GRAPHNET_COARSER_LEVELS_H_
#define SINEW_OFFLINE_GRAPHNET_COARSER_LEVELS_H_

#include <vector>

#include "sinew/offline/learn/layers/level_pooling.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::graphnet {

// Returns the graph of points for layers: neighbours, and every point itself.
layers::Graph GraphOf(const Csr& neighbours);

// Makes coarser levels of a surface at rest, each with a quarter of the points or a few more: edges are contracted from
// the shortest on, each point once, and what is left once again. A merged point is the mean of its members by area.
// rest, areas: one per node of the graph.
std::vector<layers::CoarserGraph> MakeCoarserLevels(const layers::Graph& graph, const Points& rest,
                                                    const std::vector<float>& areas, int levels);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_COARSER_LEVELS_H_
