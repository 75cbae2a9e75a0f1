// What the page calls: baked characters by the runtime, and nothing else. The page gives all memory and the clock.
//
// Addresses are numbers on the other side, so structures that both sides know have 4-byte members at fixed places
// (viewer/src/runtime.ts). Levels are numbered from 1, the coarsest. Every function that takes a bundle expects one
// that OpenCharacter() has accepted.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "sinew/runtime/asset/bundle.h"
#include "sinew/runtime/asset/unpack.h"
#include "sinew/runtime/base/half.h"
#include "sinew/runtime/frame/evaluate.h"
#include "sinew/runtime/pose/pose.h"
#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"

#define PAGE_EXPORT(name) extern "C" __attribute__((export_name(#name)))

// Milliseconds since any moment.
extern "C" __attribute__((import_module("page"), import_name("now"))) double PageNow();

// Where the memory begins that belongs to nobody but the page: the linker's symbol, an address without a value.
extern "C" const std::byte __heap_base;

namespace sinew::runtime {
namespace {

// What is wanted of one level. Null: not wanted.
struct PageLevel {
  Float3* positions;
  Float3* normals;
  Float3* displacements;
  float toward_coarser;            // 0: the level's own shape; 1: the surface of the next coarser level
  int32_t normals_from_triangles;  // 0: skinned normals
};
static_assert(sizeof(PageLevel) == 20);

// A collider that presses the skin.
struct PageCollider {
  int32_t contact;  // which of the bundle's learned colliders
  int32_t joint;    // that carries it, or -1
  float pose[16];   // column-major and rigid: to model space, or to the joint's frame
};
static_assert(sizeof(PageCollider) == 72);

// A learned collider: the grid of its signed distance and lengths, in the character's unit.
struct PageContact {
  int32_t counts[3];  // samples along x, y and z
  float origin[3], spacing[3];
  float window, depth;  // where its reach ends; how deep it was pressed in training
  int32_t joint_count;  // that the field depends on
};
static_assert(sizeof(PageContact) == 48);

struct PageFrame {
  const Transform* pose;  // one a joint
  std::byte* scratch;
  uint32_t scratch_bytes;
  const PageLevel* levels;  // levels[i - 1] is level i
  int32_t level_count;
  float* coefficients;  // may be null
  int32_t coefficient_level;
  int32_t skin_only;
  float budget_ms;  // at most 0: no limit
  const PageCollider* colliders;
  int32_t collider_count;  // at most kMaxColliders
  // Out.
  int32_t status, level;
  uint32_t flags;
  float out_of_range;
  // Milliseconds: [0] pose, features, range tests and the networks of level 1; [i] the rest of level i.
  float times[1 + Bundle::kMaxLevels];
};
static_assert(sizeof(PageFrame) == 4 * (15 + 1 + Bundle::kMaxLevels));

class PageClock final : public Clock {
 public:
  int64_t Now() override { return static_cast<int64_t>(PageNow() * 1e6); }
};

LevelOutput OutputOf(const PageLevel& from, size_t vertices) {
  LevelOutput output;
  if (from.positions != nullptr) output.positions = {from.positions, vertices};
  if (from.normals != nullptr) output.normals = {from.normals, vertices};
  if (from.displacements != nullptr) output.displacements = {from.displacements, vertices};
  output.normals_from = from.normals_from_triangles != 0 ? NormalSource::kTriangles : NormalSource::kSkinned;
  output.toward_coarser = from.toward_coarser;
  return output;
}

Collider ColliderOf(const PageCollider& from) {
  Collider collider;
  collider.field = from.contact;
  collider.joint = from.joint;
  std::memcpy(collider.pose.m, from.pose, sizeof(from.pose));
  return collider;
}

// Memory handed out piece by piece.
class Pieces {
 public:
  explicit Pieces(std::byte* from) : next_(from) {}
  template <typename T>
  T* Take(size_t count) {
    T* taken = reinterpret_cast<T*>(next_);
    next_ += (count * sizeof(T) + 63) / 64 * 64;
    return taken;
  }
  std::byte* next() const { return next_; }

 private:
  std::byte* next_;
};

// What dual quaternion skinning works in: matrices, and vertices in internal order.
struct DualQuaternionMemory {
  Affine *models, *matrices;
  RigidStretch* joints;
  Float3 *positions, *normals;

