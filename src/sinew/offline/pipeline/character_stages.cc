// Stages of a build that prepare the character: rig (rig_stage.h), input, limits, weights, hierarchy.
#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/units.h"
#include "sinew/offline/dataset/make_frames.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/convert.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/check_subject.h"
#include "sinew/offline/pipeline/cost.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/pipeline/method_choice.h"
#include "sinew/offline/pipeline/own_motions.h"
#include "sinew/offline/pipeline/rig_stage.h"
#include "sinew/offline/poses/everyday_poses.h"
#include "sinew/offline/poses/sample_poses.h"
#include "sinew/offline/skincells/skin_character.h"
#include "sinew/offline/skincells/subject.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;

// Smallest number of points of a level: coarser ones show nothing of a body and have no room for regions.
constexpr int kFewestPoints = 40;

Bytes MakeEmbedded(const Config& config) {
  const embedded::Kind& kind = embedded::FindKind(config.String("input", "kind"));
  return gltf::EncodeGlb(
      embedded::MakeCharacter(kind, embedded::Shape(kind.parameters), config.Whole("input", "vertices")));
}

// Returns why there is no level of so many points, as a clause; empty if there is one. finer: levels above it.
std::string WhyNoLevel(int points, int finest, const std::vector<int>& finer) {
  constexpr int kSmallestSurface = 4;
  if (points >= finest) return fmt::format("the character itself has {}", finest);
  if (!finer.empty() && points == finer.back()) return "another level has as many";
  if (points < kSmallestSurface) return "so few are no surface";
  return "";
}

// Throws if the character has no triangles.
void RefuseEmpty(const std::string& name, const Character& character) {
  if (character.triangle_count() > 0) return;
  throw InputError(name, "", "has no triangles", "give a file with the character's mesh");
}

// Throws if roles are given to parts that the character lacks, or the file gives roles that do not exist.
void RefuseWrongRoles(const Config& config, const Character& character) {
  const std::vector<GivenRole> given = ParseRoles(config.String("simulation", "parts"));
  const bool in_file =
      std::any_of(character.parts.begin(), character.parts.end(), [](const Part& part) { return !part.role.empty(); });
  if (in_file || !given.empty()) FindRoles(character, CollectRestSurface(character), given);
}

// Binds the mesh to the skeleton that its file has beside it, to the first joint only until it gets weights. Returns
// whether the character was changed.
bool BindToOwn(Character& character) {
  const bool bound =
      std::any_of(character.parts.begin(), character.parts.end(), [](const Part& part) { return part.skin >= 0; });
  if (!bound) skincells::AdoptSkeleton(Skeleton(character.skeleton), character);
  return !bound;
}

// Returns the content of the character's file, with the skeleton that the stage before gave it.
Bytes ContentOf(const Request& request, const Subject& subject, const fs::path& folder) {
  if (subject.rig != RigSource::kOwn) return ReadFile(folder / kRigged);
  return subject.file.empty() ? MakeEmbedded(request.config) : subject.file;
}

void TakeInput(const Request& request, const Subject& subject, const StageContext& context) {
  WriteFileAtomic(context.folder / kInput, ContentOf(request, subject, context.folder));
  Character character = ReadCharacter(context.folder / kInput, kQuietly);
  RefuseEmpty(subject.name, character);
  if (subject.rig == RigSource::kOwn) RigSourceOf(request.config, subject.name, character);
  const bool given = subject.rig != RigSource::kOwn;
  const Json rig = given ? ParseJson(ReadTextFile(context.folder / kRigFacts), kRigFacts) : Json::object();
  const bool weighted = given ? rig.at("has_weights").get<bool>() : HasWeights(character);
  if (BindToOwn(character)) WriteCharacter(character, context.folder / kInput);
  const std::string unit = request.config.String("input", "unit");
  const LikelyUnit guess = GuessUnit(character);
  Json facts = {{"name", subject.name},
                {"vertices", character.vertex_count()},
                {"triangles", character.triangle_count()},
                {"joints", character.skeleton.joint_count()},
                {"animations", character.animations.size()},
                {"has_weights", weighted},
                {"metres_per_unit", unit == "auto" ? guess.metres : MetresPer(unit)},
                {"of_person", unit == "auto" ? guess.of_person : 1}};
  std::vector<std::string> warnings = subject.warnings;
  for (std::string& warning : RigWarnings(rig)) warnings.push_back(std::move(warning));
  if (!warnings.empty()) facts["warnings"] = warnings;
  WriteFileAtomic(context.folder / kInputFacts, JsonText(facts, 1) + "\n");
}

