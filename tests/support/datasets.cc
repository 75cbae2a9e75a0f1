#include "tests/support/datasets.h"

#include <vector>

#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/npy.h"
#include "tests/support/test_character.h"

namespace sinew::testing {

dataset::StoredCharacter StoredTestCharacter(const RigOptions& options) {
  dataset::StoredCharacter stored;
  stored.character = TestCharacter(options);
  stored.file = gltf::EncodeGlb(stored.character);
  const std::string hash = HashHex(stored.file);
  stored.entry = {.name = "egg",
                  .file = "characters/" + hash + ".glb",
                  .hash = hash,
                  .vertices = stored.character.vertex_count(),
                  .joints = stored.character.skeleton.joint_count()};
  return stored;
}

dataset::PoseSequence TestSequence(const Skeleton& skeleton, int frames_each, uint64_t seed) {
  std::vector<Clip> clips;
  Random random(seed);
  for (const char* name : {"walk", "run", "samples"}) {
    Clip& clip = clips.emplace_back();
    clip.skeleton = skeleton;
    clip.motion = {.name = name, .frames_per_second = 30, .joints = JointNames(skeleton), .frames = {}};
    const bool samples = std::string(name) == "samples";
    clip.sources = {{.kind = samples ? "limits" : "motion", .file = std::string(name) + ".bvh", .clip = name}};
    for (int f = 0; f < frames_each; ++f) {
      clip.motion.frames.push_back(RandomPose(skeleton, random, 0.8));
      clip.origins.push_back({0, f});
    }
  }
  return dataset::MakePoseSequence(clips, {"a", "b", "c"}, skeleton);
}

dataset::FrameTruth NumberedTruth(const dataset::StoredCharacter& stored, int i) {
  dataset::FrameTruth truth;
  truth.shape = Points::Constant(stored.entry.vertices, 3, static_cast<float>(i));
  truth.arrays["steps"] = MakeNpy(std::vector<int32_t>{i, 2 * i}, {2});
  if (i % 7 == 5) truth.failure = "did not converge";
  return truth;
}

void WriteNumberedDataset(const std::filesystem::path& path, const dataset::StoredCharacter& stored,
                          const dataset::PoseSequence& sequence, const dataset::FrameRange& range, int chunk_frames) {
  dataset::DatasetManifest start = dataset::StartManifest(stored, sequence, {{"maker", "test"}});
  start.chunk_frames = chunk_frames;
  dataset::DatasetWriter writer(path, start, {{stored.entry.file, stored.file}});
  dataset::MakeFrames(writer, sequence, range, {.label = "test"}, [&](int i) { return NumberedTruth(stored, i); });
}

std::map<std::string, Bytes> FilesBelow(const std::filesystem::path& folder) {
  std::map<std::string, Bytes> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[std::filesystem::relative(entry.path(), folder).string()] = ReadFile(entry.path());
    }
  }
  return files;
}

}  // namespace sinew::testing
