#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/character/clip.h"
#include "sinew/offline/character/reach.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/morph_animation.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/poses/named_pose.h"
#include "sinew/offline/render/picture.h"
#include "tools/sinew/panel_size.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string output;
  std::vector<std::string> views = {"three-quarter"};
  std::string size;
  std::vector<std::string> labels;
  bool no_labels = false, common_scale = false, together = false;
  std::string pose, poses, animation;
  int frame = -1;
  bool all = false;
  double frames_per_second = 0;
  int turn_frames = 60;
  bool still_camera = false;
  std::string focus;
  std::string method = "lbs";
  std::vector<std::string> heat;
  std::string compare;
  std::string heat_range, heat_title, heat_unit;
  bool skeleton = false, weights = false;
  std::string joint;
  bool wireframe = false, flat = false, no_textures = false, no_ground = false;
  std::string backfaces = "auto";
};

std::optional<render::HeatScale> ParseRange(const std::string& text) {
  if (text.empty()) return {};
  float low = 0, high = 0;
  int used = 0;
  const char* c = text.c_str();
  if (std::sscanf(c, "%f:%f%n", &low, &high, &used) != 2 || c[used] != '\0' || !(low < high)) {
    throw UsageError(fmt::format("--heat-range {}: not a range; give LOW:HIGH, such as 0:10", text));
  }
  return render::HeatScale{low, high, low < 0 ? render::ColorMap::kDiverging : render::ColorMap::kSequential};
}

render::PictureOptions MakePictureOptions(const Options& options) {
  render::PictureOptions out;
  out.turntable = options.views == std::vector<std::string>{"turntable"};
  for (const std::string& view : options.views) {
    if (out.turntable) break;
    if (view == "turntable") throw UsageError("--view turntable cannot stand beside other views; make two pictures");
    out.views.push_back(render::ParseView(view));
  }
  const PanelSize size = ParsePanelSize(options.size);
  out.sheet.width = size.width;
  out.sheet.height = size.height;
  out.together = options.together;
  out.sheet.common_scale = options.common_scale || !options.compare.empty();
  out.sheet.style = {.smooth = !options.flat,
                     .wireframe = options.wireframe,
                     .textures = !options.no_textures,
                     .ground = !options.no_ground};
  out.turn_frames = options.turn_frames;
  out.follow = !options.still_camera;
  out.focus = options.focus;
  out.drawing.textures = !options.no_textures;
  out.drawing.skeleton = options.skeleton;
  out.drawing.weights = options.weights && options.joint.empty();
  out.drawing.weight_joint = options.joint;
  out.drawing.backfaces = options.backfaces == "tint"    ? render::Backfaces::kTint
                          : options.backfaces == "plain" ? render::Backfaces::kPlain
                                                         : render::Backfaces::kAuto;
  out.drawing.method = options.method == "dqs" ? SkinMethod::kDualQuaternion : SkinMethod::kLinearBlend;
  out.heat_scale = ParseRange(options.heat_range);
  return out;
}

// Given labels in order; without any, several inputs are told apart by their files' names.
std::string LabelOf(const Options& options, size_t input) {
  if (options.no_labels) return "";
  if (input < options.labels.size()) return options.labels[input];
  const bool needed = options.labels.empty() && options.files.size() > 1 && !options.together;
  return needed ? std::filesystem::path(options.files[input]).stem().string() : "";
}

const Animation& FindAnimation(const Character& character, const std::string& file, const std::string& wanted) {
  std::string names;
  for (size_t i = 0; i < character.animations.size(); ++i) {
    const std::string& name = character.animations[i].name;
    if (name == wanted || std::to_string(i) == wanted) return character.animations[i];
    names += fmt::format("{}{} '{}'", i == 0 ? "" : ", ", i, name);
  }
  throw InputError(file, "", fmt::format("has no animation '{}'", wanted),
                   names.empty() ? "it has none; leave --animation out" : "choose one of " + names);
}

Motion RestMotion(const Character& character) {
  return {.name = "rest", .frames_per_second = 0, .joints = {}, .frames = {character.skeleton.RestPose()}};
}