void FindLimitsOf(const Request& request, const StageContext& context) {
  const Character character = ReadCharacter(context.folder / kInput, kQuietly);
  const JointLimits limits = LimitsOf(request, character);
  WriteFileAtomic(context.folder / kLimits, JsonText(LimitsToJson(character.skeleton, limits), 1) + "\n");
}

void ComputeWeights(const Request& request, const StageContext& context, Character& character) {
  const Config& config = request.config;
  skincells::SkinOptions options;
  options.method =
      config.String("weights", "method") == "proximity" ? skincells::Method::kProximity : skincells::Method::kSkinCells;
  options.max_influences = config.Whole("weights", "max_influences");
  options.steps = config.Whole("weights", "steps");
  options.smooth_vs_follow = config.Double("weights", "smooth_vs_follow");
  options.seed = request.seed;
  options.progress = !quiet();
  if (options.method == skincells::Method::kSkinCells) options.checkpoint = context.folder / "weights.checkpoint";
  skincells::SkinCharacter(character, (context.folder / kInput).string(), options);
}

void GiveWeights(const Request& request, const StageContext& context) {
  const Json facts = ParseJson(ReadTextFile(context.folder / kInputFacts), kInputFacts);
  const bool compute = request.config.String("weights", "compute") == "always" || !facts.value("has_weights", false);
  const bool own_limits = request.config.String("limits", "file").empty();
  // A character that needs no change keeps its bytes.
  if (!compute && own_limits) return WriteFileAtomic(context.folder / kCharacter, ReadFile(context.folder / kInput));
  Character character = ReadCharacter(context.folder / kInput, kQuietly);
  // Later stages, including the bundle, read the limits from the character.
  if (!own_limits) StoreLimitsInExtras(ReadLimits(context.folder, character), character);
  if (compute) ComputeWeights(request, context, character);
  WriteCharacter(character, context.folder / kCharacter);
  std::error_code ignored;
  fs::remove(context.folder / "weights.checkpoint", ignored);
}

void MakeHierarchy(const Request& request, const StageContext& context) {
  const Character character = ReadCharacter(context.folder / kCharacter, kQuietly);
  std::vector<lod::LeftOutLevel> left_out;
  const lod::HierarchyOptions options =
      LevelOptions(request, character, ReadLimits(context.folder, character), &left_out);
  lod::HierarchyNotes notes;
  const lod::Hierarchy hierarchy = lod::BuildHierarchy(character, kCharacter, options, &notes);
  left_out.insert(left_out.end(), notes.left_out.begin(), notes.left_out.end());
  for (size_t i = 0; i < notes.levels.size(); ++i) {
    const lod::LevelNotes& level = notes.levels[i];
    if (level.reached <= level.asked) continue;
    Warn("level {} has {} points where {} were asked for: islands, seams and topology allow no fewer", i + 1,
         level.reached, level.asked);
  }
  Json sentences = Json::array();
  for (const lod::LeftOutLevel& level : left_out) {
    sentences.push_back(lod::Sentence(level));
    LogWarning(lod::Sentence(level));
  }
  lod::WriteHierarchy(context.folder / kLevels, hierarchy, [&](const fs::path& folder) {
    if (!sentences.empty()) WriteFileAtomic(folder / kLeftOutLevels, JsonText(sentences, 1) + "\n");
  });
}

// Tells what is wrong with a given character, refuses one that makes the result worthless, and asks what it is.
void CheckGiven(const Request& request, Character character, Subject& subject) {
  const bool weighted = HasWeights(character) || subject.rig == RigSource::kNetwork;
  if (subject.rig == RigSource::kNetwork) {
    subject.joints = autorig::kJoints;
    subject.biped = IsBipedByNames(RigNames(request.config));
  } else {
    try {
      if (subject.rig == RigSource::kFile) character = RigMesh(request, subject, character).character;
    } catch (const Error&) {
      return;  // a skeleton's file that cannot be read: the first stage says so
    }
    BindToOwn(character);
    subject.joints = character.skeleton.joint_count();
    subject.biped = poses::IsBiped(MeasureRest(character.skeleton));
  }
  SubjectCheck check = CheckSubject(character, weighted);
  if (!check.error.empty()) {
    if (request.config.Flag("input", "check")) {
      throw InputError(subject.name, "", check.error,
                       "'sinew inspect' says more; repair it, or build it all the same with --set input.check=false");
    }
    check.warnings.insert(check.warnings.begin(), check.error);
  }
  for (const std::string& warning : check.warnings) Warn("{}: {}", subject.name, warning);
  subject.warnings = std::move(check.warnings);
}

