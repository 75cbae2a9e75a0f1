#include "sinew/offline/render/image.h"

#include <fmt/format.h>
#include <stb/stb_image.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "sinew/offline/core/error.h"

namespace sinew::render {

Image DecodeImage(std::span<const std::byte> bytes, const std::string& file, const std::string& place) {
  const auto fail = [&](const std::string& problem) {
    throw InputError(file, place, problem, "store it as PNG or JPEG, or render without textures");
  };
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max())) fail("the image is larger than 2 GB");
  int width = 0, height = 0, channels = 0;
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const std::unique_ptr<stbi_uc, void (*)(void*)> decoded(
      stbi_load_from_memory(data, static_cast<int>(bytes.size()), &width, &height, &channels, 4), stbi_image_free);
  if (decoded == nullptr) fail(fmt::format("the image cannot be decoded ({})", stbi_failure_reason()));
  Image image(width, height);
  std::memcpy(image.pixels.data(), decoded.get(), image.pixels.size() * sizeof(Pixel));
  return image;
}

void Paste(const Image& source, int x, int y, Image& target) {
  const int x0 = std::max(0, -x), x1 = std::min(source.width, target.width - x);
  const int y0 = std::max(0, -y), y1 = std::min(source.height, target.height - y);
  if (x0 >= x1) return;
  for (int row = y0; row < y1; ++row) {
    std::copy_n(&source.at(x0, row), x1 - x0, &target.at(x + x0, y + row));
  }
}

void Blend(Pixel& under, const Pixel& over, float coverage) {
  const float alpha = std::clamp(coverage, 0.0f, 1.0f) * static_cast<float>(over[3]) / 255.0f;
  for (int c = 0; c < 3; ++c) {
    under[c] = static_cast<uint8_t>(std::lround(static_cast<float>(under[c]) * (1 - alpha) + over[c] * alpha));
  }
  under[3] = static_cast<uint8_t>(std::lround(under[3] + (255.0f - under[3]) * alpha));
}

void FillRectangle(Image& image, int x0, int y0, int x1, int y1, const Pixel& color) {
  for (int y = std::max(y0, 0); y < std::min(y1, image.height); ++y) {
    for (int x = std::max(x0, 0); x < std::min(x1, image.width); ++x) image.at(x, y) = color;
  }
}

}  // namespace sinew::render