// The motion of --poses, by the character's joints.
Motion ReadMotion(const Options& options, const Character& character, float frames_per_second) {
  const std::vector<Clip> clips = ReadClips(options.poses, frames_per_second);
  if (clips.size() == 1) {
    Motion motion = clips.front().motion;
    motion.frames = PosesFor(character.skeleton, clips.front(), options.poses);
    return motion;
  }
  std::string names;
  for (const Clip& clip : clips) names += fmt::format(" '{}#{}'", options.poses, clip.motion.name);
  throw UsageError(fmt::format("--poses {}: holds {} motions; choose one of{}", options.poses, clips.size(), names));
}

// How an input moves: its poses, and where its animation moves its morph targets.
struct Movement {
  Motion motion;
  std::vector<render::MorphedRest> morphed = {};  // one per frame of the motion; empty: no morph target moves
};

// The morph targets of an animation, in each frame of its motion.
std::vector<render::MorphedRest> MorphedFrames(const Character& character, const std::string& file,
                                               const Animation& animation, const Motion& motion) {
  std::vector<render::MorphedRest> frames;
  for (const MorphAnimation& morphs : ReadMorphAnimations(character, file)) {
    if (morphs.source_animation != animation.source_animation) continue;
    for (int f = 0; f < motion.frame_count(); ++f) {
      render::MorphedRest& rest = frames.emplace_back();
      for (size_t p = 0; p < character.parts.size(); ++p) {
        rest.push_back(MorphedPositionsAt(character, morphs, static_cast<int>(p),
                                          static_cast<float>(f) / motion.frames_per_second));
      }
    }
  }
  return frames;
}

Movement MovementFor(const Options& options, const Character& character, const std::string& file) {
  constexpr float kFramesPerSecond = 30;
  const float rate = options.frames_per_second > 0 ? static_cast<float>(options.frames_per_second) : kFramesPerSecond;
  if (!options.pose.empty()) {
    const Articulation articulation(character.skeleton);
    Motion motion = RestMotion(character);
    motion.frames = {poses::ParsePose(options.pose, articulation, FindLimits(character, file))};
    return {motion};
  }
  if (!options.poses.empty()) return {ReadMotion(options, character, rate)};
  if (options.animation.empty()) return {RestMotion(character)};
  const Animation& animation = FindAnimation(character, file, options.animation);
  Movement movement{SampleAnimation(character.skeleton, animation, rate)};
  RefuseUnlessInReach(character.skeleton, movement.motion, file);
  movement.morphed = MorphedFrames(character, file, animation, movement.motion);
  return movement;
}

// One of several frames, if --frame asks for it; what has a single frame keeps it.
template <typename Frame>
void ChooseFrame(const Options& options, const std::string& source, std::vector<Frame>& frames) {
  const int count = static_cast<int>(frames.size());
  if (options.frame < 0 || count == 1) return;
  if (options.frame >= count) {
    throw UsageError(
        fmt::format("--frame {}: {} has {} frames; choose one from 0 to {}", options.frame, source, count, count - 1));
  }
  frames = {frames[options.frame]};
}

void ChooseFrame(const Options& options, const std::string& source, Movement& movement) {
  ChooseFrame(options, source, movement.motion.frames);
  if (!movement.morphed.empty()) ChooseFrame(options, source, movement.morphed);
}

