#include "sinew/runtime/frame/evaluate.h"

#include <cmath>
#include <cstring>

#include "sinew/runtime/frame/cutoff.h"
#include "sinew/runtime/frame/level_pass.h"
#include "sinew/runtime/frame/scratch.h"
#include "sinew/runtime/net/network.h"
#include "sinew/runtime/pose/features.h"
#include "sinew/runtime/pose/pose.h"
#include "sinew/runtime/skin/linear_part.h"
#include "sinew/runtime/skin/skin.h"

namespace sinew::runtime {
namespace {

// Networks per task, and range tests per task. One alone takes a tenth of a microsecond, of which handing it out would
// be a large part; and in a group the end of one overlaps with the beginning of the next.
constexpr int kNetworksPerTask = 4;
constexpr int kTestsPerTask = 8;

int Chunks(int count, int per_chunk) { return (count + per_chunk - 1) / per_chunk; }

// Largest absolute value of a matrix entry; beyond it the sums over a vertex's influences may overflow.
constexpr float kLargestEntry = 1e15f;

template <typename T>
bool EmptyOrCovers(const StridedSpan<T>& span, int vertices) {
  return span.empty() || (span.size() >= static_cast<size_t>(vertices) && span.well_formed());
}

bool OutputIsValid(const LevelOutput& o, const BundleLevel& level, int i) {
  const int n = level.vertex_count;
  if (!EmptyOrCovers(o.positions, n) || !EmptyOrCovers(o.normals, n) || !EmptyOrCovers(o.tangents, n) ||
      !EmptyOrCovers(o.displacements, n) || !EmptyOrCovers(o.post_displacements, n)) {
    return false;
  }
  if (o.positions.empty() &&
      (!o.normals.empty() || !o.tangents.empty() || !o.post_displacements.empty() || o.bounds != nullptr)) {
    return false;
  }
  if ((!o.normals.empty() && level.rest_normals.empty()) || (!o.tangents.empty() && level.rest_tangents.empty()) ||
      (!o.tangents.empty() && o.normals.empty())) {
    return false;
  }
  return o.toward_coarser >= 0 && o.toward_coarser <= 1 && (i > 1 || o.toward_coarser == 0);
}

// State and steps of one evaluation.
class Frame {
 public:
  Frame(const EvaluateJob& job, int finest)
      : job_(job),
        bundle_(*job.bundle),
        finest_(finest),
        scratch_(bundle_, finest, job.scratch),
        cutoff_(job.stop, job.clock, job.deadline) {}

  Evaluation Run() {
    cutoff_.HoldToDeadline(job_.complete_level == 0);
    if (cutoff_.Reached()) return Interrupted();
    // Pose: skinning matrices and network inputs.
    ApplyPose();
    PoseColliders();
    if (!job_.skin_only) ComputeFeatures();
    // Coefficients: of all levels at once unless a clock may end the evaluation early.
    const bool in_one_go = job_.clock == nullptr;
    const int most = job_.coefficient_level > finest_ ? job_.coefficient_level : finest_;
    if (job_.skin_only) ClearCoefficients();
    if (!job_.skin_only && !ComputeCoefficients(in_one_go, most)) return Interrupted();
    // Levels, coarsest first, until a deadline or the stop flag ends it.
    int64_t begun = ReadClock(0), took = 0;
    for (int i = 1; i <= finest_; ++i) {
      cutoff_.HoldToDeadline(i > job_.complete_level);
      if (cutoff_.Reached() || !ShouldFit(i, begun, took)) return Interrupted();
      if (!in_one_go && i > 1 && !job_.skin_only) RunTasks(GroupNetworks(i, i, true));
      if (cutoff_.was_reached() || !EvaluateLevel(i)) return Interrupted();
      const int64_t now = ReadClock(i);
      took = now - begun;
      begun = now;
      if (Wanted(i)) result_.level = i;
      if (i == job_.coefficient_level && result_.level < i) result_.level = i;
      if (beyond_.load(std::memory_order_relaxed)) result_.flags |= kContactBeyond;
    }
    return result_;
  }

