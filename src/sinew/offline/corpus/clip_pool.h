// Frames of clips to draw poses from, thinned so that no two frames of a clip are alike, and whole clips to test with.
#ifndef SINEW_OFFLINE_CORPUS_CLIP_POOL_H_
#define SINEW_OFFLINE_CORPUS_CLIP_POOL_H_

#include <vector>

#include "sinew/offline/character/clip.h"
#include "sinew/offline/corpus/manifest.h"
#include "sinew/offline/corpus/recipe.h"

namespace sinew::corpus {

struct PooledClip {
  Clip clip;  // thinned
  Clip
      whole;  // every frame at PoseRecipe::whole_clip_rate; empty unless it is a test clip and whole ones are asked for
  Side side = Side::kTrain;
};

// Reads the clips of the manifest from the recipe's folder, in the manifest's order. Throws InputError for a clip that
// is not the file that the manifest names.
std::vector<PooledClip> ReadClipPool(const PoseRecipe& recipe, const std::vector<CorpusClip>& clips);

// Returns the indices of frames, increasing, no two of which are nearer than `radians` (poses::PoseMetric), chosen by
// farthest point, beginning with the one farthest from rest.
std::vector<int> ThinFrames(const Clip& clip, double radians);

// Draws `count` frames of the clips on one side, or all if there are fewer: one clip per source clip that has some,
// frames in order. The same seed gives the same frames.
std::vector<Clip> DrawFrames(const std::vector<PooledClip>& pool, Side side, int count, uint64_t seed);

// Draws `count` of the test clips, or all if there are fewer, whole and in the order of their names. The same seed
// gives the same clips.
std::vector<Clip> DrawWholeClips(const std::vector<PooledClip>& pool, int count, uint64_t seed);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_CLIP_POOL_H_
