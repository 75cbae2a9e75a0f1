#include "sinew/offline/learn/torch_trainer.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/learn/loaded_library.h"

namespace sinew::learn {
namespace {

constexpr const char* kName = "libsinew_torch.so";
constexpr const char* kRemedy = "build it with `scripts/torch`";
constexpr int kErrorSize = 1024;

// Room for the library's sentence.
struct Complaint {
  char text[kErrorSize] = "";
  [[noreturn]] void Throw() const { throw FailedError(fmt::format("cannot train with libtorch: {}", text)); }
  void ThrowIf(bool failed) const {
    if (failed) Throw();
  }
};

SinewTorchLevel ToPlain(const TorchLevel& level) {
  if (level.starts.size() < 2 || level.starts.back() != static_cast<int>(level.neighbours.size())) {
    throw UsageError("the neighbours of a mesh are not as many as their list says");
  }
  const size_t vertices = level.starts.size() - 1;
  if (level.rings.size() % (4 * vertices) != 0) {
    throw UsageError("a mesh has not four edges around each of its edges");
  }
  const auto fits = [vertices](size_t size) { return size == 0 || size == vertices; };
  if (!fits(level.coarser.size()) || !fits(level.shares.size())) {
    throw UsageError("the map of a mesh to its next level is not of all vertices");
  }
  const auto data = [](const auto& values) { return values.empty() ? nullptr : values.data(); };
  const auto ring_sets = static_cast<int>(level.rings.size() / (4 * vertices));
  return {static_cast<int>(vertices),
          level.starts.data(),
          level.neighbours.data(),
          data(level.coarser),
          data(level.shares),
          data(level.rings),
          ring_sets};
}

}  // namespace

struct TorchTrainer::Library {
  LoadedLibrary loaded{kName, "training of large networks", kRemedy};
  decltype(&sinew_torch_version) version = loaded.Find<decltype(&sinew_torch_version)>("sinew_torch_version");
  decltype(&sinew_torch_open) open = loaded.Find<decltype(&sinew_torch_open)>("sinew_torch_open");
  decltype(&sinew_torch_close) close = loaded.Find<decltype(&sinew_torch_close)>("sinew_torch_close");
  decltype(&sinew_torch_size) size = loaded.Find<decltype(&sinew_torch_size)>("sinew_torch_size");
  decltype(&sinew_torch_outputs) outputs = loaded.Find<decltype(&sinew_torch_outputs)>("sinew_torch_outputs");
  decltype(&sinew_torch_add_mesh) add_mesh = loaded.Find<decltype(&sinew_torch_add_mesh)>("sinew_torch_add_mesh");
  decltype(&sinew_torch_add_frame) add_frame = loaded.Find<decltype(&sinew_torch_add_frame)>("sinew_torch_add_frame");
  decltype(&sinew_torch_add_points) add_points =
      loaded.Find<decltype(&sinew_torch_add_points)>("sinew_torch_add_points");
  decltype(&sinew_torch_add_rig) add_rig = loaded.Find<decltype(&sinew_torch_add_rig)>("sinew_torch_add_rig");
  decltype(&sinew_torch_add_masks) add_masks = loaded.Find<decltype(&sinew_torch_add_masks)>("sinew_torch_add_masks");
  decltype(&sinew_torch_add_pose) add_pose = loaded.Find<decltype(&sinew_torch_add_pose)>("sinew_torch_add_pose");
  decltype(&sinew_torch_get) get = loaded.Find<decltype(&sinew_torch_get)>("sinew_torch_get");
  decltype(&sinew_torch_set) set = loaded.Find<decltype(&sinew_torch_set)>("sinew_torch_set");
  decltype(&sinew_torch_step) step = loaded.Find<decltype(&sinew_torch_step)>("sinew_torch_step");
  decltype(&sinew_torch_look) look = loaded.Find<decltype(&sinew_torch_look)>("sinew_torch_look");
  decltype(&sinew_torch_apply) apply = loaded.Find<decltype(&sinew_torch_apply)>("sinew_torch_apply");
  SinewTorchTrainer* trainer = nullptr;

