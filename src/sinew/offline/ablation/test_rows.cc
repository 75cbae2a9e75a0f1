#include "sinew/offline/ablation/test_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "sinew/offline/ablation/moved_root.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/graphnet/frame_store.h"
#include "sinew/offline/survey/network_method.h"
#include "sinew/offline/survey/survey_methods.h"

namespace sinew::ablation {
namespace {

survey::BodyMethod SkinningNamed(const std::string& name, const TestOptions& options) {
  if (name == "dual-quaternion") return survey::DualQuaternionMethod();
  if (name == "delta-mush") return survey::DeltaMushMethod();
  if (name == "voxel-weights") return survey::VoxelWeightsMethod();
  return survey::SkincellsMethod({.folder = options.fields, .steps = options.field_steps, .seed = options.seed});
}

}  // namespace

const std::vector<std::string>& SkinningNames() {
  static const std::vector<std::string> names = {"dual-quaternion", "delta-mush", "voxel-weights", "skincells"};
  return names;
}

std::string MovedName(const std::string& row) { return row + ", moved"; }

std::vector<survey::Body> ThinFrames(std::vector<survey::Body> bodies, int frames) {
  for (survey::Body& body : bodies) {
    const std::vector<int> all = survey::CountedFrames(body, dataset::Dataset(body.dataset));
    const size_t kept = frames > 0 ? std::min<size_t>(frames, all.size()) : all.size();
    body.frames.emplace();
    for (size_t k = 0; k < kept; ++k) body.frames->push_back(all[k * all.size() / kept]);
  }
  return bodies;
}

std::string HashOf(const std::vector<survey::Body>& bodies) {
  std::vector<std::string> words;
  for (const survey::Body& body : bodies) {
    const dataset::Dataset dataset(body.dataset);
    words.push_back(fmt::format("{}|{}", body.family, body.name));
    for (const int frame : *body.frames) words.push_back(graphnet::SeenHash(dataset.frame(frame)));
  }
  const std::string text = fmt::format("{}", fmt::join(words, "|"));
  return HashHex(std::as_bytes(std::span(text)));
}

std::vector<MethodResult> TestSkinning(const std::vector<survey::Body>& bodies, const TestOptions& options) {
  std::vector<survey::BodyMethod> methods;
  for (const std::string& name : options.skinning) methods.push_back(SkinningNamed(name, options));
  return ResultsOf(survey::MeasureBodies(bodies, methods));
}

std::vector<MethodResult> TestNetwork(const std::vector<survey::Body>& bodies, const std::string& name,
                                      const std::filesystem::path& model, const TestOptions& options) {
  std::vector<survey::BodyMethod> methods = {survey::NetworkMethod(name, model)};
  if (options.moved) methods.push_back(MovedMethod(MovedName(name), methods[0]));
  std::vector<MethodResult> results = ResultsOf(survey::MeasureBodies(bodies, methods));
  results.erase(results.begin());  // linear blend
  return results;
}

}  // namespace sinew::ablation
