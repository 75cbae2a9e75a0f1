// Labels: one line of text drawn into an image.
#ifndef SINEW_OFFLINE_RENDER_TEXT_H_
#define SINEW_OFFLINE_RENDER_TEXT_H_

#include <filesystem>
#include <memory>
#include <string_view>

#include "sinew/offline/render/image.h"

namespace sinew::render {

// Where Debian's package fonts-dejavu-core puts it.
inline constexpr const char* kFontPath = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

enum class Align { kLeft, kCenter, kRight };

class Font {
 public:
  // Throws FailedError that names the package if the font is missing or broken.
  explicit Font(const std::filesystem::path& path = kFontPath);
  ~Font();
  Font(const Font&) = delete;
  Font& operator=(const Font&) = delete;

  // Pixels from the start of the text (UTF-8) to its end; `size` is the height from the highest to the lowest letter.
  float Width(std::string_view text, float size) const;
  // The text's baseline is at y; x is its left end, middle or right end. What lies outside the image is left out.
  void Draw(Image& image, std::string_view text, float x, float y, float size, const Pixel& color,
            Align align = Align::kLeft) const;
  // The text, or as much of it as fits into `width` pixels with "…" at its end.
  std::string Fit(std::string_view text, float size, float width) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_TEXT_H_