 private:
  // Poses the colliders that are on and usable.
  void PoseColliders() {
    if (job_.skin_only || (result_.flags & kPoseRefused) != 0) return;
    const bool root_is_rigid = job_.colliders.empty() || IsRigid(job_.root);
    const ContactTable& table = bundle_.contact();
    for (const Collider& collider : job_.colliders) {
      if (!collider.on) continue;
      const bool posed = root_is_rigid && collider.field >= 0 && collider.field < table.field_count() &&
                         PoseField(table, collider, {scratch_.models, bundle_.parents().size()}, bundle_.slot_joints(),
                                   scratch_.contact[contact_count_], &contacts_[contact_count_]);
      contact_count_ += posed ? 1 : 0;
      if (!posed) result_.flags |= kContactRefused;
    }
  }

  // Whether level i's correctives affect any requested output.
  bool Needed(int i) const {
    return bundle_.incremental() || Wanted(i) || MixedInto(i + 1) || i <= job_.coefficient_level;
  }
  // Whether level i is blended with the surface of the coarser one.
  bool MixedInto(int i) const { return Wanted(i) && job_.levels[i - 1].toward_coarser != 0; }

  void ClearCoefficients() const {
    if (job_.coefficient_level == 0) return;
    std::memset(job_.coefficients.data(), 0, bundle_.coefficient_count(job_.coefficient_level) * sizeof(float));
  }

  bool Wanted(int i) const { return i <= static_cast<int>(job_.levels.size()) && job_.levels[i - 1].wanted(); }

  Evaluation Interrupted() {
    result_.flags |= kInterrupted;
    return result_;
  }

  // Returns the clock's reading, 0 without one, and keeps it as times[i].
  int64_t ReadClock(int i) const {
    if (job_.clock == nullptr) return 0;
    const int64_t now = job_.clock->Now();
    if (static_cast<size_t>(i) < job_.times.size()) job_.times[i] = now;
    return now;
  }

  // Bytes that a pass over a basis or a level reads and writes, to predict its time; 60 are those per vertex besides
  // the modes.
  static double BytesOf(const BasisTable& basis) {
    if (basis.empty()) return 0;
    return static_cast<double>(BasisTable::kBlockElements * runtime::BytesOf(basis.precision())) * basis.entry_count();
  }
  static double BytesOf(const BundleLevel& level) {
    return 60.0 * level.vertex_count + BytesOf(level.basis) + BytesOf(level.own_basis);
  }

  // Whether level i should be complete before a deadline that counts for it. begun: the clock's latest reading. took:
  // the time of level i - 1, from which that of level i is predicted by the ratio of their bytes.
  bool ShouldFit(int i, int64_t begun, int64_t took) const {
    if (i == 1 || !cutoff_.held()) return true;
    const double ratio = BytesOf(bundle_.level(i)) / BytesOf(bundle_.level(i - 1));
    return static_cast<double>(begun) + static_cast<double>(took) * ratio <= static_cast<double>(job_.deadline);
  }

  bool MatricesAreUsable() const {
    bool usable = true;
    for (size_t s = 0; s < bundle_.slot_joints().size(); ++s) {
      for (const float m : scratch_.matrices[s].m) usable &= std::fabs(m) <= kLargestEntry;
    }
    return usable;
  }

  void ComputeMatrices(std::span<const Transform> pose, const Affine& root) {
    const size_t joints = bundle_.parents().size();
    const LocalToModelJob to_model{
        .parents = bundle_.parents(), .locals = pose, .root = root, .models = {scratch_.models, joints}};
    to_model.Run();
    const std::span<const int16_t> slots = bundle_.slot_joints();
    for (size_t s = 0; s < slots.size(); ++s) {
      const Affine& model = slots[s] < 0 ? root : scratch_.models[slots[s]];
      scratch_.matrices[s] = Multiply(model, bundle_.inverse_binds()[s]);
    }
  }

  void ApplyPose() {
    pose_ = job_.pose;
    ComputeMatrices(pose_, job_.root);
    if (!MatricesAreUsable() || !RotationsAreFinite()) {
      result_.flags |= kPoseRefused;
      pose_ = bundle_.rest_pose();
      ComputeMatrices(pose_, Affine());
    }
    ChooseNormals();
  }