Json WithSeed(Json settings, const Request& request) {
  settings["seed"] = request.seed;
  return settings;
}

Stage InputStage(const Request& request, const Subject& subject) {
  const bool embedded = request.character.empty();
  Stage stage{.name = "input", .does = fmt::format("take {}", subject.name), .version = 2};
  stage.settings = request.config.Pick("input", {"unit", "skin", "skeleton", "check"});
  if (embedded) {
    stage.settings.update(request.config.Pick("input", {"kind", "vertices"}));
    stage.cost = EmbeddedCost(request.calibration, subject.vertices, !subject.file.empty());
  } else {
    stage.outside["character"] = HashHex(subject.file);
    stage.settings["character"] = subject.name;
    stage.cost = {.serial = 0.1};
  }
  if (subject.rig != RigSource::kOwn) stage.needs = {kRigged, kRigFacts};
  stage.outputs = {kInput, kInputFacts};
  stage.run = [request, subject](const StageContext& context) { TakeInput(request, subject, context); };
  return stage;
}

Stage LimitsStage(const Request& request) {
  Stage stage{.name = "limits", .does = "find how far joints turn", .needs = {kInput}, .version = 3};
  stage.settings = request.config.Section("limits");
  stage.settings.update(request.config.Pick("poses", {"learn_from"}));  // what judges widens no limit
  if (const std::string file = request.config.String("limits", "file"); !file.empty()) {
    stage.outside["limits"] = HashHex(ReadFile(file));
  }
  stage.outputs = {kLimits};
  stage.cost = {.serial = 0.1};
  stage.remedy = "'sinew limits' shows and edits them";
  stage.run = [request](const StageContext& context) { FindLimitsOf(request, context); };
  return stage;
}

Stage WeightsStage(const Request& request, const Subject& subject) {
  const Config& config = request.config;
  Stage stage{.name = "weights", .does = "see that vertices have weights", .needs = {kInput, kInputFacts, kLimits}};
  stage.settings = WithSeed(config.Section("weights"), request);
  stage.settings["limits.given"] = !config.String("limits", "file").empty();
  stage.outputs = {kCharacter};
  stage.partial = {"weights.checkpoint"};
  const bool always = config.String("weights", "compute") == "always" || !GivesWeights(config, subject.rig);
  stage.keeps = "steps of the optimisation";
  stage.cost =
      always ? WeightsCost(request.calibration, subject.vertices, subject.joints, config.Whole("weights", "steps"))
             : Cost{.serial = 0.1};
  stage.remedy = "'sinew skin' has more ways to make weights, and what it writes can be built on";
  stage.run = [request](const StageContext& context) { GiveWeights(request, context); };
  return stage;
}

Stage HierarchyStage(const Request& request, const Subject& subject) {
  Stage stage{.name = "hierarchy", .does = "make levels of detail", .needs = {kCharacter, kLimits}, .version = 2};
  stage.settings = WithSeed(request.config.Section("hierarchy"), request);
  stage.outputs = {kLevels};
  stage.cost = HierarchyCost(request.calibration, subject.vertices);
  stage.remedy = "fewer hierarchy.levels or hierarchy.regions, or hierarchy.points, may help";
  stage.run = [request](const StageContext& context) { MakeHierarchy(request, context); };
  return stage;
}

}  // namespace

Request MakeRequest(Config config) {
  Request request{.character = config.String("input", "character"), .config = std::move(config)};
  request.seed = request.config.At("input", "seed").get<uint64_t>();
  PlanMethods(request.config);
  return request;
}

lod::HierarchyOptions LevelOptions(const Request& request, const Character& character, const JointLimits& limits,
                                   std::vector<lod::LeftOutLevel>* left_out) {
  const Config& config = request.config;
  const int finest = lod::CountPoints(character, kCharacter);
  lod::HierarchyOptions options;
  options.points = PointsOf(config, finest, left_out);
  options.regions =
      std::min(config.Whole("hierarchy", "regions"), options.points.empty() ? finest : options.points.back());
  options.drop_small_islands = config.String("hierarchy", "small_islands") == "drop";
  options.joint_density = config.Double("hierarchy", "joint_density");
  options.leave_out_alike = true;
  if (const int count = config.Whole("hierarchy", "fit_poses"); count > 0) {
    options.fit_poses =
        poses::SamplePoses(Articulation(character.skeleton), limits, {.count = count, .seed = request.seed + 1});
  }
  return options;
}

