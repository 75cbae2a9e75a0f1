#include <Eigen/Geometry>
#include <cmath>

#include "sinew/offline/contact/contact_panels.h"
#include "sinew/offline/contact/draw_contact.h"

namespace sinew::contact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kCells = 128;  // of the grid in which the collider's outline is found, along a side

// Axes of the section in the collider's space: right, up, and towards the viewer.
Eigen::Matrix3d SectionAxes(const learn::RowMatrix& r) {
  Vector3d down = r.rows() > 0 ? Vector3d(r.colwise().sum().cast<double>().transpose()) : Vector3d(0, -1, 0);
  if (!(down.norm() > 0)) down = Vector3d(0, -1, 0);
  Eigen::Matrix3d axes;
  axes.col(1) = -down.normalized();
  axes.col(0) = axes.col(1).unitOrthogonal();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

// Positions along the axes, one column per node, in collider sizes.
Eigen::Matrix3Xd PlacesOf(const SolidObject& object, const SampleRef& ref, const learn::RowMatrix& r,
                          const Eigen::Matrix3d& axes) {
  const FieldInputs inputs(object, FieldKind::kDense, ref);
  Eigen::Matrix3Xd places(3, object.node_count());
  for (int n = 0; n < object.node_count(); ++n) {
    Vector3d place = inputs.Place(n).cast<double>();
    if (r.rows() > 0) place += r.row(n).cast<double>().transpose();
    places.col(n) = axes.transpose() * place;
  }
  return places;
}

// Polygon in which a tetrahedron meets the plane z = 0, with the lengths of the displacements there; empty if it does
// not.
struct Cut {
  std::vector<Vector2d> corners;
  double length = 0;  // mean of the corners
};

Cut CutTet(const Eigen::Matrix3Xd& places, const Eigen::RowVector4i& tet, const learn::RowMatrix& r) {
  std::vector<int> front, back;
  for (const int node : tet) (places(2, node) > 0 ? front : back).push_back(node);
  Cut cut;
  const auto add = [&](int a, int b) {
    const double t = places(2, a) / (places(2, a) - places(2, b));
    cut.corners.emplace_back(((1 - t) * places.col(a) + t * places.col(b)).head<2>());
    cut.length += (1 - t) * LengthOf(r, a) + t * LengthOf(r, b);
  };
  // Edges between the two sides, in the order of the polygon.
  if (front.size() == 2) {
    add(front[0], back[0]);
    add(front[0], back[1]);
    add(front[1], back[1]);
    add(front[1], back[0]);
  } else {
    for (const int a : front) {
      for (const int b : back) add(a, b);
    }
  }
  if (!cut.corners.empty()) cut.length /= static_cast<double>(cut.corners.size());
  return cut;
}

// Outline of the collider in the section, by marching squares.
std::string OutlineOf(const SolidObject& object, const Eigen::Matrix3d& axes) {
  const double size = object.collider.size(), step = 2 * kReach / kCells;
  const auto at = [&](int i, int j) { return Vector2d(-kReach + i * step, -kReach + j * step); };
  const auto distance = [&](const Vector2d& place) {
    return object.collider.Distance(size * (axes.leftCols<2>() * place)).distance;
  };
  std::string path;
  for (int i = 0; i < kCells * kCells; ++i) {
    const int x = i % kCells, y = i / kCells;
    const Vector2d corners[5] = {at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1), at(x, y)};
    std::vector<Vector2d> crossings;
    for (int k = 0; k < 4; ++k) {
      const double a = distance(corners[k]), b = distance(corners[k + 1]);
      if ((a < 0) != (b < 0)) crossings.push_back(OnPanel(corners[k] + a / (a - b) * (corners[k + 1] - corners[k])));
    }
    if (crossings.size() < 2) continue;
    path +=
        fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", crossings[0][0], crossings[0][1], crossings[1][0], crossings[1][1]);
  }
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\" stroke-linecap=\"round\"/>", path,
                     kColliderColor);
}

}  // namespace

std::string DrawSection(const SolidObject& object, const SampleRef& ref, const std::vector<ContactPanel>& panels) {
  const double largest = LargestLength(panels.front().r);
  const Eigen::Matrix3d axes = SectionAxes(panels.front().r);
  const std::string outline = OutlineOf(object, axes);
  std::vector<std::string> contents;
  for (const ContactPanel& panel : panels) {
    const Eigen::Matrix3Xd places = PlacesOf(object, ref, panel.r, axes);
    std::string svg;
    for (int t = 0; t < object.mesh.tet_count(); ++t) {
      const Cut cut = CutTet(places, object.mesh.tets.row(t), panel.r);
      if (!cut.corners.empty()) svg += BodyPolygon(cut.corners, cut.length / largest);
    }
    contents.push_back(svg + outline);
  }
  return JoinPanels(panels, contents);
}

}  // namespace sinew::contact
