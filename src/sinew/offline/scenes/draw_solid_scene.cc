#include "sinew/offline/scenes/draw_solid_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sinew/offline/mesh/extract_surface.h"
#include "sinew/offline/render/renderer.h"
#include "sinew/offline/render/text.h"

namespace sinew::scenes {
namespace {

using Eigen::Vector3d;

constexpr int kWidth = 420, kHeight = 380, kPerRow = 4;
constexpr size_t kMostFrames = 64;  // of a picture, evenly chosen
constexpr float kText = 15;
// Cells of the grid on which a collider's surface is found, along its longest side.
constexpr int kCells = 40;
const render::Color kBody(0.82f, 0.48f, 0.24f), kCollider(0.06f, 0.19f, 0.40f);  // linear light

// A collider where its keys have not moved it.
class ColliderSurface : public ImplicitSurface {
 public:
  explicit ColliderSurface(const SolidSceneCollider& own) : collider_(ColliderAt(own, 0)) {
    collider_.pose = {};
    double reach = own.shape == dynamics::SolidShape::kSphere ? own.radius : own.half.maxCoeff() + own.rounding;
    for (const double coordinate : own.corners) reach = std::max(reach, std::abs(coordinate) + own.rounding);
    reach_ = reach;
  }
  double Evaluate(const Vector3d& point, Vector3d* gradient) const override {
    const dynamics::DistanceSample<3> sample = collider_.Distance(collider_.pose, point.data());
    if (gradient != nullptr) *gradient = Vector3d(sample.gradient);
    return sample.distance;
  }
  Eigen::AlignedBox3d Bounds() const override { return {Vector3d::Constant(-reach_), Vector3d::Constant(reach_)}; }
  double Spacing() const { return 2 * reach_ / kCells; }

 private:
  dynamics::SolidCollider collider_;
  double reach_ = 0;
};

render::RenderMesh Coloured(TriMesh mesh, const render::Color& color) {
  render::RenderMesh coloured{.mesh = std::move(mesh)};
  coloured.colors = color.transpose().replicate(coloured.mesh.vertex_count(), 1);
  return coloured;
}

// Surface of the object. Facets do not share vertices: normals at the edges of a block would be those of no side.
TriMesh SurfaceAt(const dynamics::ObjectTable& object, const SceneFrame& frame) {
  const int corners = 3 * object.boundary_count();
  TriMesh mesh{Points(corners, 3), Triangles(object.boundary_count(), 3)};
  for (int v = 0; v < corners; ++v) {
    const size_t node = object.boundary()[v];
    for (size_t r = 0; r < 3; ++r) mesh.positions(v, static_cast<int>(r)) = frame.positions[3 * node + r];
    mesh.triangles(v / 3, v % 3) = v;
  }
  return mesh;
}

TriMesh Placed(TriMesh mesh, const dynamics::SolidPose& pose) {
  using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Eigen::Matrix3f R = Eigen::Map<const RowMajor>(pose.rotation).cast<float>();
  mesh.positions = (mesh.positions * R.transpose()).rowwise() + Vector3d(pose.position).cast<float>().transpose();
  return mesh;
}

}  // namespace

render::Image DrawSolidScene(const SolidScene& scene, const LoadedObject& object, const SceneRun& run) {
  std::vector<TriMesh> shapes;  // empty for half spaces
  std::optional<float> ground;
  for (const SolidSceneCollider& collider : scene.colliders) {
    if (collider.shape == dynamics::SolidShape::kHalfSpace) {
      if (!ground) ground = static_cast<float>(PoseAt(collider.keys, 0).position[1]);
      shapes.emplace_back();
    } else {
      const ColliderSurface surface(collider);
      shapes.push_back(ToTriMesh(ExtractSurface(surface, surface.Spacing())));
    }
  }
  const size_t drawn_frames = std::min(kMostFrames, run.frames.size());
  const auto frame_at = [&](size_t k) -> const SceneFrame& { return run.frames[k * run.frames.size() / drawn_frames]; };
  std::vector<render::Scene> panels;
  Points all(0, 3);
  for (size_t k = 0; k < drawn_frames; ++k) {
    const SceneFrame& frame = frame_at(k);
    render::Scene& panel = panels.emplace_back();
    panel.ground = ground;
    panel.meshes.push_back(Coloured(SurfaceAt(object.table, frame), kBody));
    for (size_t c = 0; c < shapes.size(); ++c) {
      if (shapes[c].vertex_count() == 0) continue;
      const dynamics::SolidPose pose = ColliderAt(scene.colliders[c], frame.seconds).pose;
      panel.meshes.push_back(Coloured(Placed(shapes[c], pose), kCollider));
    }
    const Points drawn = render::DrawnPoints(panel);
    all.conservativeResize(all.rows() + drawn.rows(), 3);
    all.bottomRows(drawn.rows()) = drawn;
  }
  const auto count = static_cast<int>(panels.size());
  const int columns = std::min(count, kPerRow), rows = (count + kPerRow - 1) / kPerRow;
  const render::View view{.name = {}, .azimuth_degrees = 30, .elevation_degrees = 18};
  const render::Camera camera = render::FrameCamera(view, all, static_cast<float>(kWidth) / kHeight);
  render::Renderer renderer;
  const render::Font font;
  render::Image picture(columns * kWidth, rows * kHeight);
  for (int f = 0; f < count; ++f) {
    render::Image panel = renderer.Render(panels[static_cast<size_t>(f)], camera, kWidth, kHeight);
    font.Draw(panel, fmt::format("{:.2f} s", frame_at(static_cast<size_t>(f)).seconds), 12, 24, kText,
              {40, 40, 40, 255});
    render::Paste(panel, f % kPerRow * kWidth, f / kPerRow * kHeight, picture);
  }
  return picture;
}

}  // namespace sinew::scenes
