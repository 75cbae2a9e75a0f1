#include "sinew/offline/pipeline/range_of_motion.h"

namespace sinew::pipeline {

std::vector<poses::Draw> DrawsOf(const Config& config, const Articulation& articulation, int count, uint64_t seed) {
  return poses::DrawsOf({.wide = config.Double("poses", "wide"),
                         .human = config.Flag("poses", "human"),
                         .rare = config.Double("poses", "rare"),
                         .rare_spread = config.Double("poses", "rare_spread"),
                         .inner = config.Double("poses", "inner")},
                        articulation, count, seed);
}

}  // namespace sinew::pipeline
