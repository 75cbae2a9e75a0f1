// Networks of multiresgnet and its baselines, as descriptions for layers::DescribedNetwork.
#ifndef SINEW_OFFLINE_GRAPHNET_DESCRIBE_H_
#define SINEW_OFFLINE_GRAPHNET_DESCRIBE_H_

#include <string>
#include <vector>

#include "sinew/offline/graphnet/body_options.h"

namespace sinew::graphnet {

// Names of the networks:
//   small   two attention blocks, densely connected: for a first try, and for tests
//   mlp     the paper's baseline that sees every point alone: 256, 512, 512, 128
//   local   attention blocks of the paper's sizes (section 4), densely connected, without a global branch
//   paper   the paper's network: local branch, global branch on a contracted graph, last module (Eqs. 5 to 11)
//   single-resolution  the same without the global branch, as in its Table 2
//   single-resolution-wide  the same with wider blocks: without the global branch at as many parameters as with it
//   dense-gat  the blocks of single-resolution on positions, as far as the paper's text describes DenseGATs
//   hierarchy  ours: attention blocks on four levels of the body, down and up again
//   hierarchy-flat  the same blocks on one level, to see what levels bring
//   hierarchy-tanhshrink  ours with the paper's activation
const std::vector<std::string>& NetworkNames();

// Returns what a network sees and answers if nothing else is asked for.
BodyOptions BodyOptionsFor(const std::string& name);

// Describes a network from `inputs` features to 3 numbers per point. Throws UsageError for an unknown name.
Json DescribeNetwork(const std::string& name, int inputs);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_DESCRIBE_H_
