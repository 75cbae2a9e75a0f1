// The plain C interface (include/sinew.h) of runtime and host. No exception leaves it.
#include "sinew.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "sinew/host/mapped_file.h"
#include "sinew/host/thread_pool.h"
#include "sinew/runtime/asset/bundle.h"
#include "sinew/runtime/frame/evaluate.h"

using sinew::runtime::Bounds;
using sinew::runtime::Bundle;
using sinew::runtime::BundleLevel;
using sinew::runtime::EvaluateJob;
using sinew::runtime::Evaluation;
using sinew::runtime::Float3;
using sinew::runtime::Float4;
using sinew::runtime::LevelOutput;
using sinew::runtime::NormalSource;
using sinew::runtime::Status;
using sinew::runtime::StridedSpan;
using sinew::runtime::TaskRunner;
using sinew::runtime::Transform;

static_assert(sizeof(sinew_transform) == sizeof(Transform), "poses are handed over as they are");
static_assert(static_cast<unsigned>(SINEW_POSE_REFUSED) == sinew::runtime::kPoseRefused &&
              static_cast<unsigned>(SINEW_FADED) == sinew::runtime::kFaded &&
              static_cast<unsigned>(SINEW_INTERRUPTED) == sinew::runtime::kInterrupted &&
              static_cast<unsigned>(SINEW_CONTACT_REFUSED) == sinew::runtime::kContactRefused &&
              static_cast<unsigned>(SINEW_CONTACT_BEYOND) == sinew::runtime::kContactBeyond);
static_assert(SINEW_MAX_COLLIDERS == sinew::runtime::kMaxColliders);

struct sinew_character {
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  sinew::host::MappedFile file;
  std::unique_ptr<Line[]> copy;
  Bundle bundle;
};

struct sinew_instance {
  const Bundle* bundle = nullptr;
  std::unique_ptr<std::byte[]> scratch;
  size_t scratch_bytes = 0;
  std::atomic<bool> stop{false};
  LevelOutput levels[Bundle::kMaxLevels];
  Bounds bounds[Bundle::kMaxLevels];
  sinew::runtime::Collider colliders[SINEW_MAX_COLLIDERS];
};

struct sinew_pool {
  explicit sinew_pool(int count) : threads(count) {}
  sinew::host::ThreadPool threads;
};

namespace {

class SteadyClock final : public sinew::runtime::Clock {
 public:
  int64_t Now() override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

// An engine's own threads.
class EngineRunner final : public TaskRunner {
 public:
  EngineRunner(sinew_run run, void* user) : run_(run), user_(user) {}
  bool empty() const { return run_ == nullptr; }
  void Run(Task task, void* context, int count) override { run_(user_, task, context, count); }
  int concurrency() const override { return 1; }

