// Names of the files and folders in the folder of a build. docs/build.md describes them in a table.
#ifndef SINEW_OFFLINE_PIPELINE_LAYOUT_H_
#define SINEW_OFFLINE_PIPELINE_LAYOUT_H_

namespace sinew::pipeline {

inline constexpr const char* kConfigFile = "build.toml";
inline constexpr const char* kRecords = "stages";
inline constexpr const char* kTimes = "times.json";  // everything measured by a clock

inline constexpr const char* kRigged = "rigged.glb";  // of meshes that come without a skeleton
inline constexpr const char* kRigFacts = "rig.json";  // as kRigged
inline constexpr const char* kInput = "input.glb";
inline constexpr const char* kInputFacts = "input.json";
inline constexpr const char* kLimits = "limits.json";
inline constexpr const char* kCharacter = "character.glb";
inline constexpr const char* kLevels = "levels.lod";
inline constexpr const char* kLeftOutLevels = "left_out.json";  // in kLevels, if there are any
inline constexpr const char* kTrainingPoses = "training.poses";
inline constexpr const char* kTestPoses = "test.poses";
inline constexpr const char* kMotionPoses = "motion.poses";
inline constexpr const char* kEverydayPoses = "everyday.poses";  // of bipeds only
inline constexpr const char* kTrainingTruths = "training.dataset";
inline constexpr const char* kTestTruths = "test.dataset";
inline constexpr const char* kMotionTruths = "motion.dataset";
inline constexpr const char* kEverydayTruths = "everyday.dataset";  // of bipeds only
inline constexpr const char* kDeformer = "character.deformer";
inline constexpr const char* kSingleDeformer = "single_level.deformer";
inline constexpr const char* kMultiDeformer = "multi_resolution.deformer";  // with training.method = "auto"
inline constexpr const char* kBundle = "character.sinew";
inline constexpr const char* kSingleBundle = "single_level.sinew";
inline constexpr const char* kMultiBundle = "multi_resolution.sinew";
inline constexpr const char* kBundleFacts = "bundle.json";
inline constexpr const char* kEvaluation = "evaluation.json";
inline constexpr const char* kReport = "report.html";

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_LAYOUT_H_