  DualQuaternionMemory(const Bundle& bundle, int level, Pieces& pieces)
      : models(pieces.Take<Affine>(bundle.joint_count())),
        matrices(pieces.Take<Affine>(bundle.slot_joints().size())),
        joints(pieces.Take<RigidStretch>(bundle.slot_joints().size())),
        positions(pieces.Take<Float3>(bundle.level(level).vertex_count)),
        normals(pieces.Take<Float3>(bundle.level(level).vertex_count)) {}
};

void ToFileOrder(const BundleLevel& level, const Float3* from, Float3* to) {
  for (int i = 0; i < level.vertex_count; ++i) to[level.order.empty() ? i : level.order[i]] = from[i];
}

}  // namespace

PAGE_EXPORT(heapBase) const std::byte* HeapBase() { return &__heap_base; }
PAGE_EXPORT(characterBytes) uint32_t CharacterBytes() { return sizeof(Bundle); }

// at: characterBytes() bytes at a multiple of 64. bytes: the file, at a multiple of 64; stays. Returns null, or a
// zero-terminated sentence that says what is wrong.
PAGE_EXPORT(openCharacter) const char* OpenCharacter(void* at, const std::byte* bytes, uint32_t size) {
  auto* bundle = new (at) Bundle;
  const char* problem = nullptr;
  const Status status = Bundle::Open({bytes, size}, bundle, &problem);
  if (status == Status::kOk) return nullptr;
  return problem != nullptr ? problem : "is not a bundle";
}

// The bundle with floats in place of half floats, to be opened at the same place instead of the one that it is made of:
// 0 bytes if that one has none. to: at a multiple of 64.
PAGE_EXPORT(unpackedBytes) uint32_t UnpackedBytesOf(const Bundle* bundle) {
  return static_cast<uint32_t>(UnpackedBytes(*bundle));
}
PAGE_EXPORT(unpack) void UnpackTo(const Bundle* bundle, std::byte* to) {
  Unpack(*bundle, {to, static_cast<size_t>(UnpackedBytes(*bundle))});
}

PAGE_EXPORT(levelCount) int32_t LevelCount(const Bundle* bundle) { return bundle->level_count(); }
PAGE_EXPORT(vertexCount) int32_t VertexCount(const Bundle* bundle, int32_t level) {
  return bundle->level(level).vertex_count;
}
PAGE_EXPORT(triangleCount) int32_t TriangleCount(const Bundle* bundle, int32_t level) {
  return bundle->level(level).triangle_count;
}
PAGE_EXPORT(coefficientCount) int32_t CoefficientCount(const Bundle* bundle, int32_t level) {
  return bundle->coefficient_count(level);
}
PAGE_EXPORT(hasNormals) int32_t HasNormals(const Bundle* bundle, int32_t level) {
  return bundle->level(level).rest_normals.empty() ? 0 : 1;
}
// 0: f32, 1: f16, 2: i8, as the level's modes have it; -1: it has none.
PAGE_EXPORT(precision) int32_t PrecisionOf(const Bundle* bundle, int32_t level) {
  const BasisTable& basis = bundle->level(level).basis;
  return basis.empty() ? -1 : static_cast<int32_t>(basis.precision());
}

PAGE_EXPORT(triangles) void Triangles(const Bundle* bundle, int32_t level, uint32_t* to) {
  const BundleLevel& of = bundle->level(level);
  for (int t = 0; t < of.triangle_count; ++t) {
    uint32_t corners[3];
    of.Triangle(t, corners);
    std::memcpy(to + 3 * static_cast<size_t>(t), corners, sizeof(corners));
  }
}

// Returns 0, and writes nothing, for a level without texture coordinates.
PAGE_EXPORT(texcoords) int32_t Texcoords(const Bundle* bundle, int32_t level, float* to) {
  const BundleLevel& of = bundle->level(level);
  if (of.texcoords == nullptr) return 0;
  for (int v = 0; v < of.vertex_count; ++v) {
    float uv[2];
    of.Texcoord(v, uv);
    std::memcpy(to + 2 * static_cast<size_t>(v), uv, sizeof(uv));
  }
  return 1;
}

PAGE_EXPORT(jointCount) int32_t JointCount(const Bundle* bundle) { return bundle->joint_count(); }
PAGE_EXPORT(jointParent) int32_t JointParent(const Bundle* bundle, int32_t joint) { return bundle->parents()[joint]; }
PAGE_EXPORT(jointName) const char* JointName(const Bundle* bundle, int32_t joint) {
  return bundle->joint_name(joint).data();
}
PAGE_EXPORT(jointNameBytes) uint32_t JointNameBytes(const Bundle* bundle, int32_t joint) {
  return static_cast<uint32_t>(bundle->joint_name(joint).size());
}
PAGE_EXPORT(restPose) const Transform* RestPose(const Bundle* bundle) { return bundle->rest_pose().data(); }
PAGE_EXPORT(height) float Height(const Bundle* bundle) { return bundle->height(); }
PAGE_EXPORT(info) const char* Info(const Bundle* bundle) { return bundle->info().data(); }
PAGE_EXPORT(infoBytes) uint32_t InfoBytes(const Bundle* bundle) { return static_cast<uint32_t>(bundle->info().size()); }

// Colliders whose contact was learned.
PAGE_EXPORT(contactCount) int32_t ContactCount(const Bundle* bundle) { return bundle->contact().field_count(); }
PAGE_EXPORT(contactName) const char* ContactName(const Bundle* bundle, int32_t contact) {
  return bundle->contact().name(contact).data();
}
PAGE_EXPORT(contactNameBytes) uint32_t ContactNameBytes(const Bundle* bundle, int32_t contact) {
  return static_cast<uint32_t>(bundle->contact().name(contact).size());
}
PAGE_EXPORT(contactOf) void ContactOf(const Bundle* bundle, int32_t contact, PageContact* to) {
  const ContactTable::Field& field = bundle->contact().field(contact);
  for (int k = 0; k < 3; ++k) {
    to->counts[k] = static_cast<int32_t>(field.counts[k]);
    to->origin[k] = field.unit * field.origin[k];
    to->spacing[k] = field.unit * field.spacing[k];
  }
  to->window = field.unit * field.window;
  to->depth = field.unit * field.depth;
  to->joint_count = static_cast<int32_t>(field.handle_count);
}
// to: a float per sample of the grid, in the character's unit, z fastest; negative inside.
PAGE_EXPORT(contactDistances) void ContactDistances(const Bundle* bundle, int32_t contact, float* to) {
  const ContactTable& table = bundle->contact();
  const ContactTable::Field& field = table.field(contact);
  const auto* halves = table.Array<uint16_t>(field.distances_offset);
  for (uint64_t i = 0; i < ContactTable::SampleCount(field); ++i) to[i] = field.unit * HalfToFloat(halves[i]);
}
// to: two per joint that the field depends on: the joint, then how much of the field its skin gets, 0 to 1.
PAGE_EXPORT(contactJoints) void ContactJoints(const Bundle* bundle, int32_t contact, float* to) {
  const ContactTable& table = bundle->contact();
  const ContactTable::Field& field = table.field(contact);
  for (uint32_t h = 0; h < field.handle_count; ++h) {
    to[2 * h] = static_cast<float>(table.Array<uint16_t>(field.joints_offset)[h]);
    to[2 * h + 1] = table.Array<float>(field.shares_offset)[h];
  }
}

// For evaluations up to a level.
PAGE_EXPORT(scratchBytes) uint32_t ScratchBytesOf(const Bundle* bundle, int32_t level) {
  return static_cast<uint32_t>(ScratchBytes(*bundle, level));
}

PAGE_EXPORT(evaluate) void Evaluate(const Bundle* bundle, PageFrame* frame) {
  LevelOutput outputs[Bundle::kMaxLevels];
  for (int i = 0; i < frame->level_count && i < bundle->level_count(); ++i) {
    outputs[i] = OutputOf(frame->levels[i], bundle->level(i + 1).vertex_count);
  }
  EvaluateJob job;
  job.bundle = bundle;
  job.pose = {frame->pose, static_cast<size_t>(bundle->joint_count())};
  job.levels = {outputs, static_cast<size_t>(frame->level_count)};
  job.coefficient_level = frame->coefficient_level;
  if (frame->coefficient_level >= 1 && frame->coefficient_level <= bundle->level_count()) {
    job.coefficients = {frame->coefficients, static_cast<size_t>(bundle->coefficient_count(frame->coefficient_level))};
  }
  job.scratch = {frame->scratch, frame->scratch_bytes};
  job.skin_only = frame->skin_only != 0;
  Collider colliders[kMaxColliders];
  const int collider_count = frame->collider_count < kMaxColliders ? frame->collider_count : kMaxColliders;
  for (int c = 0; c < collider_count; ++c) colliders[c] = ColliderOf(frame->colliders[c]);
  job.colliders = {colliders, static_cast<size_t>(collider_count)};
  PageClock clock;
  job.clock = &clock;
  int64_t times[1 + Bundle::kMaxLevels];
  const int64_t start = clock.Now();
  for (int64_t& time : times) time = -1;
  job.times = times;
  if (frame->budget_ms > 0) job.deadline = start + static_cast<int64_t>(frame->budget_ms * 1e6);
  // A page always shows something: the coarsest level that is wanted.
  for (int i = static_cast<int>(job.levels.size()); i >= 1; --i) {
    if (outputs[i - 1].wanted()) job.complete_level = i;
  }
  const Evaluation done = job.Run();
  frame->status = static_cast<int32_t>(done.status);
  frame->level = done.level;
  frame->flags = done.flags;
  frame->out_of_range = done.out_of_range;
  for (int i = 0; i <= static_cast<int>(Bundle::kMaxLevels); ++i) {
    const int64_t from = i == 0 ? start : times[i - 1];
    frame->times[i] = times[i] < 0 ? 0 : static_cast<float>(times[i] - from) * 1e-6f;
  }
}

PAGE_EXPORT(dualQuaternionBytes) uint32_t DualQuaternionBytes(const Bundle* bundle, int32_t level) {
  Pieces pieces(nullptr);
  const DualQuaternionMemory counted(*bundle, level, pieces);
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pieces.next()));
}

