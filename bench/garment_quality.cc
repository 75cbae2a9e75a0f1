// sinew_garment_quality [GARMENT.glb BODY.glb...] [--steps N] [--follow VALUE] [--col VALUE]: how well each way to
// weights dresses a body, on the same seeded poses for all, none of which was optimised on. Without files: the embedded
// skirt over the biped. docs/benchmarks.md says what the columns are.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
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
#include "sinew/offline/skincells/poking.h"
#include "sinew/offline/skincells/quality.h"
#include "sinew/offline/skincells/skin_character.h"

namespace sinew::skincells {
namespace {

constexpr int kTestPoses = 64;
constexpr uint64_t kTestSeed = 4711;

struct Options {
  std::vector<std::string> files;
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
    } else if (word == "--col" && has_value) {
      options.skin.collision = std::atof(argv[++i]);
    } else if (word[0] == '-') {
      throw UsageError(
          "usage: sinew_garment_quality [GARMENT.glb BODY.glb...] [--steps N] [--follow VALUE] [--col VALUE]");
    } else {
      options.files.push_back(word);
    }
  }
  if (options.files.size() % 2 != 0) throw UsageError("name a garment and its body, a garment and its body");
  return options;
}

Points ToPoints(const Eigen::Matrix3Xd& columns) { return columns.transpose().cast<float>(); }

class Trial {
 public:
  Trial(Character garment, std::string name, Character body, std::string body_name, const Options& options)
      : options_(options),
        name_(std::move(name)),
        body_name_(std::move(body_name)),
        garment_(std::move(garment)),
        body_(std::move(body)),
        subject_(MakeSubject(garment_, name_)),
        under_(subject_, garment_.skeleton, name_, body_, body_name_) {
    const SurfaceQuery query(subject_.surface);
    const std::vector<Bone> bones = FindBones(subject_, query);
    const std::vector<Pose> poses = poses::SamplePoses(Articulation(garment_.skeleton), FindLimits(garment_, name_),
                                                       {.count = kTestPoses, .seed = kTestSeed});
    set_ = MakeTrainingSet(subject_, MakeSprings(subject_, bones, query), garment_.skeleton, poses);
    for (const Pose& pose : poses) bodies_.push_back(under_.At(pose));
    meter_.emplace(ToPoints(set_.points), subject_.surface.triangles, under_.triangles(),
                   under_.At(garment_.skeleton.RestPose()));
  }

  void Run() {
    fmt::print("{} over {}: {} vertices, {} joints, {} triangles of the body covered, {} poses\n", name_, body_name_,
               set_.vertex_count(), set_.joint_count, meter_->covered(), kTestPoses);
    fmt::print("  {:<12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>10}\n", "method", "poking", "stretch 99", "delta mush",
               "location", "influences", "seconds");
    Show("file", garment_, 0);
    Skin("proximity", Method::kProximity, false);
    try {
      Skin("transfer", Method::kTransfer, false);
    } catch (const InputError&) {
      fmt::print("  {:<12}{:>12}\n", "transfer", "other joints");
    }
    Skin("no collision", Method::kSkinCells, false);
    Skin("skincells", Method::kSkinCells, true);
  }

 private:
  void Skin(const char* name, Method method, bool collide) {
    Character skinned = garment_;
    SkinOptions options = options_.skin;
    options.method = method;
    options.collide = collide ? &body_ : nullptr;
    options.collide_file = body_name_;
    const auto start = std::chrono::steady_clock::now();
    SkinCharacter(skinned, name_, options, &body_, body_name_);
    Show(name, skinned, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }

  void Show(const char* name, const Character& skinned, double seconds) const {
    const SkinWeights weights = SurfaceWeights(subject_, skinned);
    const Quality q = MeasureQuality(subject_, set_, weights);
    double poking = 0;
    for (int p = 0; p < kTestPoses; ++p) {
      poking += meter_->Poking(ToPoints(PosedSurface(subject_, set_, weights, p)), bodies_[p]) / double(kTestPoses);
    }
    fmt::print("  {:<12}{:>12.1f}{:>12.4f}{:>12.4f}{:>12.5f}{:>9.2f}/{:<2}{:>10.1f}\n", name, poking, q.stretch_99,
               q.delta_mush, q.location, q.influences, q.max_influences, seconds);
    std::fflush(stdout);
  }

  const Options& options_;
  const std::string name_, body_name_;
  const Character garment_, body_;
  const Subject subject_;
  const BodyUnderGarment under_;
  TrainingSet set_;
  std::vector<Points> bodies_;
  std::optional<PokeMeter> meter_;
};

Character Embedded(const char* name, int vertices) {
  const embedded::Kind& kind = embedded::FindKind(name);
  return embedded::MakeCharacter(kind, embedded::Shape(kind.parameters), vertices);
}

int Main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename().string(); };
  for (size_t i = 0; i < options.files.size(); i += 2) {
    const std::string &garment = options.files[i], &body = options.files[i + 1];
    Trial(ReadCharacter(garment, {.skin = "", .quiet = true}), name(garment),
          ReadCharacter(body, {.skin = "", .quiet = true}), name(body), options)
        .Run();
  }
  if (options.files.empty()) Trial(Embedded("skirt", 3000), "skirt", Embedded("biped", 9000), "biped", options).Run();
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
