#include "sinew/offline/mesh/queries.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/closest_point.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/triangle_pieces.h"

namespace sinew {

struct SurfaceQuery::State {
  TriMesh mesh;
  std::vector<float> vertices;  // Embree reads 16 bytes at the last vertex: one float of padding
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  double largest = 0;  // coordinate, without its sign
  // Of a crowded mesh (triangle_pieces.h): the triangles in pieces, for closest points. Null otherwise.
  std::optional<TrianglePieces> pieces;
  RTCScene piece_scene = nullptr;

  // One thread: the tree must not depend on how a parallel build happened to be scheduled.
  explicit State(const TriMesh& given) : mesh(given), device(rtcNewDevice("threads=1")) {
    if (device == nullptr) throw FailedError("Embree does not start on this machine, so distances cannot be asked");
    vertices.assign(mesh.positions.data(), mesh.positions.data() + mesh.positions.size());
    vertices.push_back(0);
    if (mesh.positions.size() > 0) largest = mesh.positions.cwiseAbs().maxCoeff();
    scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    if (mesh.triangle_count() > 0) Attach();
    rtcCommitScene(scene);
    if (IsCrowded(mesh)) AttachPieces();
    if (rtcGetDeviceError(device) != RTC_ERROR_NONE) {
      Release();
      throw FailedError("Embree could not build its tree; there may be too little memory for this mesh");
    }
  }
  ~State() { Release(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void Attach() {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, vertices.data(), 0,
                               3 * sizeof(float), mesh.vertex_count());
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.triangles.data(), 0,
                               3 * sizeof(int), mesh.triangle_count());
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
  }
  void AttachPieces() {
    pieces.emplace(CutIntoPieces(mesh));
    piece_scene = rtcNewScene(device);
    rtcSetSceneFlags(piece_scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(pieces->boxes.size()));
    const auto bounds = [](const RTCBoundsFunctionArguments* arguments) {
      const Box& box = (*static_cast<const std::vector<Box>*>(arguments->geometryUserPtr))[arguments->primID];
      RTCBounds& out = *arguments->bounds_o;
      out.lower_x = box.min().x(), out.lower_y = box.min().y(), out.lower_z = box.min().z();
      out.upper_x = box.max().x(), out.upper_y = box.max().y(), out.upper_z = box.max().z();
    };
    rtcSetGeometryUserData(geometry, &pieces->boxes);
    rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(piece_scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(piece_scene);
  }
  void Release() {
    if (piece_scene != nullptr) rtcReleaseScene(piece_scene);
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
};

namespace {

struct ClosestSearch {
  const TriMesh* mesh;
  const TrianglePieces* pieces;  // null: Embree's primitives are the triangles
  Eigen::Vector3d from;
  double margin;  // more than distances are rounded by
  double best;    // distance so far
  SurfacePoint found;
};

// Returns the square of the distance from a point to the box around three corners.
double SquaredDistanceToBox(const Eigen::Vector3d& from, const std::array<Eigen::Vector3d, 3>& corners) {
  const Eigen::Vector3d low = corners[0].cwiseMin(corners[1]).cwiseMin(corners[2]);
  const Eigen::Vector3d high = corners[0].cwiseMax(corners[1]).cwiseMax(corners[2]);
  return (low - from).cwiseMax(from - high).cwiseMax(0.0).squaredNorm();
}

// Embree calls this for every triangle, or piece of one, that may be nearer than the query's radius, and for those that
// share a leaf of its tree with one.
bool Consider(RTCPointQueryFunctionArguments* arguments) {
  auto& search = *static_cast<ClosestSearch*>(arguments->userPtr);
  int t = static_cast<int>(arguments->primID);
  const double near = search.best + search.margin, squared_near = near * near;
  if (search.pieces != nullptr) {
    t = search.pieces->triangle_of[t];
    if (t == search.found.triangle || search.pieces->LeastSquaredDistance(t, search.from) > squared_near) return false;
  }
  const std::array<Eigen::Vector3d, 3> corners = Corners(*search.mesh, t);
  if (SquaredDistanceToBox(search.from, corners) > squared_near) return false;
  const TrianglePoint nearest = ClosestPointOnTriangle(search.from, corners);
  const double distance = (nearest.point - search.from).norm();
  const bool tie = distance == search.best && t < search.found.triangle;
  if (distance >= search.best && !tie) return false;
  search.best = distance;
  search.found = {t, nearest.point, nearest.barycentric, distance};
  // A little more than the distance, so that triangles at the same distance are still visited.
  arguments->query->radius = std::min(arguments->query->radius, static_cast<float>(distance * (1 + 1e-6)));
  return true;
}

}  // namespace

SurfaceQuery::SurfaceQuery(const TriMesh& mesh) : state_(std::make_unique<State>(mesh)) {}
SurfaceQuery::~SurfaceQuery() = default;
SurfaceQuery::SurfaceQuery(SurfaceQuery&&) noexcept = default;
SurfaceQuery& SurfaceQuery::operator=(SurfaceQuery&&) noexcept = default;

std::optional<SurfacePoint> SurfaceQuery::Closest(const Eigen::Vector3f& point, float max_distance) const {
  const TrianglePieces* pieces = state_->pieces ? &*state_->pieces : nullptr;
  const Eigen::Vector3d from = point.cast<double>();
  const double margin = 1e-9 * std::max(state_->largest, from.cwiseAbs().maxCoeff());
  ClosestSearch search{&state_->mesh, pieces, from, margin, max_distance, {}};
  RTCPointQuery query{};
  query.x = point.x();
  query.y = point.y();
  query.z = point.z();
  query.radius = max_distance;
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  rtcPointQuery(pieces != nullptr ? state_->piece_scene : state_->scene, &query, &context, Consider, &search);
  if (search.found.triangle < 0) return std::nullopt;
  return search.found;
}

std::optional<SurfacePoint> SurfaceQuery::Shoot(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction,
                                                float near, float far) const {
  RTCRayHit shot{};
  shot.ray = {.org_x = origin.x(),
              .org_y = origin.y(),
              .org_z = origin.z(),
              .tnear = near,
              .dir_x = direction.x(),
              .dir_y = direction.y(),
              .dir_z = direction.z(),
              .time = 0,
              .tfar = far,
              .mask = ~0u,
              .id = 0,
              .flags = 0};
  shot.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(state_->scene, &context, &shot);
  if (shot.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  SurfacePoint found;
  found.triangle = static_cast<int>(shot.hit.primID);
  found.barycentric = {1.0 - shot.hit.u - shot.hit.v, shot.hit.u, shot.hit.v};
  const auto corners = Corners(state_->mesh, found.triangle);
  for (int k = 0; k < 3; ++k) found.point += found.barycentric[k] * corners[k];
  found.distance = shot.ray.tfar;
  return found;
}

SurfaceSide SideOf(const TriMesh& mesh, const Points& normals, const SurfacePoint& at, const Eigen::Vector3d& from) {
  SurfaceSide side{.point = at.point};
  for (int k = 0; k < 3; ++k) {
    side.normal += at.barycentric[k] * normals.row(mesh.triangles(at.triangle, k)).cast<double>().transpose();
  }
  side.normal.normalize();
  const Eigen::Vector3d away = from - at.point;
  side.distance = away.dot(side.normal) < 0 ? -away.norm() : away.norm();
  return side;
}

}  // namespace sinew