  ~Library() {
    if (trainer != nullptr) close(trainer);
  }
};

TorchTrainer::TorchTrainer(const std::vector<TorchLayer>& layers, const SinewTorchOptions& options)
    : library_(std::make_unique<Library>()),
      shared_(options.shared),
      rig_alone_(options.rig_alone != 0),
      joints_(options.rig != nullptr      ? options.rig->joints
              : options.shapes != nullptr ? options.shapes->joints
                                          : 0) {
  if (library_->version() != SINEW_TORCH_VERSION) {
    throw FailedError(fmt::format("{} is of another version; {} again", kName, kRemedy));
  }
  std::vector<SinewTorchLayer> plain;
  for (const TorchLayer& layer : layers) {
    plain.push_back(layer.layer);
    plain.back().inputs = layer.inputs.data();
    plain.back().input_count = static_cast<int>(layer.inputs.size());
    plain.back().parents = layer.parents.data();
    plain.back().joints = static_cast<int>(layer.parents.size());
  }
  Complaint complaint;
  library_->trainer =
      library_->open(plain.data(), static_cast<int>(plain.size()), &options, complaint.text, kErrorSize);
  complaint.ThrowIf(library_->trainer == nullptr);
}
TorchTrainer::~TorchTrainer() = default;
TorchTrainer::TorchTrainer(TorchTrainer&&) noexcept = default;

size_t TorchTrainer::size() const { return static_cast<size_t>(library_->size(library_->trainer)); }
int TorchTrainer::outputs() const { return library_->outputs(library_->trainer); }

int TorchTrainer::AddMesh(std::span<const int> starts, std::span<const int> neighbours, std::span<const int> rings) {
  return AddMesh(std::vector<TorchLevel>{{.starts = starts, .neighbours = neighbours, .rings = rings}});
}

int TorchTrainer::AddMesh(std::span<const TorchLevel> levels) {
  std::vector<SinewTorchLevel> plain;
  for (const TorchLevel& level : levels) plain.push_back(ToPlain(level));
  Complaint complaint;
  const int number =
      library_->add_mesh(library_->trainer, plain.data(), static_cast<int>(plain.size()), complaint.text, kErrorSize);
  complaint.ThrowIf(number < 0);
  sizes_.emplace_back(plain[0].vertices, 0);
  return number;
}

int TorchTrainer::AddFrame(int mesh, std::span<const float> features, std::span<const float> targets,
                           std::span<const float> weights) {
  const bool bare = rig_alone_ && targets.empty() && weights.empty();
  if (!bare &&
      targets.size() != weights.size() * static_cast<size_t>(outputs() - shared_) + static_cast<size_t>(shared_)) {
    throw UsageError("a frame has not as many targets as weights");
  }
  Complaint complaint;
  const int number = library_->add_frame(library_->trainer, mesh, features.data(), targets.data(), weights.data(),
                                         complaint.text, kErrorSize);
  complaint.ThrowIf(number < 0);
  mesh_of_.push_back(mesh);
  return number;
}

void TorchTrainer::AddPoints(int mesh, std::span<const int> ends, int points) {
  if (static_cast<int>(ends.size()) != 2 * sizes_.at(mesh).first) {
    throw UsageError("a mesh has not two points for each of its rows");
  }
  Complaint complaint;
  complaint.ThrowIf(library_->add_points(library_->trainer, mesh, ends.data(), points, complaint.text, kErrorSize) !=
                    0);
  sizes_[mesh].second = points;
}

void TorchTrainer::AddRig(int frame, const TorchRig& rig) {
  const auto points = static_cast<size_t>(sizes_[mesh_of_.at(frame)].second), joints = static_cast<size_t>(joints_);
  if (rig.points.size() != 3 * points || rig.weights.size() != joints * points || rig.shares.size() != points ||
      rig.joints.size() != 3 * joints) {
    throw UsageError("the rig of a frame is not of as many points and joints as its mesh");
  }
  Complaint complaint;
  complaint.ThrowIf(library_->add_rig(library_->trainer, frame, rig.points.data(), rig.weights.data(),
                                      rig.shares.data(), rig.joints.data(), complaint.text, kErrorSize) != 0);
}

void TorchTrainer::AddMasks(int frame, const TorchMasks& masks) {
  const auto points = static_cast<size_t>(sizes_[mesh_of_.at(frame)].second), joints = static_cast<size_t>(joints_);
  if (masks.masks.size() != joints * points || masks.shares.size() != points) {
    throw UsageError("the masks of a frame are not of as many points and joints as its mesh");
  }
  Complaint complaint;
  complaint.ThrowIf(library_->add_masks(library_->trainer, frame, masks.masks.data(), masks.shares.data(),
                                        complaint.text, kErrorSize) != 0);
}

int TorchTrainer::AddPose(int frame, const TorchPose& pose) {
  const auto points = static_cast<size_t>(sizes_[mesh_of_.at(frame)].second), joints = static_cast<size_t>(joints_);
  if (pose.rotations.size() != 9 * joints || pose.turns.size() != 9 * points || pose.off.size() != 3 * points) {
    throw UsageError("a pose of a frame is not of as many points and joints as its mesh");
  }
  Complaint complaint;
  const int number = library_->add_pose(library_->trainer, frame, pose.rotations.data(), pose.turns.data(),
                                        pose.off.data(), complaint.text, kErrorSize);
  complaint.ThrowIf(number < 0);
  return number;
}

TorchState TorchTrainer::State() const {
  TorchState state;
  Complaint complaint;
  const auto get = [&](int part, std::vector<float>& values) {
    values.resize(size());
    complaint.ThrowIf(library_->get(library_->trainer, part, values.data(), complaint.text, kErrorSize) != 0);
  };
  get(SINEW_TORCH_VALUES, state.values);
  get(SINEW_TORCH_FIRST_MOMENTS, state.first_moments);
  get(SINEW_TORCH_SECOND_MOMENTS, state.second_moments);
  return state;
}

void TorchTrainer::SetState(const TorchState& state) {
  Complaint complaint;
  const auto set = [&](int part, const std::vector<float>& values) {
    if (values.size() != size()) throw UsageError("the state is of another network");
    complaint.ThrowIf(library_->set(library_->trainer, part, values.data(), complaint.text, kErrorSize) != 0);
  };
  set(SINEW_TORCH_VALUES, state.values);
  set(SINEW_TORCH_FIRST_MOMENTS, state.first_moments);
  set(SINEW_TORCH_SECOND_MOMENTS, state.second_moments);
}

double TorchTrainer::Step(std::span<const int> frames, long long step, double rate, const SinewTorchPoses* poses) {
  Complaint complaint;
  double loss = 0;
  complaint.ThrowIf(library_->step(library_->trainer, frames.data(), static_cast<int>(frames.size()), poses, step, rate,
                                   &loss, complaint.text, kErrorSize) != 0);
  return loss;
}

std::vector<double> TorchTrainer::Look(std::span<const int> frames, const SinewTorchPoses* poses) const {
  Complaint complaint;
  std::vector<double> losses(frames.size());
  complaint.ThrowIf(library_->look(library_->trainer, frames.data(), static_cast<int>(frames.size()), poses,
                                   losses.data(), complaint.text, kErrorSize) != 0);
  return losses;
}

std::vector<float> TorchTrainer::Apply(int frame, int rows) const {
  Complaint complaint;
  std::vector<float> values(static_cast<size_t>(rows) * outputs());
  complaint.ThrowIf(library_->apply(library_->trainer, frame, values.data(), complaint.text, kErrorSize) != 0);
  return values;
}

}  // namespace sinew::learn
