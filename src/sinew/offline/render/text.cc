#include "sinew/offline/render/text.h"

#include <fmt/format.h>
#include <stb/stb_truetype.h>

#include <cmath>
#include <string>
#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"

namespace sinew::render {
namespace {

// Returns the code points of UTF-8 text; a byte that is not UTF-8 becomes U+FFFD.
std::vector<int> CodePoints(std::string_view text) {
  std::vector<int> points;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int extra = lead < 0x80                   ? 0
                      : lead >= 0xC2 && lead < 0xE0 ? 1
                      : lead >= 0xE0 && lead < 0xF0 ? 2
                      : lead >= 0xF0 && lead < 0xF5 ? 3
                                                    : -1;
    int point = extra <= 0 ? lead : lead & (0x3F >> extra);
    bool good = extra >= 0 && i + extra < text.size();
    for (int k = 1; good && k <= extra; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      good = (byte & 0xC0) == 0x80;
      point = point << 6 | (byte & 0x3F);
    }
    points.push_back(good ? point : 0xFFFD);
    i += good ? extra + 1 : 1;
  }
  return points;
}

}  // namespace

struct Font::State {
  Bytes file;
  stbtt_fontinfo info{};

  float Scale(float size) const { return stbtt_ScaleForPixelHeight(&info, size); }

  // Calls visit(glyph, pen position in pixels) for each glyph. Returns the final pen position.
  template <typename Visit>
  float Walk(std::string_view text, float size, const Visit& visit) const {
    const float scale = Scale(size);
    float pen = 0;
    int before = 0;
    for (const int point : CodePoints(text)) {
      const int glyph = stbtt_FindGlyphIndex(&info, point);
      if (before != 0) pen += scale * static_cast<float>(stbtt_GetGlyphKernAdvance(&info, before, glyph));
      visit(glyph, pen);
      int advance = 0, bearing = 0;
      stbtt_GetGlyphHMetrics(&info, glyph, &advance, &bearing);
      pen += scale * static_cast<float>(advance);
      before = glyph;
    }
    return pen;
  }
};

Font::Font(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  const std::string remedy = "install the Debian package fonts-dejavu-core";
  try {
    state_->file = ReadFile(path);
  } catch (const InputError&) {
    throw FailedError(fmt::format("labels need the font {}, which is not there; {}", path.string(), remedy));
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(state_->file.data());
  // The library does not check the file; this rejects files that are no font at all.
  const bool font = state_->file.size() > 1000 && stbtt_GetFontOffsetForIndex(bytes, 0) >= 0;
  if (!font || stbtt_InitFont(&state_->info, bytes, stbtt_GetFontOffsetForIndex(bytes, 0)) == 0) {
    throw FailedError(fmt::format("labels need the font {}, which is not a TrueType font; {}", path.string(), remedy));
  }
}

Font::~Font() = default;

float Font::Width(std::string_view text, float size) const {
  return state_->Walk(text, size, [](int, float) {});
}

void Font::Draw(Image& image, std::string_view text, float x, float y, float size, const Pixel& color,
                Align align) const {
  const float share = align == Align::kLeft ? 0.0f : align == Align::kCenter ? 0.5f : 1.0f;
  const float left = x - share * Width(text, size);
  const float scale = state_->Scale(size);
  const int baseline = static_cast<int>(std::lround(y));
  state_->Walk(text, size, [&](int glyph, float pen) {
    const float at = left + pen, whole = std::floor(at);
    int width = 0, height = 0, dx = 0, dy = 0;
    const std::unique_ptr<unsigned char, void (*)(unsigned char*)> bitmap(
        stbtt_GetGlyphBitmapSubpixel(&state_->info, scale, scale, at - whole, 0, glyph, &width, &height, &dx, &dy),
        [](unsigned char* p) { stbtt_FreeBitmap(p, nullptr); });
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const int px = static_cast<int>(whole) + dx + column, py = baseline + dy + row;
        if (px < 0 || py < 0 || px >= image.width || py >= image.height) continue;
        Blend(image.at(px, py), color, static_cast<float>(bitmap.get()[row * width + column]) / 255);
      }
    }
  });
}

std::string Font::Fit(std::string_view text, float size, float width) const {
  if (Width(text, size) <= width) return std::string(text);
  std::string kept(text);
  while (!kept.empty() && Width(kept + "…", size) > width) {
    // Removes a whole code point: its continuation bytes first.
    while (kept.size() > 1 && (static_cast<unsigned char>(kept.back()) & 0xC0) == 0x80) kept.pop_back();
    kept.pop_back();
  }
  return kept + "…";
}

}  // namespace sinew::render
