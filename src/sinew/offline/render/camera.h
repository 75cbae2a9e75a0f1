// Cameras that frame what is drawn. The fit is exact: some point of the body touches the frame's margin on the tighter
// axis, and the body is centred on the other.
#ifndef SINEW_OFFLINE_RENDER_CAMERA_H_
#define SINEW_OFFLINE_RENDER_CAMERA_H_

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::render {

// From where: azimuth 0 looks at the front (the character faces +Z), 90 at its left side (+X); elevation 0 is level.
struct View {
  std::string name;
  float azimuth_degrees = 0;
  float elevation_degrees = 0;
};

// front, side (the left one), right, back, three-quarter, top, or two angles "AZIMUTH:ELEVATION".
// Throws UsageError that lists them.
View ParseView(std::string_view text);

// Unit: from what is seen to who looks at it, in model space.
Eigen::Vector3f ToViewer(const View& view);

struct Camera {
  Eigen::Vector3f eye = Eigen::Vector3f::Zero();
  Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();  // rows: right, up, backward, in model space
  float tangent = 0.15f;  // of half the vertical angle of view: 0.15 is a lens of about 80 mm
  float aspect = 1;       // width / height

  // Right, up, and depth (positive in front of the camera).
  Eigen::Vector3f ToCamera(const Eigen::Vector3f& point) const;
  // From (0, 0), the top left corner of the picture, to (1, 1).
  Eigen::Vector2f ToPicture(const Eigen::Vector3f& point) const;
  // OpenGL's clip space from model space.
  Eigen::Matrix4f ClipFromModel(float near, float far) const;
};

// Empty borders, as fractions of the picture's height.
struct Margins {
  float left = 0.05f, right = 0.05f, top = 0.05f, bottom = 0.07f;
};

// The nearest camera from that direction that shows all the points inside the margins. Without points: the unit box.
Camera FrameCamera(const View& view, const Points& points, float aspect, const Margins& margins = {});

// The aspect at which such a camera touches both margins: how wide a panel should be for these points.
float TightAspect(const View& view, const Points& points, const Margins& margins = {});

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_CAMERA_H_