  // Chooses how normals are transformed by what joints and root do together.
  void ChooseNormals() {
    const size_t slots = bundle_.slot_joints().size();
    size_t even = 0, mirrored = 0;
    for (size_t s = 0; s < slots; ++s) {
      const LinearPart part = LinearPartOf(scratch_.matrices[s]);
      even += part == LinearPart::kEven ? 1 : 0;
      mirrored += part == LinearPart::kMirrored ? 1 : 0;
    }
    normal_matrix_ = even == slots ? NormalMatrix::kLinear : NormalMatrix::kCofactor;
    facing_ = mirrored == 0 ? Facing::kWinding : mirrored == slots ? Facing::kReversed : Facing::kAsGiven;
  }

  // A rotation that is not finite counts as none where matrices are made; here it is a reason to refuse.
  bool RotationsAreFinite() const {
    bool finite = true;
    for (const Transform& t : pose_) {
      const float sum =
          std::fabs(t.rotation.x) + std::fabs(t.rotation.y) + std::fabs(t.rotation.z) + std::fabs(t.rotation.w);
      finite &= sum <= kLargestEntry;
    }
    return finite;
  }

  void ComputeFeatures() {
    const int count = FeatureCount(bundle_.features());
    const std::span<const Transform> rest = bundle_.rest_pose();
    for (size_t j = 0; j < rest.size(); ++j) {
      JointFeatures(bundle_.features(), SeenRotation(bundle_.references(), bundle_.parents(), rest, j),
                    SeenRotation(bundle_.references(), bundle_.parents(), pose_, j), scratch_.features + j * count);
    }
  }

  void Gather(std::span<const uint16_t> joints, float* inputs) const {
    const int count = FeatureCount(bundle_.features());
    for (const uint16_t joint : joints) {
      std::memcpy(inputs, scratch_.features + static_cast<size_t>(joint) * count, count * sizeof(float));
      inputs += count;
    }
  }

  // A batch of tasks: range tests, and the networks of the levels `from` to `to`.
  struct Group {
    Frame* frame = nullptr;
    int from = 1, to = 0, tests = 0;
    bool faded = false;  // whether all tests are already done, so that each network's outputs can be faded at once
    int tasks = 0;
  };

  // Runs the range tests and the networks of level 1, then fades their outputs. The networks of finer levels run with
  // them, or, if possible, beside the tiles of level 1, which are too few to keep all threads busy. Returns false if
  // the cutoff came first.
  bool ComputeCoefficients(bool in_one_go, int most) {
    const bool beside = in_one_go && most > 1 && Evaluated(1);
    Group group = GroupNetworks(1, in_one_go && !beside ? most : 1, false);
    group.tests = bundle_.ranges().test_count();
    group.tasks += Chunks(group.tests, kTestsPerTask);
    RunTasks(group);
    if (cutoff_.was_reached()) return false;
    ReportRange();
    for (int i = group.from; i <= group.to; ++i) {
      for (int n = 0; n < NetworksOf(i); ++n) Fade(i, n);
    }
    if (beside) beside_level_1_ = GroupNetworks(2, most, true);
    return true;
  }

  Group GroupNetworks(int from, int to, bool faded) {
    Group group{.frame = this, .from = from, .to = to, .faded = faded};
    for (int i = from; i <= to; ++i) group.tasks += Chunks(NetworksOf(i), kNetworksPerTask);
    return group;
  }

  void RunTasks(Group group) const {
    if (job_.runner != nullptr) {
      job_.runner->Run(&RunGroupTask, &group, group.tasks);
    } else {
      for (int i = 0; i < group.tasks; ++i) RunGroupTask(&group, i);
    }
  }

  static void RunGroupTask(void* opaque, int index) {
    const Group& group = *static_cast<const Group*>(opaque);
    if (group.frame->cutoff_.Reached()) return;
    const int tests = Chunks(group.tests, kTestsPerTask);
    if (index >= tests) {
      group.frame->RunSomeNetworks(group, index - tests);
      return;
    }
    for (int t = index * kTestsPerTask; t < group.tests && t < (index + 1) * kTestsPerTask; ++t) {
      group.frame->RunRangeTest(t);
    }
  }

  void RunRangeTest(int index) const {
    float inputs[RangeTable::kMaxFeatures];
    const RangeTable& ranges = bundle_.ranges();
    Gather(ranges.joints(ranges.test(index)), inputs);
    scratch_.out_of_range[index] = OutOfRange(ranges, index, inputs);
  }

  int NetworksOf(int i) const { return Needed(i) ? bundle_.level(i).networks.network_count() : 0; }

