#include "sinew/offline/render/color.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::render {
namespace {

Color FromOklab(float lightness, float a, float b) {
  const auto cube = [](float x) { return x * x * x; };
  const float l = cube(lightness + 0.3963377774f * a + 0.2158037573f * b);
  const float m = cube(lightness - 0.1055613458f * a - 0.0638541728f * b);
  const float s = cube(lightness - 0.0894841775f * a - 1.2914855480f * b);
  return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
          -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
          -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

bool InGamut(const Color& linear) { return linear.minCoeff() >= -1e-4f && linear.maxCoeff() <= 1.0001f; }

float Mix(float a, float b, float t) { return a + (b - a) * t; }

// The chroma follows a parabola below the gamut of sRGB along the whole map, so that nothing is clipped and no step
// is visible.
Color Sequential(float t) {
  const float chroma = 0.098f + 0.24f * (t - 0.43f) * (t - 0.43f);
  return FromOklch(Mix(0.31f, 0.93f, t), chroma, Mix(300, 103, t));
}

// Two halves that meet in a near-white; away from it, both lose lightness and gain chroma evenly.
Color Diverging(float t) {
  const float arm = std::abs(2 * t - 1);
  return FromOklch(Mix(0.96f, 0.42f, arm), 0.19f * arm, t < 0.5f ? 255.0f : 28.0f);
}

}  // namespace

float LinearFromSrgb(float value) {
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

float SrgbFromLinear(float value) {
  return value <= 0.0031308f ? value * 12.92f : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
}

Color LinearFromSrgb(const Color& color) {
  return {LinearFromSrgb(color.x()), LinearFromSrgb(color.y()), LinearFromSrgb(color.z())};
}

Color SrgbFromLinear(const Color& color) {
  return {SrgbFromLinear(color.x()), SrgbFromLinear(color.y()), SrgbFromLinear(color.z())};
}

Pixel ToPixel(const Color& srgb) {
  Pixel pixel{0, 0, 0, 255};
  for (int c = 0; c < 3; ++c) pixel[c] = static_cast<uint8_t>(std::lround(std::clamp(srgb[c], 0.0f, 1.0f) * 255));
  return pixel;
}

Color FromOklch(float lightness, float chroma, float hue_degrees) {
  const float hue = hue_degrees * std::numbers::pi_v<float> / 180;
  const auto at = [&](float c) { return FromOklab(lightness, c * std::cos(hue), c * std::sin(hue)); };
  float low = 0, high = chroma;
  if (!InGamut(at(high))) {
    for (int step = 0; step < 20; ++step) {
      const float middle = (low + high) / 2;
      (InGamut(at(middle)) ? low : high) = middle;
    }
    high = low;
  }
  return at(high).cwiseMax(0).cwiseMin(1);
}

Color MapColor(ColorMap map, float t) {
  t = std::clamp(t, 0.0f, 1.0f);
  return map == ColorMap::kSequential ? Sequential(t) : Diverging(t);
}

Color JointColor(int joint) {
  constexpr float kGoldenAngle = 137.50776f;
  const float lightness = 0.62f + 0.1f * static_cast<float>(joint % 3);
  return FromOklch(lightness, 0.15f, std::fmod(25 + kGoldenAngle * static_cast<float>(joint), 360.0f));
}

}  // namespace sinew::render
