// Draws labels, single lines of text, into an image.
#ifndef SINEW_OFFLINE_RENDER_TEXT_H_
#define SINEW_OFFLINE_RENDER_TEXT_H_

#include <filesystem>
#include <memory>
#include <string_view>

#include "sinew/offline/render/image.h"

namespace sinew::render {

// Path of the font in Debian's package fonts-dejavu-core.
inline constexpr const char* kFontPath = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

enum class Align { kLeft, kCenter, kRight };

class Font {
 public:
  // Throws FailedError that names the package if the font is missing or broken.
  explicit Font(const std::filesystem::path& path = kFontPath);
  ~Font();
  Font(const Font&) = delete;
  Font& operator=(const Font&) = delete;

  // Returns the width of a text (UTF-8) in pixels. size: height from the highest to the lowest letter, pixels.
  float Width(std::string_view text, float size) const;
  // Draws a text with its baseline at y; x is its left end, middle or right end. Clipped to the image.
  void Draw(Image& image, std::string_view text, float x, float y, float size, const Pixel& color,
            Align align = Align::kLeft) const;
  // Returns the text, or as much of it as fits into `width` pixels with "…" at its end.
  std::string Fit(std::string_view text, float size, float width) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_TEXT_H_
