// Definitions of the stages of a build: what each reads and writes. The stages contain no algorithms; they call those
// of other folders.
#ifndef SINEW_OFFLINE_PIPELINE_CHAIN_H_
#define SINEW_OFFLINE_PIPELINE_CHAIN_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/simulate.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/multires/train_options.h"
#include "sinew/offline/pipeline/config.h"
#include "sinew/offline/pipeline/stage.h"

namespace sinew::pipeline {

struct Request {
  std::string character;  // path of a file; empty: the embedded character of the settings
  Config config;
  uint64_t seed = 1;
  Calibration calibration = {};  // of Calibrate(), for estimates
  // Returns the path of a model that comes with the program, such as "rig.model", or throws FailedError.
  std::function<std::filesystem::path(const std::string& name)> find_model = {};
};

// Values of truths.from.
inline constexpr const char* kTruthsSimulated = "simulate";
inline constexpr const char* kTruthsTaught = "teach";
inline constexpr const char* kTruthsGiven = "given";

// Returns the request for the character and the seed that the settings name (input.character, input.seed). Throws
// UsageError for settings that contradict each other.
Request MakeRequest(Config config);

// Source of a character's skeleton (rig.from).
enum class RigSource { kOwn, kFile, kNetwork };
struct RiggedMesh;  // rig_stage.h

// Facts about the character that are known before any stage has run.
struct Subject {
  std::string name;  // name of the character in messages
  int vertices = 0;
  int joints = 0;
  int animations = 0;
  bool biped = false;                      // whether it has everyday poses (poses/everyday_poses.h)
  std::vector<std::string> warnings = {};  // of CheckSubject()
  Bytes file;  // content of the character as GLB; empty for an embedded one that was not made yet
  RigSource rig = RigSource::kOwn;
  std::shared_ptr<const RiggedMesh> rigged = {};  // what the stage `rig` makes, if an estimate has already needed it
};
// Reads the character of a request and logs what is wrong with it. Throws InputError for a file that is no usable
// character.
Subject FindSubject(const Request& request);

// Returns the character itself, bound to its skeleton. An embedded one is made and stored in `subject`, and so is one
// that a network rigs.
Character SubjectCharacter(const Request& request, Subject& subject);
// Whether any vertex is moved by a joint.
bool HasWeights(const Character& character);
// Returns the numbers of points of the levels below the finest one, finest first. Numbers in the settings that no level
// can have are added to `left_out`, which may be null. finest: number of points of that.
std::vector<int> PointsOf(const Config& config, int finest, std::vector<lod::LeftOutLevel>* left_out = nullptr);
// Returns the settings of the simulation.
dataset::SimulateOptions FleshOptions(const Config& config);
// The same, with the unit and the size of the character in the folder of a build.
dataset::SimulateOptions FleshOptions(const Config& config, const std::filesystem::path& folder);
// Returns the settings of the levels of detail. limits: one per joint, for poses in which weights are fitted. left_out:
// as in PointsOf().
lod::HierarchyOptions LevelOptions(const Request& request, const Character& character, const JointLimits& limits,
                                   std::vector<lod::LeftOutLevel>* left_out = nullptr);
// Returns the settings of training, or those of the single-level method.
multires::TrainOptions TrainingOptions(const Request& request, bool single_level);
// About how many frames are learned from.
int TrainingFrames(const Config& config, const Subject& subject);
// About how many frames the result is measured on.
int JudgedFrames(const Config& config, const Subject& subject);
// Returns how many bodies stand side by side in a picture of the page: one per method, and the ground truth.
int BodiesInPicture(const Config& config);

// Returns all stages of a build, in the order in which they run.
std::vector<Stage> MakeStages(const Request& request, const Subject& subject);

// Each appends some of the stages; MakeStages() calls them in this order.
void AddCharacterStages(const Request& request, const Subject& subject, std::vector<Stage>& stages);
void AddPoseStages(const Request& request, const Subject& subject, std::vector<Stage>& stages);
void AddTruthStages(const Request& request, const Subject& subject, std::vector<Stage>& stages);
// Returns the stage that makes the shapes to learn from, where they are taught or given (truths.from).
Stage LearnedTruthsStage(const Request& request, const Subject& subject);
// Lets networks answer the truths of poses that judge, where no flesh can be made.
void TeachJudgedTruths(const Request& request, const StageContext& context, const char* poses, const char* truths);
// Returns a sentence about who said what is true, for learning and judging: nothing where all was simulated. judged:
// settings of the datasets that judge.
std::string WhoJudged(const Json& learned, const Json& judged);
void AddLearningStages(const Request& request, const Subject& subject, std::vector<Stage>& stages);
void AddJudgingStages(const Request& request, const Subject& subject, std::vector<Stage>& stages);

// Options with which stages read a character written by an earlier stage: without warnings about repairs, which were
// given when the user's file was read.
inline const gltf::GltfOptions kQuietly = {.skin = "", .quiet = true};
// Finds the joint limits of a character: what it and the settings say, widened by those of its animations that do not
// judge the result.
JointLimits LimitsOf(const Request& request, const Character& character);
// Reads the joint limits in the folder of a build for its character, one per joint.
JointLimits ReadLimits(const std::filesystem::path& folder, const Character& character);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_CHAIN_H_
