// Cameras that frame the points that are drawn. The fit is exact: on the tighter axis some point touches the margin, on
// the other axis the points are centred.
#ifndef SINEW_OFFLINE_RENDER_CAMERA_H_
#define SINEW_OFFLINE_RENDER_CAMERA_H_

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::render {

// Direction of view: azimuth 0 shows the front (the character faces +Z), 90 its left side (+X); elevation 0 is level.
struct View {
  std::string name;
  float azimuth_degrees = 0;
  float elevation_degrees = 0;
};

// Parses front, side (the left one), right, back, three-quarter, top, or two angles in degrees, "AZIMUTH:ELEVATION".
// Throws UsageError that lists these for any other text.
View ParseView(std::string_view text);

// Returns the unit vector from the scene towards the viewer, in model space.
Eigen::Vector3f ToViewer(const View& view);

struct Camera {
  Eigen::Vector3f eye = Eigen::Vector3f::Zero();
  Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();  // rows: right, up, backward, in model space
  float tangent = 0.15f;  // of half the vertical angle of view; 0.15 is a lens of about 80 mm
  float aspect = 1;       // width / height

  // Returns the coordinates to the right, up, and the depth (positive in front of the camera).
  Eigen::Vector3f ToCamera(const Eigen::Vector3f& point) const;
  // Returns picture coordinates, from (0, 0) in the top left corner to (1, 1) in the bottom right one.
  Eigen::Vector2f ToPicture(const Eigen::Vector3f& point) const;
  // Returns the matrix from model space to OpenGL's clip space.
  Eigen::Matrix4f ClipFromModel(float near, float far) const;
};

// Empty borders, as fractions of the picture's height.
struct Margins {
  float left = 0.05f, right = 0.05f, top = 0.05f, bottom = 0.07f;
};

// Returns the nearest camera in the direction of the view that shows all points inside the margins. Without points, it
// frames a unit box.
Camera FrameCamera(const View& view, const Points& points, float aspect, const Margins& margins = {});

// Returns the aspect (width / height) at which such a camera touches the margins on both axes: the width that a panel
// needs for these points.
float TightAspect(const View& view, const Points& points, const Margins& margins = {});

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_CAMERA_H_
