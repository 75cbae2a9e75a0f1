// sinew_skin_quality [FILE.glb...] [--steps N] [--field FILE] [--follow VALUE] [--influences L] [--seed N]: how well
// each way to weights deforms a character, on the same seeded poses for all, none of which was optimised on. Without
// files: the embedded characters. docs/benchmarks.md says what the columns are.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/skin_options.h"
#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/poses/sample_poses.h"
#include "sinew/offline/skincells/field_file.h"
#include "sinew/offline/skincells/quality.h"
#include "sinew/offline/skincells/skin_character.h"

namespace sinew::skincells {
namespace {

constexpr int kTestPoses = 64, kEmbeddedVertices = 3000;

struct Options {
  std::vector<std::string> files;
  std::string field;
  uint64_t seed = 4711;  // of the poses to measure on; those to optimise on have another
  SkinOptions skin;
};

Options Parse(int argc, char** argv) {
  Options options;
  options.skin.progress = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (has_value && TakeSkinOption(word, argv[i + 1], options.skin)) {
      ++i;
    } else if (word == "--influences" && has_value) {
      options.skin.max_influences = std::atoi(argv[++i]);
    } else if (word == "--seed" && has_value) {
      options.seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (word == "--field" && has_value) {
      options.field = argv[++i];
    } else if (word[0] == '-') {
      throw UsageError(
          "usage: sinew_skin_quality [FILE.glb...] [--steps N] [--field FILE] [--follow VALUE] "
          "[--influences L] [--seed N]");
    } else {
      options.files.push_back(word);
    }
  }
  return options;
}

// One character under test: every method's weights are measured on the same poses.
class Trial {
 public:
  Trial(Character character, std::string name, const Options& options)
      : options_(options),
        name_(std::move(name)),
        character_(std::move(character)),
        subject_(MakeSubject(character_, name_)) {
    const SurfaceQuery query(subject_.surface);
    const std::vector<Bone> bones = FindBones(subject_, query);
    const Articulation articulation(character_.skeleton);
    const std::vector<Pose> poses =
        poses::SamplePoses(articulation, FindLimits(character_, name_), {.count = kTestPoses, .seed = options.seed});
    set_ = MakeTrainingSet(subject_, MakeSprings(subject_, bones, query), character_.skeleton, poses);
  }

  // Whether the field is what it should be on this character.
  bool Run() {
    fmt::print("{}: {} vertices, {} joints, {} poses\n", name_, set_.vertex_count(), set_.joint_count, kTestPoses);
    fmt::print("  {:<12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>10}\n", "method", "delta mush", "stretch 99", "volume",
               "location", "influences", "seconds");
    const Quality file = Show("file", character_, 0);
    const Quality proximity = Skin("proximity", Method::kProximity);
    Character rigid = character_;
    SkinOptions one = options_.skin;
    one.method = Method::kProximity;
    one.max_influences = 1;
    SkinCharacter(rigid, name_, one);
    Show("rigid", rigid, 0);
    const Quality own = Skin("skincells", Method::kSkinCells);
    if (!options_.field.empty()) ShowField();
    return Meets(own, file, proximity);
  }

 private:
  // At least a quarter smoother than proximity, and in nothing worse than the weights that came with the file.
  static bool Meets(const Quality& own, const Quality& file, const Quality& proximity) {
    const bool smooth = own.delta_mush <= 0.75 * proximity.delta_mush && own.delta_mush <= file.delta_mush;
    const bool rest = own.stretch_99 <= file.stretch_99 && own.volume <= file.volume && own.location <= file.location;
    fmt::print("  {}\n", smooth && rest ? "25% below proximity, nothing worse than the file's" : "falls short");
    return smooth && rest;
  }

  void ShowField() const {
    Character applied = character_;
    ApplyField(ReadField(options_.field), options_.field, applied, name_);
    Show("field", applied, 0);
  }

  Quality Skin(const char* name, Method method) {
    Character skinned = character_;
    SkinOptions options = options_.skin;
    options.method = method;
    const auto start = std::chrono::steady_clock::now();
    SkinCharacter(skinned, name_, options);
    return Show(name, skinned, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }

  Quality Show(const char* name, const Character& skinned, double seconds) const {
    const Quality q = MeasureQuality(subject_, set_, SurfaceWeights(subject_, skinned));
    fmt::print("  {:<12}{:>12.4f}{:>12.4f}{:>12.5f}{:>12.5f}{:>9.2f}/{:<2}{:>10.1f}\n", name, q.delta_mush,
               q.stretch_99, q.volume, q.location, q.influences, q.max_influences, seconds);
    std::fflush(stdout);
    return q;
  }

  const Options& options_;
  const std::string name_;
  const Character character_;
  const Subject subject_;
  TrainingSet set_;
};

int Main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  int good = 0;
  for (const std::string& file : options.files) {
    const std::string name = std::filesystem::path(file).filename();
    good += Trial(ReadCharacter(file, {.skin = "", .quiet = true}), name, options).Run() ? 1 : 0;
  }
  if (!options.files.empty()) {
    fmt::print("{} of {} are 25% below proximity and in nothing worse than the file's weights\n", good,
               options.files.size());
    return 0;
  }
  for (const embedded::Kind& kind : embedded::Kinds()) {
    const embedded::Shape neutral(kind.parameters);
    Trial(embedded::MakeCharacter(kind, neutral, kEmbeddedVertices), kind.name, options).Run();
  }
  return 0;
}

}  // namespace
}  // namespace sinew::skincells

int main(int argc, char** argv) {
  try {
    return sinew::skincells::Main(argc, argv);
  } catch (const sinew::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.kind());
  }
}