  void RunSomeNetworks(const Group& group, int chunk) const {
    for (int i = group.from; i <= group.to; ++i) {
      const int count = NetworksOf(i), chunks = Chunks(count, kNetworksPerTask);
      if (chunk < chunks) {
        const int begin = chunk * kNetworksPerTask;
        for (int n = begin; n < count && n < begin + kNetworksPerTask; ++n) {
          RunNetwork(i, n);
          if (group.faded) Fade(i, n);
        }
        return;
      }
      chunk -= chunks;
    }
  }

  float* OutputsOf(int i, const NetworkTable::Network& network) const {
    return scratch_.coefficients + bundle_.level(i).first_coefficient + network.first_output;
  }

  void RunNetwork(int i, int n) const {
    float inputs[NetworkTable::kMaxWidth];
    const NetworkTable& networks = bundle_.level(i).networks;
    const NetworkTable::Network& network = networks.network(n);
    Gather(networks.joints(network), inputs);
    EvaluateNetwork(networks, n, inputs, OutputsOf(i, network));
  }

  void ReportRange() {
    for (int t = 0; t < bundle_.ranges().test_count(); ++t) {
      const float outside = scratch_.out_of_range[t];
      if (outside > result_.out_of_range) result_.out_of_range = outside;
    }
    if (result_.out_of_range > 0) result_.flags |= kFaded;
  }

  void Fade(int i, int n) const {
    const NetworkTable& networks = bundle_.level(i).networks;
    const NetworkTable::Network& network = networks.network(n);
    float outside = 0;
    for (const uint16_t test : networks.ranges(network)) {
      if (scratch_.out_of_range[test] > outside) outside = scratch_.out_of_range[test];
    }
    float* outputs = OutputsOf(i, network);
    const float fade = FadeOf(outside);
    for (uint32_t k = 0; k < network.outputs; ++k) outputs[k] *= fade;
    if (i <= job_.coefficient_level && network.outputs > 0) {
      std::memcpy(job_.coefficients.data() + (outputs - scratch_.coefficients), outputs,
                  network.outputs * sizeof(float));
    }
  }

  StridedSpan<const Float3> Coarser(const float* array, int i, int floats) const {
    // The arrays in scratch have one vertex of padding that may be read.
    return {reinterpret_cast<const Float3*>(array), static_cast<size_t>(bundle_.level(i).vertex_count) + 1,
            floats * sizeof(float)};
  }

  // Returns whether the level is complete: false if the cutoff came first.
  bool EvaluateLevel(int i) {
    const LevelOutput nothing;
    const LevelOutput& output = i <= static_cast<int>(job_.levels.size()) ? job_.levels[i - 1] : nothing;
    const BundleLevel& level = bundle_.level(i);
    if (!Evaluated(i)) return true;
    LevelPass pass;
    pass.level = &level;
    pass.output = &output;
    pass.displaced = !job_.skin_only;
    pass.dynamic_normals = DynamicNormals(i, output);
    pass.correctives.vertex_count = level.vertex_count;
    if (i > 1) {
      if (bundle_.incremental()) pass.correctives.upsampling = &level.upsampling;
      pass.correctives.coarse = Coarser(scratch_.displacements[i - 2], i - 1, 4);
      pass.coarse_positions = Coarser(scratch_.positions(i - 1), i - 1, 3);
    }
    if (!level.basis.empty()) pass.correctives.basis = &level.basis;
    if (!level.own_basis.empty()) pass.own_basis = &level.own_basis;
    pass.correctives.coefficients = scratch_.coefficients + level.first_coefficient;
    if (i < LastWanted() && !ByItself()) pass.kept = scratch_.displacements[i - 1];
    if (MixedInto(i + 1)) pass.kept_positions = scratch_.positions(i);
    pass.matrices = {scratch_.matrices, bundle_.slot_joints().size()};
    pass.normal_matrix = normal_matrix_;
    pass.facing = facing_;
    pass.contacts = {contacts_, contact_count_};
    pass.tiles = scratch_.tiles;
    pass.beyond = &beyond_;
    pass.runner = job_.runner;
    if (i == 1 && beside_level_1_.tasks > 0) {
      pass.others = {.task = &RunGroupTask, .context = &beside_level_1_, .count = beside_level_1_.tasks};
    }
    pass.cutoff = &cutoff_;
    return pass.Run();
  }