void CheckTogether(const Options& options) {
  const bool moving = !options.animation.empty() || !options.poses.empty() || !options.heat.empty();
  if (!moving && options.frame >= 0)
    throw UsageError("--frame chooses a frame of --poses, --animation or --heat: give one");
  if (!moving && options.all) throw UsageError("--all shows every frame of --poses, --animation or --heat: give one");
  const int poses =
      (options.animation.empty() ? 0 : 1) + (options.poses.empty() ? 0 : 1) + (options.pose.empty() ? 0 : 1);
  if (poses > 1) throw UsageError("--pose, --poses and --animation exclude each other: give one of them");
  if (options.frame >= 0 && options.all) throw UsageError("--frame and --all exclude each other");
  const int colorings = (options.compare.empty() ? 0 : 1) + (options.heat.empty() ? 0 : 1) +
                        (options.joint.empty() ? 0 : 1) + (options.weights && options.joint.empty() ? 1 : 0);
  if (colorings > 1)
    throw UsageError("--heat, --compare, --weights and --joint colour the same surface: give one of them");
  if (options.heat.size() > 1 && options.heat.size() != options.files.size()) {
    throw UsageError(fmt::format("--heat has {} arrays for {} files; give one for all or one each", options.heat.size(),
                                 options.files.size()));
  }
  if (options.labels.size() > options.files.size()) {
    throw UsageError(fmt::format("--labels has {} labels for {} files", options.labels.size(), options.files.size()));
  }
}

// One value per vertex, or a row of them per frame.
std::vector<std::vector<float>> ReadHeat(const Options& options, const std::string& file, int vertices) {
  const NpyArray array = ReadNpy(file);
  const auto& shape = array.shape;
  const bool fits = !shape.empty() && shape.size() <= 2 && shape.back() == vertices && array.size() > 0;
  if (!fits) {
    throw InputError(file, "", fmt::format("has shape ({})", fmt::join(shape, ", ")),
                     fmt::format("give one value per vertex, ({0}), or one row per frame, (frames, {0})", vertices));
  }
  const std::vector<float> values = array.ToFloats();
  std::vector<std::vector<float>> frames;
  for (auto row = values.begin(); row != values.end(); row += vertices) frames.emplace_back(row, row + vertices);
  ChooseFrame(options, file, frames);
  return frames;
}

// Everything that is read, kept for as long as the picture is made.
struct Inputs {
  std::vector<std::unique_ptr<Character>> characters;
  std::vector<render::PictureInput> pictures;
  double frames_per_second = 0;  // of the first input that moves
};

Inputs ReadInputs(const Options& options) {
  Inputs inputs;
  for (size_t i = 0; i < options.files.size(); ++i) {
    const std::string& file = options.files[i];
    inputs.characters.push_back(std::make_unique<Character>(ReadCharacter(file)));
    const Character& character = *inputs.characters.back();
    Movement movement = MovementFor(options, character, file);
    if (inputs.frames_per_second == 0) inputs.frames_per_second = movement.motion.frames_per_second;
    ChooseFrame(options, options.poses.empty() ? file : options.poses, movement);
    inputs.pictures.push_back({.character = &character,
                               .label = LabelOf(options, i),
                               .poses = movement.motion.frames,
                               .morphed = std::move(movement.morphed)});
    if (options.heat.empty()) continue;
    const std::string& heat = options.heat[options.heat.size() == 1 ? 0 : i];
    inputs.pictures.back().heat = ReadHeat(options, heat, character.vertex_count());
  }
  return inputs;
}

// What a list of frames holds at one, the last one after its end; nothing in an empty list.
template <typename Frame>
Frame AtFrame(const std::vector<Frame>& frames, size_t frame) {
  return frames.empty() ? Frame() : frames[std::min(frame, frames.size() - 1)];
}

// Distances to another character, frame by frame, in millimetres.
void Compare(const Options& options, render::PictureOptions& picture, Inputs& inputs) {
  const Character other = ReadCharacter(options.compare);
  Movement movement = MovementFor(options, other, options.compare);
  ChooseFrame(options, options.compare, movement);
  const std::vector<Pose>& frames = movement.motion.frames;
  const render::CharacterDrawing reference(other, {.textures = false, .method = picture.drawing.method});
  for (size_t i = 0; i < inputs.pictures.size(); ++i) {
    render::PictureInput& input = inputs.pictures[i];
    if (input.character->vertex_count() != other.vertex_count()) {
      throw InputError(options.files[i], "",
                       fmt::format("has {} vertices and {} has {}", input.character->vertex_count(), options.compare,
                                   other.vertex_count()),
                       "only shapes with the same vertices can be compared");
    }
    const render::CharacterDrawing drawing(*input.character, {.textures = false, .method = picture.drawing.method});
    for (size_t f = 0; f < std::max(input.poses.size(), frames.size()); ++f) {
      const Points ours = drawing.PositionsAt(AtFrame(input.poses, f), AtFrame(input.morphed, f));
      const Points theirs = reference.PositionsAt(AtFrame(frames, f), AtFrame(movement.morphed, f));
      input.heat.push_back(render::Distances(ours, theirs, 1000));
    }
  }
  picture.heat_title = "distance to " + std::filesystem::path(options.compare).filename().string();
  picture.heat_unit = "mm";
}

