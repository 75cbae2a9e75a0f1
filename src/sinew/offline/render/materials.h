// Reads the part of glTF materials that pictures use: base colour, texture and transparency.
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
  bool has_factor = false;               // whether the file gives a colour, used if there is no texture
  Color factor = Color::Ones();          // multiplies the texture, linear light
  int texture_set = 0;                   // n of the part's TEXCOORD_n that the texture uses
  // Transform from the part's texture coordinates to those of the image (KHR_texture_transform).
  Eigen::Affine2f image_from_texture = Eigen::Affine2f::Identity();
  Transparency transparency = Transparency::kNone;
  float alpha = 1, alpha_cutoff = 0.5f;
  bool double_sided = false;
};

// Returns one entry per material of the character's source document; none if it has no source document. Images used by
// several materials are decoded once. An image that is missing or cannot be decoded gives a warning, and its material
// has no texture.
std::vector<Material> ReadMaterials(const Character& character);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_MATERIALS_H_