  // Whether normals of level i come from the deformed triangles. Depends on nothing that changes with the pose, so that
  // light does not jump.
  bool DynamicNormals(int i, const LevelOutput& output) const {
    if (output.normals_from != NormalSource::kAuto) return output.normals_from == NormalSource::kTriangles;
    return !output.post_displacements.empty() || (!job_.skin_only && CorrectivesMove(bundle_, i));
  }
  // Whether no level depends on a coarser one.
  bool ByItself() const { return job_.skin_only || !bundle_.incremental(); }
  // Whether level i needs a pass over its vertices, not only its networks.
  bool Evaluated(int i) const { return i <= LastWanted() && (!ByItself() || Wanted(i) || MixedInto(i + 1)); }

  int LastWanted() const {
    int last = 0;
    for (int i = 1; i <= finest_; ++i) last = Wanted(i) ? i : last;
    return last;
  }

  const EvaluateJob& job_;
  const Bundle& bundle_;
  int finest_;
  Scratch scratch_;
  Cutoff cutoff_;
  Group beside_level_1_;
  std::span<const Transform> pose_;
  NormalMatrix normal_matrix_ = NormalMatrix::kLinear;
  Facing facing_ = Facing::kWinding;
  PosedField contacts_[kMaxColliders];
  size_t contact_count_ = 0;
  std::atomic<bool> beyond_{false};
  Evaluation result_;
};

int FinestOf(const EvaluateJob& job) {
  int finest = job.coefficient_level > 1 ? job.coefficient_level : 1;
  for (size_t i = 0; i < job.levels.size(); ++i) {
    if (job.levels[i].wanted() && static_cast<int>(i) + 1 > finest) finest = static_cast<int>(i) + 1;
  }
  return finest;
}

}  // namespace

size_t ScratchBytes(const Bundle& bundle, int finest_level) noexcept {
  if (bundle.empty()) return 0;
  const int finest = finest_level < 1 || finest_level > bundle.level_count() ? bundle.level_count() : finest_level;
  return Scratch(bundle, finest, {}).bytes() + 64;
}

Status EvaluateJob::Validate() const noexcept {
  if (bundle == nullptr || bundle->empty() || pose.size() != static_cast<size_t>(bundle->joint_count()) ||
      levels.size() > static_cast<size_t>(bundle->level_count()) || coefficient_level < 0 ||
      coefficient_level > bundle->level_count() || complete_level < 0 ||
      colliders.size() > static_cast<size_t>(kMaxColliders)) {
    return Status::kInvalidArgument;
  }
  for (size_t i = 0; i < levels.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    if (!OutputIsValid(levels[i], bundle->level(number), number)) return Status::kInvalidArgument;
  }
  if (coefficient_level > 0 &&
      coefficients.size() < static_cast<size_t>(bundle->coefficient_count(coefficient_level))) {
    return Status::kInvalidArgument;
  }
  return scratch.size() < ScratchBytes(*bundle, FinestOf(*this)) ? Status::kInsufficientSpace : Status::kOk;
}

bool CorrectivesMove(const Bundle& bundle, int level) noexcept {
  const int coarsest = bundle.incremental() ? 1 : level;
  for (int i = coarsest; i <= level; ++i) {
    if (bundle.level(i).coefficient_count() > 0) return true;
  }
  return false;
}

Evaluation EvaluateJob::Run() const noexcept {
  if (const Status status = Validate(); status != Status::kOk) return {.status = status};
  return Frame(*this, FinestOf(*this)).Run();
}

void EvaluateInstances(std::span<const EvaluateJob> jobs, std::span<Evaluation> evaluations,
                       TaskRunner* runner) noexcept {
  struct Context {
    std::span<const EvaluateJob> jobs;
    std::span<Evaluation> evaluations;
  };
  Context context{jobs, evaluations};
  const TaskRunner::Task task = [](void* opaque, int i) {
    const Context& c = *static_cast<const Context*>(opaque);
    EvaluateJob job = c.jobs[i];
    job.runner = nullptr;
    c.evaluations[i] = job.Run();
  };
  const size_t count = jobs.size() < evaluations.size() ? jobs.size() : evaluations.size();
  if (runner != nullptr) {
    runner->Run(task, &context, static_cast<int>(count));
    return;
  }
  for (size_t i = 0; i < count; ++i) task(&context, static_cast<int>(i));
}

}  // namespace sinew::runtime