// Over all frames.
Json HeatSummary(const render::PictureInput& input) {
  double sum = 0, most = 0;
  size_t count = 0;
  for (const auto& frame : input.heat) {
    for (const float value : frame) {
      if (!std::isfinite(value)) continue;
      most = count == 0 ? value : std::max<double>(most, value);
      sum += value;
      ++count;
    }
  }
  return {{"mean", count == 0 ? 0 : sum / static_cast<double>(count)}, {"max", most}};
}

Result Report(const Options& options, const render::PictureOptions& picture_options, const render::Picture& picture,
              const Inputs& inputs) {
  Result result;
  result.json = {{"file", options.output},
                 {"width", picture.width},
                 {"height", picture.height},
                 {"frames", picture.frames},
                 {"bytes", picture.file.size()}};
  if (picture.frames > 1) result.json["frames_per_second"] = picture_options.frames_per_second;
  result.text = fmt::format("{}: {} x {} pixels, {} KB", options.output, picture.width, picture.height,
                            (picture.file.size() + 1023) / 1024);
  if (picture.frames > 1) {
    result.text += fmt::format(", {} frames at {:g} a second", picture.frames, picture_options.frames_per_second);
  }
  result.text += "\n";
  for (size_t i = 0; i < inputs.pictures.size(); ++i) {
    Json entry = {{"file", options.files[i]},
                  {"vertices", inputs.characters[i]->vertex_count()},
                  {"triangles", inputs.characters[i]->triangle_count()}};
    if (!inputs.pictures[i].heat.empty()) {
      entry["heat"] = HeatSummary(inputs.pictures[i]);
      entry["heat"]["unit"] = picture_options.heat_unit;
      result.text += fmt::format("  {}: {} mean {:.4g}, max {:.4g} {}\n", options.files[i], picture_options.heat_title,
                                 entry["heat"]["mean"].get<double>(), entry["heat"]["max"].get<double>(),
                                 picture_options.heat_unit);
    }
    result.json["inputs"].push_back(entry);
  }
  return result;
}

Result Run(const Options& options) {
  CheckTogether(options);
  render::PictureOptions picture = MakePictureOptions(options);
  Inputs inputs = ReadInputs(options);
  if (!options.compare.empty()) Compare(options, picture, inputs);
  if (!options.heat_title.empty()) picture.heat_title = options.heat_title;
  if (!options.heat_unit.empty()) picture.heat_unit = options.heat_unit;
  constexpr double kUntimed = 2, kTurn = 15;
  picture.frames_per_second = options.frames_per_second > 0  ? options.frames_per_second
                              : inputs.frames_per_second > 0 ? inputs.frames_per_second
                              : picture.turntable            ? kTurn
                                                             : kUntimed;
  const render::Picture drawn = render::MakePicture(inputs.pictures, picture);
  WriteFileAtomic(options.output, drawn.file);
  return Report(options, picture, drawn, inputs);
}

void AddViewOptions(CLI::App* command, Options& o) {
  const std::string group = "What is seen, and from where";
  command
      ->add_option("--view", o.views,
                   "front, side, right, back, three-quarter, top, AZIMUTH:ELEVATION (several: "
                   "front,side), or turntable (animated)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("--focus", o.focus,
                   "Come near: frame the surroundings of this joint, by its name in the file or as left_elbow")
      ->group(group);
  command->add_option("--size", o.size, "WIDTHxHEIGHT or HEIGHT of one panel in pixels [900]")->group(group);
  command->add_option("--labels", o.labels, "One label per file, instead of the files' names: a,b")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  command->add_flag("--no-labels", o.no_labels, "No labels")->group(group);
  command->add_flag("--common-scale", o.common_scale, "Draw all files to one scale, on one ground line")->group(group);
  command->add_flag("--together", o.together, "All files in one panel, where they are: a body and its garment")
      ->group(group);
  command->add_flag("--no-ground", o.no_ground, "No ground and no shadow on it")->group(group);
}

