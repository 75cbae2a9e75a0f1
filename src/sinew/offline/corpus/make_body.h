// Makes the characters of a corpus and their poses.
#ifndef SINEW_OFFLINE_CORPUS_MAKE_BODY_H_
#define SINEW_OFFLINE_CORPUS_MAKE_BODY_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/corpus/clip_pool.h"
#include "sinew/offline/corpus/manifest.h"
#include "sinew/offline/corpus/recipe.h"
#include "sinew/offline/dataset/sequence.h"
#include "sinew/offline/dataset/writer.h"
#include "sinew/offline/embedded/make_character.h"

namespace sinew::corpus {

class BodyMaker {
 public:
  // Keeps references to both.
  BodyMaker(const Recipe& recipe, const CorpusManifest& manifest);

  // Meshes the embedded kinds that these bodies, by index, need, which takes seconds each.
  void Prepare(const std::vector<int>& bodies);

  // Makes body b of the manifest, which is prepared. May be called from any thread. Throws InputError for a file that
  // is no character or lacks joints of Recipe::skeleton, and for parents that
  // cannot be mixed.
  dataset::StoredCharacter Make(int b) const;

  // Makes body b, which is prepared and no mix, as it is before its bones are scaled and before it is dressed or
  // remeshed.
  Character MakeBase(int b) const;

  // Throws InputError if a file of these bodies or their garments cannot be used, or if two on different sides are one
  // body under two names (leaks.h): before hours of work, not after them.
  void CheckFiles(const std::vector<int>& bodies) const;

  // Returns CorpusBody::garment_build of a body.
  std::string GarmentBuild(const CorpusBody& body) const;

 private:
  void PrepareOne(int b);
  Character MakeMix(const CorpusBody& body) const;
  void CheckJoints(const Character& character, const std::string& file) const;
  // Checks the garment of a body, which need not have all joints but no others.
  void CheckGarment(const CorpusBody& body) const;
  std::filesystem::path FileOf(const CorpusBody& body) const;

  const Recipe& recipe_;
  const CorpusManifest& manifest_;
  std::map<std::pair<std::string, int>, embedded::CharacterMaker> makers_;  // by kind and number of vertices
  std::vector<std::string> joints_;                                         // that every body must have
};

// Returns the number of poses that MakeBodyPoses() makes of a body at most: clips may have fewer frames than asked for.
int CountBodyPoses(const CorpusBody& body, const PoseRecipe& recipe, const std::vector<PooledClip>& pool);

// Makes the poses of one body: samples with its own seed, frames of clips carried over to it, and, for a test body,
// whole test clips.
dataset::PoseSequence MakeBodyPoses(const Character& character, const CorpusBody& body, const PoseRecipe& recipe,
                                    const std::vector<PooledClip>& pool);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_MAKE_BODY_H_