 private:
  sinew_run run_;
  void* user_;
};

const BundleLevel* LevelOf(const sinew_character* character, int level) {
  const bool there = character != nullptr && level >= 1 && level <= character->bundle.level_count();
  return there ? &character->bundle.level(level) : nullptr;
}

// Returns when a budget that begins now ends. A negative one has ended already.
int64_t DeadlineOf(sinew::runtime::Clock& clock, int64_t budget_ns) {
  const int64_t now = clock.Now();
  if (budget_ns < 0) return now;
  return budget_ns > sinew::runtime::kNoDeadline - now ? sinew::runtime::kNoDeadline : now + budget_ns;
}

// The bottom row of an affine matrix is known, whatever the caller has there.
void CopyAffine(const float* from, sinew::runtime::Affine& to) {
  for (int column = 0; column < 4; ++column) std::memcpy(to.m + 4 * column, from + 4 * column, 3 * sizeof(float));
}

sinew::runtime::Collider ColliderOf(const sinew_collider& from) {
  sinew::runtime::Collider collider;
  collider.field = from.contact;
  collider.joint = from.joint;
  collider.on = from.on != 0;
  collider.push_out = from.push_out != 0;
  CopyAffine(from.pose, collider.pose);
  return collider;
}

sinew_status FromRuntime(Status status) {
  switch (status) {
    case Status::kOk:
      return SINEW_OK;
    case Status::kUnsupported:
      return SINEW_UNSUPPORTED;
    default:
      return SINEW_INVALID_ARGUMENT;
  }
}

sinew_status Opened(std::unique_ptr<sinew_character> made, std::span<const std::byte> bytes,
                    sinew_character** character, const char** problem) {
  const Status status = Bundle::Open(bytes, &made->bundle, problem);
  if (status != Status::kOk) return status == Status::kUnsupported ? SINEW_UNSUPPORTED : SINEW_BAD_FILE;
  *character = made.release();
  return SINEW_OK;
}

template <typename T>
StridedSpan<T> SpanOf(const sinew_stream& stream, int vertices) {
  if (stream.data == nullptr) return {};
  return {reinterpret_cast<T*>(stream.data), static_cast<size_t>(vertices),
          stream.stride == 0 ? sizeof(T) : stream.stride};
}

NormalSource SourceOf(int from) {
  if (from == SINEW_NORMALS_TRIANGLES) return NormalSource::kTriangles;
  return from == SINEW_NORMALS_SKINNED ? NormalSource::kSkinned : NormalSource::kAuto;
}

LevelOutput OutputOf(const sinew_output& from, int vertices, Bounds* bounds) {
  LevelOutput output;
  output.positions = SpanOf<Float3>(from.positions, vertices);
  output.normals = SpanOf<Float3>(from.normals, vertices);
  output.tangents = SpanOf<Float4>(from.tangents, vertices);
  output.displacements = SpanOf<Float3>(from.displacements, vertices);
  if (from.post != nullptr) {
    output.post_displacements = {reinterpret_cast<const Float3*>(from.post), static_cast<size_t>(vertices)};
  }
  output.normals_from = SourceOf(from.normals_from);
  output.toward_coarser = from.toward_coarser;
  if (from.bounds != nullptr) output.bounds = bounds;
  return output;
}

void StoreBounds(const Bounds& box, float* to) {
  const float values[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
  std::memcpy(to, values, sizeof(values));
}

// Null: the calling thread alone.
TaskRunner* RunnerOf(sinew_pool* pool, EngineRunner& engine) {
  if (pool != nullptr) return &pool->threads;
  return engine.empty() ? nullptr : &engine;
}

size_t CopyName(std::string_view from, char* name, size_t size) {
  if (name != nullptr && size > 0) {
    const size_t copied = from.size() < size ? from.size() : size - 1;
    std::memcpy(name, from.data(), copied);
    name[copied] = 0;
  }
  return from.size();
}

// runner: may be null.
sinew_status Evaluate(sinew_instance* instance, const sinew_frame* frame, TaskRunner* runner, sinew_result* result) {
  if (result != nullptr) *result = {};
  if (instance == nullptr || frame == nullptr || frame->pose == nullptr || frame->level_count < 0 ||
      frame->level_count > instance->bundle->level_count() || (frame->level_count > 0 && frame->levels == nullptr) ||
      (frame->coefficients == nullptr && frame->coefficient_level != 0) || frame->collider_count < 0 ||
      frame->collider_count > SINEW_MAX_COLLIDERS || (frame->collider_count > 0 && frame->colliders == nullptr)) {
    return SINEW_INVALID_ARGUMENT;
  }
  const Bundle& bundle = *instance->bundle;
  for (int i = 0; i < frame->level_count; ++i) {
    const int from = frame->levels[i].normals_from;
    if (from < SINEW_NORMALS_AUTO || from > SINEW_NORMALS_SKINNED) return SINEW_INVALID_ARGUMENT;
    instance->levels[i] = OutputOf(frame->levels[i], bundle.level(i + 1).vertex_count, &instance->bounds[i]);
  }
  EvaluateJob job;
  job.bundle = &bundle;
  job.pose = {reinterpret_cast<const Transform*>(frame->pose), static_cast<size_t>(bundle.joint_count())};
  if (frame->root != nullptr) CopyAffine(frame->root, job.root);
  job.levels = {instance->levels, static_cast<size_t>(frame->level_count)};
  job.coefficient_level = frame->coefficient_level;
  if (frame->coefficient_level >= 1 && frame->coefficient_level <= bundle.level_count()) {
    job.coefficients = {frame->coefficients, static_cast<size_t>(bundle.coefficient_count(frame->coefficient_level))};
  }
  job.scratch = {instance->scratch.get(), instance->scratch_bytes};
  job.skin_only = frame->skin_only != 0;
  for (int i = 0; i < frame->collider_count; ++i) instance->colliders[i] = ColliderOf(frame->colliders[i]);
  job.colliders = {instance->colliders, static_cast<size_t>(frame->collider_count)};
  SteadyClock clock;
  if (frame->budget_ns != 0) {
    job.clock = &clock;
    job.deadline = DeadlineOf(clock, frame->budget_ns);
  }
  job.complete_level = frame->complete_level;
  job.runner = runner;
  job.stop = &instance->stop;
  const Evaluation done = job.Run();
  // A stop is meant for one evaluation, which may have been complete when it came. One that was refused leaves it to
  // the next.
  if (done.status == Status::kOk) instance->stop.store(false, std::memory_order_relaxed);
  for (int i = 0; i < frame->level_count && done.status == Status::kOk; ++i) {
    if (frame->levels[i].bounds != nullptr && i < done.level) StoreBounds(instance->bounds[i], frame->levels[i].bounds);
  }
  if (result != nullptr) *result = {done.level, done.flags, done.out_of_range};
  return FromRuntime(done.status);
}

}  // namespace

const char* sinew_status_text(sinew_status status) {
  switch (status) {
    case SINEW_OK:
      return "ok";
    case SINEW_INVALID_ARGUMENT:
      return "a pointer is null, a number is out of range, or a stream is missing";
    case SINEW_BAD_FILE:
      return "not a bundle, or a damaged one";
    case SINEW_UNSUPPORTED:
      return "made by a newer version";
    case SINEW_OUT_OF_MEMORY:
      return "out of memory";
  }
  return "unknown status";
}

const char* sinew_version(void) { return SINEW_VERSION; }

sinew_status sinew_open_memory(const void* bytes, size_t size, sinew_character** character, const char** problem) {
  if (problem != nullptr) *problem = nullptr;
  if (character == nullptr) return SINEW_INVALID_ARGUMENT;
  *character = nullptr;
  if (bytes == nullptr) return SINEW_INVALID_ARGUMENT;
  std::unique_ptr<sinew_character> made(new (std::nothrow) sinew_character);
  if (!made) return SINEW_OUT_OF_MEMORY;
  std::span<const std::byte> used(static_cast<const std::byte*>(bytes), size);
  if (reinterpret_cast<uintptr_t>(bytes) % 64 != 0) {
    made->copy.reset(new (std::nothrow) sinew_character::Line[size / 64 + 1]);
    if (!made->copy) return SINEW_OUT_OF_MEMORY;
    std::memcpy(made->copy.get(), bytes, size);
    used = {made->copy[0].bytes, size};
  }
  return Opened(std::move(made), used, character, problem);
}

sinew_status sinew_open_file(const char* path, sinew_character** character, const char** problem) {
  if (problem != nullptr) *problem = nullptr;
  if (character == nullptr) return SINEW_INVALID_ARGUMENT;
  *character = nullptr;
  if (path == nullptr) return SINEW_INVALID_ARGUMENT;
  std::unique_ptr<sinew_character> made(new (std::nothrow) sinew_character);
  if (!made) return SINEW_OUT_OF_MEMORY;
  if (!made->file.Open(path)) {
    if (problem != nullptr) *problem = "the file is missing, empty or cannot be read";
    return SINEW_BAD_FILE;
  }
  const std::span<const std::byte> bytes = made->file.bytes();
  return Opened(std::move(made), bytes, character, problem);
}

void sinew_close(sinew_character* character) { delete character; }

int sinew_level_count(const sinew_character* character) {
  return character == nullptr ? 0 : character->bundle.level_count();
}

int sinew_vertex_count(const sinew_character* character, int level) {
  const BundleLevel* of = LevelOf(character, level);
  return of == nullptr ? 0 : of->vertex_count;
}

int sinew_triangle_count(const sinew_character* character, int level) {
  const BundleLevel* of = LevelOf(character, level);
  return of == nullptr ? 0 : of->triangle_count;
}

sinew_status sinew_triangles(const sinew_character* character, int level, uint32_t* triangles) {
  const BundleLevel* of = LevelOf(character, level);
  if (of == nullptr || triangles == nullptr) return SINEW_INVALID_ARGUMENT;
  for (int t = 0; t < of->triangle_count; ++t) {
    uint32_t corners[3];
    of->Triangle(t, corners);
    std::memcpy(triangles + 3 * static_cast<size_t>(t), corners, sizeof(corners));
  }
  return SINEW_OK;
}

sinew_status sinew_texcoords(const sinew_character* character, int level, float* uv) {
  const BundleLevel* of = LevelOf(character, level);
  if (of == nullptr || of->texcoords == nullptr || uv == nullptr) return SINEW_INVALID_ARGUMENT;
  for (int v = 0; v < of->vertex_count; ++v) {
    float of_vertex[2];
    of->Texcoord(v, of_vertex);
    std::memcpy(uv + 2 * static_cast<size_t>(v), of_vertex, sizeof(of_vertex));
  }
  return SINEW_OK;
}

int sinew_coefficient_count(const sinew_character* character, int level) {
  return LevelOf(character, level) == nullptr ? 0 : character->bundle.coefficient_count(level);
}

int sinew_joint_count(const sinew_character* character) {
  return character == nullptr ? 0 : character->bundle.joint_count();
}

size_t sinew_joint_name(const sinew_character* character, int joint, char* name, size_t size) {
  if (joint < 0 || joint >= sinew_joint_count(character)) return 0;
  return CopyName(character->bundle.joint_name(joint), name, size);
}

int sinew_contact_count(const sinew_character* character) {
  return character == nullptr ? 0 : character->bundle.contact().field_count();
}

size_t sinew_contact_name(const sinew_character* character, int contact, char* name, size_t size) {
  if (contact < 0 || contact >= sinew_contact_count(character)) return 0;
  return CopyName(character->bundle.contact().name(contact), name, size);
}

int sinew_find_contact(const sinew_character* character, const char* name) {
  for (int i = 0; name != nullptr && i < sinew_contact_count(character); ++i) {
    if (character->bundle.contact().name(i) == name) return i;
  }
  return -1;
}

int sinew_find_joint(const sinew_character* character, const char* name) {
  return character == nullptr || name == nullptr ? -1 : character->bundle.FindJoint(name);
}

int sinew_joint_parent(const sinew_character* character, int joint) {
  if (joint < 0 || joint >= sinew_joint_count(character)) return -1;
  const int parent = character->bundle.parents()[joint];
  return parent < 0 ? -1 : parent;
}

sinew_status sinew_rest_pose(const sinew_character* character, sinew_transform* pose) {
  if (character == nullptr || pose == nullptr) return SINEW_INVALID_ARGUMENT;
  const std::span<const Transform> rest = character->bundle.rest_pose();
  std::memcpy(pose, rest.data(), rest.size_bytes());
  return SINEW_OK;
}

float sinew_height(const sinew_character* character) { return character == nullptr ? 0 : character->bundle.height(); }

const char* sinew_info(const sinew_character* character, size_t* size) {
  const std::string_view info = character == nullptr ? std::string_view() : character->bundle.info();
  if (size != nullptr) *size = info.size();
  return info.data();
}

sinew_status sinew_create_instance(const sinew_character* character, sinew_instance** instance) {
  if (character == nullptr || instance == nullptr) return SINEW_INVALID_ARGUMENT;
  *instance = nullptr;
  std::unique_ptr<sinew_instance> made(new (std::nothrow) sinew_instance);
  if (!made) return SINEW_OUT_OF_MEMORY;
  made->bundle = &character->bundle;
  made->scratch_bytes = sinew::runtime::ScratchBytes(character->bundle);
  made->scratch.reset(new (std::nothrow) std::byte[made->scratch_bytes]);
  if (!made->scratch) return SINEW_OUT_OF_MEMORY;
  *instance = made.release();
  return SINEW_OK;
}

void sinew_destroy_instance(sinew_instance* instance) { delete instance; }

sinew_status sinew_create_pool(int threads, sinew_pool** pool) {
  if (pool == nullptr || threads < 0) return SINEW_INVALID_ARGUMENT;
  *pool = nullptr;
  try {
    *pool = new sinew_pool(threads);
  } catch (...) {
    return SINEW_OUT_OF_MEMORY;
  }
  return SINEW_OK;
}

void sinew_destroy_pool(sinew_pool* pool) { delete pool; }

sinew_status sinew_evaluate(sinew_instance* instance, const sinew_frame* frame, sinew_result* result) {
  if (frame == nullptr) return Evaluate(instance, frame, nullptr, result);
  EngineRunner engine(frame->run, frame->run_user);
  return Evaluate(instance, frame, RunnerOf(frame->pool, engine), result);
}

sinew_status sinew_evaluate_many(sinew_instance* const* instances, const sinew_frame* frames, int count,
                                 sinew_result* results, sinew_pool* pool, sinew_run run, void* run_user) {
  if (count < 0 || (count > 0 && (instances == nullptr || frames == nullptr))) return SINEW_INVALID_ARGUMENT;
  struct Crowd {
    sinew_instance* const* instances;
    const sinew_frame* frames;
    sinew_result* results;
    std::atomic<bool> refused{false};
  };
  Crowd crowd{instances, frames, results};
  const TaskRunner::Task one = [](void* context, int i) {
    auto& c = *static_cast<Crowd*>(context);
    sinew_result* result = c.results == nullptr ? nullptr : c.results + i;
    if (Evaluate(c.instances[i], c.frames + i, nullptr, result) != SINEW_OK) c.refused.store(true);
  };
  EngineRunner engine(run, run_user);
  if (TaskRunner* runner = RunnerOf(pool, engine); runner != nullptr) {
    runner->Run(one, &crowd, count);
  } else {
    for (int i = 0; i < count; ++i) one(&crowd, i);
  }
  return crowd.refused.load() ? SINEW_INVALID_ARGUMENT : SINEW_OK;
}

void sinew_stop(sinew_instance* instance) {
  if (instance != nullptr) instance->stop.store(true, std::memory_order_relaxed);
}
