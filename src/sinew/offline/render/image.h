// Image in memory: 8-bit sRGB with straight alpha, rows from top to bottom.
#ifndef SINEW_OFFLINE_RENDER_IMAGE_H_
#define SINEW_OFFLINE_RENDER_IMAGE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew::render {

using Pixel = std::array<uint8_t, 4>;  // red, green, blue, alpha

struct Image {
  int width = 0;
  int height = 0;
  std::vector<Pixel> pixels;  // width * height

  Image() = default;
  Image(int image_width, int image_height, Pixel fill = {255, 255, 255, 255})
      : width(image_width), height(image_height), pixels(static_cast<size_t>(image_width) * image_height, fill) {}

  Pixel& at(int x, int y) { return pixels[static_cast<size_t>(y) * width + x]; }
  const Pixel& at(int x, int y) const { return pixels[static_cast<size_t>(y) * width + x]; }
  bool operator==(const Image& other) const = default;
};

// Decodes a PNG or JPEG file in memory, as textures in glTF files are. Throws InputError that names `file` and `place`.
Image DecodeImage(std::span<const std::byte> bytes, const std::string& file, const std::string& place);

// Copies `source` into `target` with its top left corner at (x, y); parts outside of `target` are left out.
void Paste(const Image& source, int x, int y, Image& target);

// Blends a colour over a pixel. coverage: in [0, 1].
void Blend(Pixel& under, const Pixel& over, float coverage);

// Fills the rectangle [x0, x1) x [y0, y1), clipped to the image.
void FillRectangle(Image& image, int x0, int y0, int x1, int y1, const Pixel& color);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_IMAGE_H_
