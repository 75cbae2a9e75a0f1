// What the page calls for soft objects: their dynamics (src/sinew/dynamics), and nothing else. The page gives all
// memory.
//
// Addresses are numbers on the other side, so structures that both sides know have their members at fixed places
// (viewer/src/soft/module.ts). Every function that takes an object, a field or a simulation expects one that its own
// opening function has accepted.
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "sinew/dynamics/field_table.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/runtime/base/checksum.h"

#define PAGE_EXPORT(name) extern "C" __attribute__((export_name(#name)))

// Where the memory begins that belongs to nobody but the page: the linker's symbol, an address without a value.
extern "C" const std::byte __heap_base;

namespace sinew::dynamics {
namespace {

using runtime::Status;

// Bytes that one simulation may have: sizes have 32 bits here, and must not wrap around.
constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

struct PageCollider {
  double radius, rounding, friction;
  double cosine, sine, x, y;
  int32_t shape, corner_count;
  int32_t on;
  const FieldTable* field;  // null: none
  const double* corners;    // of a polygon
  int32_t reserved;
};
static_assert(sizeof(PageCollider) == 80);

struct PageStep {
  double seconds, gravity[2];
  const PageCollider* colliders;
  int32_t collider_count;
  const Target* targets;
  int32_t target_count;  // handles of the object, or 0
  // Out.
  uint32_t flags;
  int32_t iterations, touching, reserved;
};
static_assert(sizeof(PageStep) == 56 && sizeof(Target) == 56);

Collider FromPage(const PageCollider& from) {
  Collider collider;
  collider.shape = static_cast<ColliderShape>(from.shape);
  collider.radius = from.radius;
  collider.corners = from.corners;
  collider.corner_count = from.corner_count;
  collider.rounding = from.rounding;
  collider.friction = from.friction;
  collider.pose = {.cosine = from.cosine, .sine = from.sine, .position = {from.x, from.y}};
  collider.on = from.on != 0;
  collider.field = from.field;
  return collider;
}

// Describes the fault of bytes that a table refuses. Tables begin alike: magic, version, checksum, bytes.
template <typename Table>
const char* ProblemOf(std::span<const std::byte> bytes, Status status, const char* other_kind) {
  using Header = typename Table::Header;
  if (bytes.size() < sizeof(uint32_t) || *reinterpret_cast<const uint32_t*>(bytes.data()) != Header::kMagic) {
    return other_kind;
  }
  if (bytes.size() < sizeof(Header)) return "ends within its header";
  if (status == Status::kUnsupported) return "was made by a newer version of Sinew";
  const auto& header = *reinterpret_cast<const Header*>(bytes.data());
  if (header.version < Header::kVersion) return "was made by an older version of Sinew";
  if (header.bytes != bytes.size()) return "is cut short, or has bytes left over";
  if (header.checksum != runtime::Checksum(bytes.subspan(offsetof(Header, bytes)))) {
    return "is damaged: its checksum is wrong";
  }
  return "refers to what is not in it, or holds a number that is out of range";
}

template <typename Table>
const char* Open(void* at, const std::byte* bytes, uint32_t size, const char* other_kind) {
  const Status status = Table::Open({bytes, size}, new (at) Table);
  return status == Status::kOk ? nullptr : ProblemOf<Table>({bytes, size}, status, other_kind);
}

// At least as many bytes as Simulation::ScratchBytes(), without wrapping around: with a field, what its sites take of
// the Jacobians of dents, and everything else with room to spare.
uint64_t BytesAtMost(const ObjectTable& object, int field_width) {
  const uint64_t nodes = object.node_count(), elements = object.element_count(), points = object.point_count(),
                 size = object.state_size();
  const uint64_t without = 512 * points + 16 * size * size + 4096 * size;
  if (field_width == 0) return without;
  return without + 512 * (nodes + 3 * elements) + 16 * nodes * size + 4096 * (size + 64) * (field_width + 64);
}

}  // namespace

PAGE_EXPORT(heapBase) const std::byte* HeapBase() { return &__heap_base; }

// ---- Objects and fields. Files are at multiples of 64, and stay. Returned are null, or a zero-terminated sentence.
// ----

PAGE_EXPORT(objectBytes) uint32_t ObjectBytes() { return sizeof(ObjectTable); }
PAGE_EXPORT(openObject) const char* OpenObject(void* at, const std::byte* bytes, uint32_t size) {
  const char* const problem = Open<ObjectTable>(at, bytes, size, "is not a soft object");
  if (problem != nullptr) return problem;
  return static_cast<const ObjectTable*>(at)->dimension() == 2 ? nullptr
                                                               : "is an object in space, which this page cannot show";
}
PAGE_EXPORT(fieldBytes) uint32_t FieldBytes() { return sizeof(FieldTable); }
PAGE_EXPORT(openField) const char* OpenField(void* at, const std::byte* bytes, uint32_t size) {
  return Open<FieldTable>(at, bytes, size, "is not a contact field");
}

PAGE_EXPORT(handleCount) int32_t HandleCount(const ObjectTable* object) { return object->handle_count(); }
PAGE_EXPORT(nodeCount) int32_t NodeCount(const ObjectTable* object) { return object->node_count(); }
PAGE_EXPORT(triangleCount) int32_t TriangleCount(const ObjectTable* object) { return object->triangle_count(); }
PAGE_EXPORT(edgeCount) int32_t EdgeCount(const ObjectTable* object) { return object->boundary_count(); }
PAGE_EXPORT(pointCount) int32_t PointCount(const ObjectTable* object) { return object->point_count(); }
PAGE_EXPORT(stateSize) int32_t StateSize(const ObjectTable* object) { return object->state_size(); }
PAGE_EXPORT(objectSize) double ObjectSize(const ObjectTable* object) { return object->header().size; }
PAGE_EXPORT(isFrame) int32_t IsFrame(const ObjectTable* object, int32_t handle) {
  return object->handle(handle).kind == HandleKind::kFrame ? 1 : 0;
}
// Where a handle's position begins in a state.
PAGE_EXPORT(positionAt) int32_t PositionAt(const ObjectTable* object, int32_t handle) {
  return 2 * object->PositionBasis(handle);
}
PAGE_EXPORT(rest) const double* Rest(const ObjectTable* object) { return object->rest(); }
PAGE_EXPORT(triangles) const uint32_t* Triangles(const ObjectTable* object) { return object->triangles(); }
PAGE_EXPORT(edges) const uint32_t* Edges(const ObjectTable* object) { return object->boundary(); }

PAGE_EXPORT(fits) int32_t Fits(const FieldTable* field, const ObjectTable* object) {
  return field->Fits(*object) ? 1 : 0;
}
PAGE_EXPORT(fieldWidth) int32_t FieldWidth(const FieldTable* field) { return field->width(); }
PAGE_EXPORT(fieldCornerCount) int32_t FieldCornerCount(const FieldTable* field) { return field->corner_count(); }
PAGE_EXPORT(fieldCorners) const double* FieldCorners(const FieldTable* field) { return field->corners(); }
PAGE_EXPORT(fieldRounding) double FieldRounding(const FieldTable* field) { return field->header().rounding; }
PAGE_EXPORT(fieldWindow) double FieldWindow(const FieldTable* field) { return field->header().window; }

// ---- Simulations ----

PAGE_EXPORT(simulationBytes) uint32_t SimulationBytes() { return sizeof(Simulation); }
// Bytes of scratch, 0 for an object or a field that is too large for the page. field_width: 0 without a field.
PAGE_EXPORT(scratchBytes) uint32_t ScratchBytes(const ObjectTable* object, int32_t field_width) {
  if (BytesAtMost(*object, field_width) > kMaxBytes) return 0;
  return static_cast<uint32_t>(Simulation::ScratchBytes(*object, field_width));
}
// at: simulationBytes() bytes at a multiple of 64. Returns null or a sentence.
PAGE_EXPORT(openSimulation)
const char* OpenSimulation(void* at, const ObjectTable* object, std::byte* scratch, uint32_t bytes,
                           int32_t field_width) {
  const Status status = (new (at) Simulation)->Open(*object, {scratch, bytes}, field_width);
  return status == Status::kOk ? nullptr
                               : "has a mass that is not positive for every motion, or a triangle without an area";
}
// Returns 0 if the numbers were refused.
PAGE_EXPORT(setState) int32_t SetState(Simulation* simulation, const double* state, const double* velocity) {
  const size_t size = simulation->state().size();
  return simulation->SetState({state, size}, {velocity, size}) == Status::kOk ? 1 : 0;
}
PAGE_EXPORT(step) void Step(Simulation* simulation, PageStep* step) {
  Collider colliders[Simulation::kMaxColliders];
  const int count = step->collider_count < Simulation::kMaxColliders ? step->collider_count : Simulation::kMaxColliders;
  for (int c = 0; c < count; ++c) colliders[c] = FromPage(step->colliders[c]);
  const StepReport report = simulation->Step({.seconds = step->seconds,
                                              .gravity = {step->gravity[0], step->gravity[1]},
                                              .colliders = {colliders, static_cast<size_t>(count)},
                                              .targets = {step->targets, static_cast<size_t>(step->target_count)}});
  step->flags = report.flags;
  step->iterations = report.iterations;
  step->touching = report.touching;
}
// Both change their place with every step.
PAGE_EXPORT(state) const double* State(const Simulation* simulation) { return simulation->state().data(); }
PAGE_EXPORT(velocity) const double* Velocity(const Simulation* simulation) { return simulation->velocity().data(); }
PAGE_EXPORT(mass) double Mass(const Simulation* simulation) { return simulation->Mass(); }
// out: two numbers per node.
PAGE_EXPORT(positions) void Positions(const Simulation* simulation, double* out, uint32_t nodes) {
  simulation->Positions({out, size_t{2} * nodes});
}

}  // namespace sinew::dynamics
