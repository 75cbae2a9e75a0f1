// Stage of a build that gives a mesh without a skeleton one: that of another file, or what a network finds (autorig/).
#ifndef SINEW_OFFLINE_PIPELINE_RIG_STAGE_H_
#define SINEW_OFFLINE_PIPELINE_RIG_STAGE_H_

#include <string>
#include <vector>

#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/pipeline/chain.h"

namespace sinew::pipeline {

// Returns where the character has its skeleton from. Throws InputError for a character without a skeleton that must
// have its own, and UsageError for settings that contradict it. name: of the character, for messages.
RigSource RigSourceOf(const Config& config, const std::string& name, const Character& character);
// Whether a character from there comes with weights, as far as is known before it is read.
bool GivesWeights(const Config& config, RigSource source);

// Names of the joints that a network finds, as rig.names says.
autorig::JointNames RigNames(const Config& config);
// Whether a biped whose joints have these names is known as one (poses/everyday_poses.h).
bool IsBipedByNames(const autorig::JointNames& names);

// A mesh with its new skeleton.
struct RiggedMesh {
  Character character;
  // {"from": "file" or "network", "has_weights": whether weights came with the skeleton}, and of a network what
  // autorig::JsonOf() returns.
  Json facts;
};
// Gives the mesh the skeleton that subject.rig says. Throws InputError for a file that cannot be read, and for what a
// network takes for no biped.
RiggedMesh RigMesh(const Request& request, const Subject& subject, const Character& mesh);

// Sentences of facts about what should be looked at in a rig; none for an empty object.
std::vector<std::string> RigWarnings(const Json& facts);

// Returns the stage. subject: with a rig that is not its own.
Stage RigStage(const Request& request, const Subject& subject);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_RIG_STAGE_H_
