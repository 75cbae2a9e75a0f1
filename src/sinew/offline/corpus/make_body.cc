#include "sinew/offline/corpus/make_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/bodies/dress.h"
#include "sinew/offline/bodies/mix_bodies.h"
#include "sinew/offline/bodies/put_on.h"
#include "sinew/offline/bodies/remesh_character.h"
#include "sinew/offline/bodies/scale_bones.h"
#include "sinew/offline/character/carriers.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/corpus/leaks.h"
#include "sinew/offline/corpus/plan_dress.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/poses/human_poses.h"
#include "sinew/offline/poses/pose_maker.h"

namespace sinew::corpus {
namespace {

// Added to a body's seed, so that what is drawn for it is independent.
enum SeedOffset : uint64_t {
  kWide = 1,
  kHuman = 2,
  kRare = 3,
  kBones = 4,
  kRemesh = 5,
  kClips = 10,
  kWholeClips = 20,
  kNextDraw = 1000
};

// Share of the limits that poses "as people take them" fill on bodies that are no people.
constexpr double kInner = 0.5;

// Makes an embedded character of a random shape. Some shapes fold the surface over; then another one is drawn.
Character MakeRandom(const embedded::CharacterMaker& maker, const embedded::Kind& kind, uint64_t seed) {
  constexpr int kDraws = 20;
  for (int draw = 0;; ++draw) {
    try {
      return maker.Make(embedded::VariedShape(kind, seed + static_cast<uint64_t>(draw) * kNextDraw));
    } catch (const FailedError&) {
      if (draw + 1 == kDraws) throw;
    }
  }
}

// Changes a body as its group says.
Character Changed(Character character, const Recipe& recipe, const CorpusBody& body, const std::string& file) {
  const BodyGroup& group = recipe.Group(body.group);
  if (group.bone_scale != BodyGroup{}.bone_scale) {
    const bodies::DrawScalesOptions range{.low = group.bone_scale[0], .high = group.bone_scale[1]};
    const bodies::BoneScales scales = bodies::DrawScales(character.skeleton, range, body.seed + kBones, file);
    character = bodies::ScaleBones(character, scales);
  }
  if (body.dress >= 0) character = bodies::Dress(character, DressOf(recipe, body.dress), file).character;
  if (!body.garment.empty()) {
    const std::string garment = GarmentFile(recipe, body).string();
    character = bodies::PutOn(character, file, ReadCharacter(garment, {.skin = "", .quiet = true}), garment);
  }
  if (group.remesh[1] > 0) {
    const int points = bodies::PointCount(character, file);
    const bodies::RemeshRecipe mesh = bodies::DrawRemesh(points, group.remesh[0], group.remesh[1], body.seed + kRemesh);
    character = bodies::RemeshCharacter(character, mesh, file).character;
  }
  return character;
}

std::vector<Clip> WholeClipsOf(const CorpusBody& body, const PoseRecipe& recipe, const std::vector<PooledClip>& pool) {
  if (body.side != Side::kTest) return {};
  return DrawWholeClips(pool, recipe.whole_clips, body.seed + kWholeClips);
}

// Adds clips with the names that MakePoseSequence() wants.
class PoseCollector {
 public:
  PoseCollector(const Character& character, const PoseRecipe& recipe)
      : articulation_(character.skeleton),
        limits_(FindLimits(character, character.name)),
        human_(poses::IsHuman(articulation_)),
        maker_(character, articulation_, limits_, {.clear = recipe.clear}) {}

  void Sample(const char* name, int count, uint64_t seed, double spread) {
    if (count == 0) return;
    const double amount = spread > 0 && !human_ ? kInner : 1;
    Add(maker_.Sample({.count = count, .seed = seed, .amount = amount, .human_spread = human_ ? spread : 0}, name, "")
            .clip,
        name);
  }

  void CarryOver(const std::vector<Clip>& clips) {
    for (const Clip& clip : clips) {
      const retarget::RetargetMap map = retarget::GuessMap(clip.skeleton, articulation_.skeleton());
      const std::string file = clip.sources.empty() ? clip.motion.name : clip.sources[0].file;
      Add(maker_.CarryOver(clip, map, {.clamp = true}).clip, file);
    }
  }

  dataset::PoseSequence Sequence(const std::string& name) const {
    dataset::PoseSequence sequence = dataset::MakePoseSequence(clips_, names_, articulation_.skeleton());
    sequence.entry.name = name;
    return sequence;
  }

 private:
  void Add(Clip clip, std::string name) {
    clips_.push_back(std::move(clip));
    names_.push_back(std::move(name));
  }

