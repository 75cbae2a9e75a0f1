// Colours: conversion between sRGB and linear light, the colour maps of heat maps, and one colour per joint. Maps are
// computed in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), so that equal steps of a
// value look equal.
#ifndef SINEW_OFFLINE_RENDER_COLOR_H_
#define SINEW_OFFLINE_RENDER_COLOR_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/render/image.h"

namespace sinew::render {

// Red, green and blue in [0, 1].
using Color = Eigen::Vector3f;

float LinearFromSrgb(float value);
float SrgbFromLinear(float value);
Color LinearFromSrgb(const Color& color);
Color SrgbFromLinear(const Color& color);
Pixel ToPixel(const Color& srgb);

// Converts from OKLCh to linear light: lightness 0 to 1, chroma 0 to about 0.32, hue in degrees. The chroma is lowered
// until sRGB can show the colour.
Color FromOklch(float lightness, float chroma, float hue_degrees);

enum class ColorMap {
  kSequential,  // dark violet over blue and green to light yellow; lightness rises evenly
  kDiverging    // blue over near-white (0.5) to red: for values with a sign
};

// Returns the colour of a map at t, which is clamped to [0, 1]; linear light.
Color MapColor(ColorMap map, float t);

// Returns a distinct colour per joint, linear light. Hues advance by the golden angle, so that neighbours in the list,
// which are neighbours on the body, differ much.
Color JointColor(int joint);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_COLOR_H_
