// The part of a glTF material that pictures use: the base colour, its texture and its transparency.
#ifndef SINEW_OFFLINE_RENDER_MATERIALS_H_
#define SINEW_OFFLINE_RENDER_MATERIALS_H_

#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/render/color.h"
#include "sinew/offline/render/image.h"
#include "sinew/offline/render/scene.h"

namespace sinew::render {

struct Material {
  std::shared_ptr<const Image> texture;  // null: none
  bool has_factor = false;               // the file gives a colour, which is that of a material without texture
  Color factor = Color::Ones();          // multiplies the texture, linear light
  int texture_set = 0;                   // the part's TEXCOORD_n that it uses
  // From the part's texture positions to the image's: KHR_texture_transform.
  Eigen::Affine2f image_from_texture = Eigen::Affine2f::Identity();
  Transparency transparency = Transparency::kNone;
  float alpha = 1, alpha_cutoff = 0.5f;
  bool double_sided = false;
};

// One per material of the character's source document; empty without one. Images that several materials use are
// decoded once. An image that is missing or cannot be decoded is a warning, and its material has no texture.
std::vector<Material> ReadMaterials(const Character& character);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_MATERIALS_H_