// Dual quaternion skinning without correctives, for comparison. memory: dualQuaternionBytes() at a multiple of 64.
// normals: may be null. Returns 0 if the runtime refused.
PAGE_EXPORT(dualQuaternions)
int32_t DualQuaternions(const Bundle* bundle, int32_t level_number, const Transform* pose, std::byte* memory,
                        Float3* positions, Float3* normals, int32_t normals_from_triangles) {
  const BundleLevel& level = bundle->level(level_number);
  Pieces pieces(memory);
  const DualQuaternionMemory m(*bundle, level_number, pieces);
  const auto joint_count = static_cast<size_t>(bundle->joint_count()), slots = bundle->slot_joints().size(),
             vertices = static_cast<size_t>(level.vertex_count);
  const LocalToModelJob to_model{
      .parents = bundle->parents(), .locals = {pose, joint_count}, .root = {}, .models = {m.models, joint_count}};
  if (to_model.Run() != Status::kOk) return 0;
  for (size_t s = 0; s < slots; ++s) {
    const int16_t joint = bundle->slot_joints()[s];
    m.matrices[s] = Multiply(joint < 0 ? Affine() : m.models[joint], bundle->inverse_binds()[s]);
  }
  const RigidStretchJob split{.matrices = {m.matrices, slots}, .joints = {m.joints, slots}};
  DualQuaternionJob skin{.table = &level.skin, .joints = {m.joints, slots}};
  skin.streams.rest_positions = level.rest_positions;
  skin.streams.rest_normals = level.rest_normals;
  skin.streams.positions = {m.positions, vertices};
  if (normals != nullptr) skin.streams.normals = {m.normals, vertices};
  if (split.Run() != Status::kOk || skin.Run() != Status::kOk) return 0;
  ToFileOrder(level, m.positions, positions);
  if (normals == nullptr) return 1;
  ToFileOrder(level, m.normals, normals);
  if (normals_from_triangles != 0 && !level.normals.empty()) {
    NormalsJob job;
    job.table = &level.normals;
    job.positions = StridedSpan<Float3>(positions, vertices);
    job.normals = {normals, vertices};
    job.Run();
  }
  return 1;
}

// Joints in model space: one affine matrix each.
PAGE_EXPORT(localToModel) void LocalToModel(const Bundle* bundle, const Transform* pose, Affine* models) {
  const auto joints = static_cast<size_t>(bundle->joint_count());
  const LocalToModelJob job{
      .parents = bundle->parents(), .locals = {pose, joints}, .root = {}, .models = {models, joints}};
  job.Run();
}

}  // namespace sinew::runtime