void AddMotionOptions(CLI::App* command, Options& o) {
  const std::string group = "Poses";
  command
      ->add_option("--pose", o.pose,
                   "One pose: JOINT[.bend|.side|.twist]=DEGREES,...; joints by the file's names or as left_elbow")
      ->group(group);
  command
      ->add_option("--poses", o.poses, "Poses or a motion: a .poses folder, a .bvh, or another .glb (FILE#ANIMATION)")
      ->group(group);
  command
      ->add_option("--animation", o.animation,
                   "Play the file's own animation of this name or number, morph targets and all")
      ->group(group);
  command->add_option("--frame", o.frame, "Only this frame, counted from 0")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  command->add_flag("--all", o.all, "Every frame, animated (the default)")->group(group);
  command->add_option("--fps", o.frames_per_second, "Frames a second [the motion's own]")
      ->check(CLI::Range(0.1, 240.0))
      ->group(group);
  command->add_option("--turn-frames", o.turn_frames, "Frames of a turntable")
      ->check(CLI::Range(2, 3600))
      ->capture_default_str()
      ->group(group);
  command->add_flag("--still-camera", o.still_camera, "The camera stays where it is, instead of following the body")
      ->group(group);
  command->add_option("--method", o.method, "Skinning: lbs or dqs")
      ->check(CLI::IsMember({"lbs", "dqs"}))
      ->capture_default_str()
      ->group(group);
}

void AddColorOptions(CLI::App* command, Options& o) {
  const std::string group = "Colours and overlays";
  command
      ->add_option("--heat", o.heat,
                   "Heat map of an NPY array: a value per vertex, or a row of them per frame; one "
                   "for all files, or one each: a.npy,b.npy")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  command->add_option("--compare", o.compare, "Heat map of each vertex's distance to this character's, in millimetres")
      ->group(group);
  command->add_option("--heat-range", o.heat_range, "LOW:HIGH of the colours [0 to the largest value of all files]")
      ->group(group);
  command->add_option("--heat-title", o.heat_title, "What the legend says is measured")->group(group);
  command->add_option("--heat-unit", o.heat_unit, "Its unit")->group(group);
  command->add_flag("--weights", o.weights, "Each joint's colour, blended by the weights")->group(group);
  command->add_option("--joint", o.joint, "Heat map of this joint's weights")->group(group);
  command->add_flag("--skeleton", o.skeleton, "Bones over the body")->group(group);
  command->add_flag("--wireframe", o.wireframe, "Edges over the shading")->group(group);
  command->add_flag("--flat", o.flat, "Every triangle flat")->group(group);
  command->add_flag("--no-textures", o.no_textures, "Clay instead of the file's textures")->group(group);
  command->add_option("--backfaces", o.backfaces, "Insides of surfaces: tint, plain, or auto (tinted where closed)")
      ->check(CLI::IsMember({"auto", "tint", "plain"}))
      ->capture_default_str()
      ->group(group);
}

}  // namespace

void AddRenderCommand(Commands& commands) {
  auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add("render", "Draw characters: side by side, from several sides, still or animated",
                                   "sinew render body.glb other.glb -o both.png --view front,side --common-scale",
                                   [options](const Common&) { return Run(*options); });
  command->add_option("FILE", options->files, "Characters, side by side (.glb, .gltf, .obj)")->required();
  command->add_option("-o,--output", options->output, "The picture: PNG, animated PNG where it moves")->required();
  AddViewOptions(command, *options);
  AddMotionOptions(command, *options);
  AddColorOptions(command, *options);
}

}  // namespace sinew::cli
