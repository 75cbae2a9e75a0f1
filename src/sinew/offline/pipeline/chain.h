// The stages of a build: which there are, what each reads and writes. No algorithm is here; each calls its room's.
#ifndef SINEW_OFFLINE_PIPELINE_CHAIN_H_
#define SINEW_OFFLINE_PIPELINE_CHAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/pipeline/config.h"
#include "sinew/offline/pipeline/stage.h"

namespace sinew::pipeline {

struct Request {
  std::string character;  // a file; empty: the embedded one
  Config config;
  uint64_t seed = 1;
};

// What is known before any stage has run.
struct Subject {
  std::string name;  // what messages call the character
  int vertices = 0;
  int joints = 0;
  int animations = 0;
  Bytes file;  // of a character that was given, as GLB
};
// Throws InputError for a file that is no character.
Subject FindSubject(const Request& request);

std::vector<Stage> MakeStages(const Request& request, const Subject& subject);

// In this order.
void AddCharacterStages(const Request& request, const Subject& subject, std::vector<Stage>& stages);
void AddPoseStages(const Request& request, const Subject& subject, std::vector<Stage>& stages);
void AddTruthStages(const Request& request, const Subject& subject, std::vector<Stage>& stages);
void AddLearningStages(const Request& request, const Subject& subject, std::vector<Stage>& stages);
void AddJudgingStages(const Request& request, const Subject& subject, std::vector<Stage>& stages);

// How stages read a character that an earlier one wrote: what was repaired in it was said when the user's file was
// read.
inline const gltf::GltfOptions kQuietly = {.skin = "", .quiet = true};
// The joint limits of a build, for its character.
JointLimits ReadLimits(const std::filesystem::path& folder, const Character& character);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_CHAIN_H_
