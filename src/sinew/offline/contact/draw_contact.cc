#include "sinew/offline/contact/draw_contact.h"

#include "sinew/offline/contact/contact_panels.h"

namespace sinew::contact {
namespace {

using Eigen::Vector2d;

// In the collider's space the collider stays upright and in the middle of every panel.
std::vector<Vector2d> PlacesOf(const PlaneObject& object, const SampleRef& ref, const learn::RowMatrix& r) {
  const FieldInputs inputs(object, FieldKind::kDense, ref);
  std::vector<Vector2d> places;
  for (int n = 0; n < object.node_count(); ++n) {
    places.push_back(inputs.Place(n).cast<double>());
    if (r.rows() > 0) places.back() += r.row(n).cast<double>().transpose();
  }
  return places;
}

std::string DrawPanel(const PlaneObject& object, const SampleRef& ref, const ContactPanel& panel, double largest) {
  const std::vector<Vector2d> places = PlacesOf(object, ref, panel.r);
  std::string svg;
  for (int t = 0; t < object.mesh.triangle_count(); ++t) {
    const auto corner = [&](int k) { return object.mesh.triangles(t, k); };
    const bool outside = places[corner(0)].cwiseAbs().maxCoeff() > kReach * 1.1;
    if (outside) continue;
    double length = 0;
    std::vector<Vector2d> corners;
    for (int k = 0; k < 3; ++k) {
      corners.push_back(places[corner(k)]);
      length += LengthOf(panel.r, corner(k)) / 3;
    }
    svg += BodyPolygon(corners, length / largest);
  }
  std::string outline;
  const double size = object.collider.size();
  for (const Vector2d& corner : object.collider.corners()) {
    const Vector2d at = OnPanel(corner / size);
    outline += fmt::format("{:.2f},{:.2f} ", at[0], at[1]);
  }
  // A stroke of twice the rounding draws the rounded outline.
  return svg + fmt::format(
                   "<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-linejoin=\"round\" "
                   "opacity=\"0.55\"/>",
                   outline, kColliderColor, kColliderColor,
                   2 * object.collider.rounding() / size * kPanel / (2 * kReach));
}

}  // namespace

std::string DrawContact(const PlaneObject& object, const SampleRef& ref, const std::vector<ContactPanel>& panels) {
  const double largest = LargestLength(panels.front().r);
  std::vector<std::string> contents;
  for (const ContactPanel& panel : panels) contents.push_back(DrawPanel(object, ref, panel, largest));
  return JoinPanels(panels, contents);
}

}  // namespace sinew::contact