  Articulation articulation_;
  JointLimits limits_;
  bool human_;
  poses::PoseMaker maker_;
  std::vector<Clip> clips_;
  std::vector<std::string> names_;
};

}  // namespace

BodyMaker::BodyMaker(const Recipe& recipe, const CorpusManifest& manifest) : recipe_(recipe), manifest_(manifest) {
  if (recipe.skeleton.empty()) return;
  const embedded::Kind& kind = embedded::FindKind(recipe.skeleton);
  joints_ = JointNames(embedded::SkeletonOf(kind.build(embedded::Shape(kind.parameters)).joints));
}

void BodyMaker::Prepare(const std::vector<int>& bodies) {
  for (const int b : bodies) {
    PrepareOne(b);
    for (const std::string& parent : manifest_.bodies[b].parents) PrepareOne(manifest_.FindBody(parent));
  }
}

void BodyMaker::PrepareOne(int b) {
  const BodyGroup& group = recipe_.Group(manifest_.bodies[b].group);
  const std::pair<std::string, int> key = {group.embedded, group.vertices};
  if (group.embedded.empty() || makers_.contains(key)) return;
  makers_.emplace(key, embedded::CharacterMaker(embedded::FindKind(group.embedded), group.vertices));
}

std::filesystem::path BodyMaker::FileOf(const CorpusBody& body) const {
  return recipe_.Group(body.group).files / body.source;
}

void BodyMaker::CheckJoints(const Character& character, const std::string& file) const {
  std::vector<std::string> missing;
  for (const std::string& joint : joints_) {
    if (character.skeleton.Find(joint) < 0) missing.push_back(joint);
  }
  if (missing.empty()) return;
  throw InputError(file, "",
                   fmt::format("lacks {} of the {} joints of the corpus's skeleton \"{}\": {}", missing.size(),
                               joints_.size(), recipe_.skeleton, fmt::join(missing, ", ")),
                   "leave it out, or give the recipe another [corpus] skeleton");
}

void BodyMaker::CheckFiles(const std::vector<int>& bodies) const {
  CorpusManifest found = manifest_;
  for (const int b : bodies) {
    CorpusBody& body = found.bodies[b];
    CheckGarment(body);
    body.garment_build = GarmentBuild(body);
    if (recipe_.Group(body.group).files.empty()) continue;
    const std::string file = FileOf(body).string();
    const dataset::StoredCharacter stored = dataset::ReadStoredCharacter(file, {.skin = "", .quiet = true});
    CheckJoints(stored.character, file);
    body.character = stored.entry.hash;
    body.build = BuildOf(stored.character.skeleton);
  }
  RefuseLeaks(found, fmt::format("recipe \"{}\"", recipe_.name));
}

void BodyMaker::CheckGarment(const CorpusBody& body) const {
  if (body.garment.empty() || joints_.empty()) return;
  const std::string file = GarmentFile(recipe_, body).string();
  const Character garment = ReadCharacter(file, {.skin = "", .quiet = true});
  const std::vector<bool> moving = JointsThatMoveVertices(garment);
  for (int j = 0; j < garment.skeleton.joint_count(); ++j) {
    const std::string& name = garment.skeleton.joints[j].name;
    if (!moving[j] || std::find(joints_.begin(), joints_.end(), name) != joints_.end()) continue;
    throw InputError(file, "",
                     fmt::format("is moved by the joint {}, which the corpus's skeleton \"{}\" does not have", name,
                                 recipe_.skeleton),
                     "leave it out, or rig it with the skeleton's joints");
  }
}

std::string BodyMaker::GarmentBuild(const CorpusBody& body) const {
  if (body.garment.empty()) return "";
  return BuildOf(ReadSkeleton(GarmentFile(recipe_, body).string()));
}

Character BodyMaker::MakeBase(int b) const {
  const CorpusBody& body = manifest_.bodies[b];
  const BodyGroup& group = recipe_.Group(body.group);
  if (!group.files.empty()) return ReadCharacter(FileOf(body), {.skin = "", .quiet = true});
  return MakeRandom(makers_.at({group.embedded, group.vertices}), embedded::FindKind(group.embedded), body.seed);
}

Character BodyMaker::MakeMix(const CorpusBody& body) const {
  std::vector<Character> parents;
  for (const std::string& parent : body.parents) parents.push_back(MakeBase(manifest_.FindBody(parent)));
  std::vector<bodies::Parent> named;
  for (size_t p = 0; p < parents.size(); ++p) named.push_back({body.parents[p], &parents[p]});
  return bodies::MixBodies(named, body.shares);
}

dataset::StoredCharacter BodyMaker::Make(int b) const {
  const CorpusBody& body = manifest_.bodies[b];
  const BodyGroup& group = recipe_.Group(body.group);
  const std::string file = group.files.empty() ? fmt::format("body {}", body.name) : FileOf(body).string();
  Character character = body.parents.empty() ? MakeBase(b) : MakeMix(body);
  CheckJoints(character, file);
  character = Changed(std::move(character), recipe_, body, file);
  character.name = body.name;
  Bytes glb = gltf::EncodeGlb(character);
  // The character as every other command will read it: poses and ground truth are of that one, to the last bit.
  character = gltf::ReadGltf(glb, fmt::format("{}.glb", body.name), "", {.skin = "", .quiet = true});
  return dataset::StoreCharacter(std::move(character), std::move(glb), file);
}

int CountBodyPoses(const CorpusBody& body, const PoseRecipe& recipe, const std::vector<PooledClip>& pool) {
  int count = recipe.wide + recipe.human + recipe.rare + recipe.clip_frames + 2 * recipe.unseen_clip_frames;
  for (const Clip& clip : WholeClipsOf(body, recipe, pool)) count += clip.motion.frame_count();
  return count;
}

dataset::PoseSequence MakeBodyPoses(const Character& character, const CorpusBody& body, const PoseRecipe& recipe,
                                    const std::vector<PooledClip>& pool) {
  PoseCollector collector(character, recipe);
  collector.Sample("whole limits", recipe.wide, body.seed + kWide, 0);
  collector.Sample("as people move", recipe.human, body.seed + kHuman, 1);
  collector.Sample("as people rarely move", recipe.rare, body.seed + kRare, recipe.rare_spread);
  for (const Side side : {Side::kTrain, Side::kValidation, Side::kTest}) {
    const int count = side == Side::kTrain ? recipe.clip_frames : recipe.unseen_clip_frames;
    collector.CarryOver(DrawFrames(pool, side, count, body.seed + kClips + static_cast<uint64_t>(side)));
  }
  collector.CarryOver(WholeClipsOf(body, recipe, pool));
  return collector.Sequence(body.name);
}

}  // namespace sinew::corpus