std::vector<int> PointsOf(const Config& config, int finest, std::vector<lod::LeftOutLevel>* left_out) {
  std::vector<int> asked = config.At("hierarchy", "points");
  if (asked.empty()) {
    std::vector<int> points =
        lod::PointsByRatio(finest, config.Whole("hierarchy", "levels"), config.Double("hierarchy", "ratio"));
    std::erase_if(points, [](int n) { return n < kFewestPoints; });
    return points;
  }
  std::sort(asked.rbegin(), asked.rend());
  std::vector<int> points;
  for (const int n : asked) {
    const std::string why = WhyNoLevel(n, finest, points);
    if (why.empty()) {
      points.push_back(n);
    } else if (left_out != nullptr) {
      left_out->push_back({n, why});
    }
  }
  return points;
}

bool HasWeights(const Character& character) {
  return std::any_of(character.parts.begin(), character.parts.end(), [](const Part& part) {
    return part.skin >= 0 && !part.weights.empty() && part.weight_repairs.unweighted < part.mesh.vertex_count();
  });
}

Character SubjectCharacter(const Request& request, Subject& subject) {
  if (subject.file.empty()) subject.file = MakeEmbedded(request.config);
  Character character = gltf::ReadGltf(subject.file, subject.name, {}, kQuietly);
  if (subject.rig != RigSource::kOwn) {
    if (!subject.rigged) subject.rigged = std::make_shared<RiggedMesh>(RigMesh(request, subject, character));
    return subject.rigged->character;
  }
  BindToOwn(character);
  return character;
}

Subject FindSubject(const Request& request) {
  Subject subject;
  if (request.character.empty()) {
    const embedded::Kind& kind = embedded::FindKind(request.config.String("input", "kind"));
    subject.name = fmt::format("the embedded {}", kind.name);
    subject.vertices = request.config.Whole("input", "vertices");
    const Skeleton skeleton = embedded::SkeletonOf(kind.build(embedded::Shape(kind.parameters)).joints);
    subject.joints = skeleton.joint_count();
    subject.biped = poses::IsBiped(MeasureRest(skeleton));
    return subject;
  }
  const fs::path path = request.character;
  const std::string skin = request.config.String("input", "skin");
  Character character = ReadCharacter(path, {.skin = skin, .quiet = false});
  // Later stages read the character without choosing a skin.
  if (!skin.empty()) character = gltf::WithoutOtherSkeletons(std::move(character));
  subject.name = path.filename().string();
  // Checked here, before anything is written.
  RefuseEmpty(subject.name, character);
  subject.rig = RigSourceOf(request.config, subject.name, character);
  RefuseWrongRoles(request.config, character);
  subject.vertices = character.vertex_count();
  subject.animations = static_cast<int>(character.animations.size());
  CheckGiven(request, character, subject);
  subject.file = skin.empty() && LowerExtension(path) == ".glb" ? ReadFile(path) : gltf::EncodeGlb(character);
  return subject;
}

JointLimits LimitsOf(const Request& request, const Character& character) {
  std::vector<Motion> motions;
  for (Clip& clip : OwnMotions(request.config, character).learned) motions.push_back(std::move(clip.motion));
  JointLimits limits = FindLimits(character, request.character, motions);
  const std::string file = request.config.String("limits", "file");
  if (!file.empty()) ApplyLimitsText(ReadTextFile(file), file, character.skeleton, limits);
  return limits;
}

JointLimits ReadLimits(const fs::path& folder, const Character& character) {
  JointLimits limits = FindLimits(character.skeleton, character.animations);
  ApplyLimitsText(ReadTextFile(folder / kLimits), (folder / kLimits).string(), character.skeleton, limits);
  return limits;
}

void AddCharacterStages(const Request& request, const Subject& subject, std::vector<Stage>& stages) {
  if (subject.rig != RigSource::kOwn) stages.push_back(RigStage(request, subject));
  stages.push_back(InputStage(request, subject));
  stages.push_back(LimitsStage(request));
  stages.push_back(WeightsStage(request, subject));
  stages.push_back(HierarchyStage(request, subject));
}

std::vector<Stage> MakeStages(const Request& request, const Subject& subject) {
  std::vector<Stage> stages;
  AddCharacterStages(request, subject, stages);
  AddPoseStages(request, subject, stages);
  AddTruthStages(request, subject, stages);
  AddLearningStages(request, subject, stages);
  AddContactStage(request, subject, stages);
  AddJudgingStages(request, subject, stages);
  for (Stage& stage : stages) stage.cost.share = request.calibration.share;
  return stages;
}

}  // namespace sinew::pipeline
