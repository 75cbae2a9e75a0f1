#include "sinew/offline/autorig/rig_picture.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/poses/everyday_poses.h"
#include "sinew/offline/render/character_drawing.h"
#include "sinew/offline/render/png.h"
#include "sinew/offline/render/sheet.h"

namespace sinew::autorig {
namespace {

constexpr std::array<std::string_view, 4> kShown = {"sit", "hug", "arms_up", "bow"};
constexpr float kBodyAlpha = 0.35F;
constexpr int kPanelHeight = 700;

// Pictures have y up and z to the front, whatever the file has.
void Turn(const Eigen::Matrix3f& turn, render::Scene& scene) {
  for (render::RenderMesh& mesh : scene.meshes) {
    mesh.mesh.positions = mesh.mesh.positions * turn.transpose();
    if (mesh.normals.rows() > 0) mesh.normals = mesh.normals * turn.transpose();
  }
  if (scene.bones) scene.bones->joints = scene.bones->joints * turn.transpose();
}

}  // namespace

Bytes DrawRig(const Character& character, const Eigen::Matrix3d& turn, const std::string& file) {
  const Eigen::Matrix3f upright = turn.cast<float>();
  const render::CharacterDrawing with_bones(character, {.skeleton = true});
  const render::CharacterDrawing plain(character, {});
  std::vector<render::Panel> panels = {{.label = "skeleton", .scene = with_bones.At(character.skeleton.RestPose())}};
  for (render::RenderMesh& mesh : panels[0].scene.meshes) {
    mesh.transparency = render::Transparency::kBlend;
    mesh.alpha = kBodyAlpha;
  }
  const Articulation articulation(character.skeleton);
  for (const poses::NamedPose& pose : poses::EverydayPoses(articulation, FindLimits(character, file))) {
    if (std::find(kShown.begin(), kShown.end(), pose.name) == kShown.end()) continue;
    panels.push_back({.label = pose.label, .scene = plain.At(pose.pose)});
  }
  for (render::Panel& panel : panels) Turn(upright, panel.scene);
  return render::EncodePng(
      render::RenderSheet(panels, {render::ParseView("front")}, {.height = kPanelHeight, .common_scale = true}));
}

}  // namespace sinew::autorig
