// Colours: sRGB and linear light, the colour maps of heat maps, and one colour for each joint. Maps are computed in
// OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), so that equal steps of a value look like
// equal steps.
#ifndef SINEW_OFFLINE_RENDER_COLOR_H_
#define SINEW_OFFLINE_RENDER_COLOR_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/render/image.h"

namespace sinew::render {

// Red, green, blue in [0, 1].
using Color = Eigen::Vector3f;

float LinearFromSrgb(float value);
float SrgbFromLinear(float value);
Color LinearFromSrgb(const Color& color);
Color SrgbFromLinear(const Color& color);
Pixel ToPixel(const Color& srgb);

// Lightness 0 to 1, chroma 0 to about 0.32, hue in degrees. The chroma is lowered until sRGB can show the colour.
// Gives linear light.
Color FromOklch(float lightness, float chroma, float hue_degrees);

enum class ColorMap {
  kSequential,  // dark violet over blue and green to light yellow; lightness rises evenly
  kDiverging    // blue over near-white (0.5) to red: for values with a sign
};

// t is clamped to [0, 1]. Linear light.
Color MapColor(ColorMap map, float t);

// A distinct colour per joint, linear light: hues by the golden angle, so that neighbours in the list, which are
// neighbours on the body, differ much.
Color JointColor(int joint);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_COLOR_H_
