// PNG files, still and animated (APNG, which every browser plays). Written by us over zlib: same pixels, same bytes.
#ifndef SINEW_OFFLINE_RENDER_PNG_H_
#define SINEW_OFFLINE_RENDER_PNG_H_

#include <filesystem>
#include <memory>

#include "sinew/offline/core/file.h"
#include "sinew/offline/render/image.h"

namespace sinew::render {

// 8-bit RGB, or RGBA if any pixel is not opaque; marked as sRGB.
Bytes EncodePng(const Image& image);
void WritePng(const std::filesystem::path& path, const Image& image);

// Builds an animated PNG frame by frame, so that a long animation need not be held in memory as pixels. A frame stores
// only the rectangle that differs from the frame before it. Frames are opaque.
class ApngWriter {
 public:
  // frames_per_second > 0; the animation repeats for ever.
  explicit ApngWriter(double frames_per_second);
  ~ApngWriter();
  ApngWriter(const ApngWriter&) = delete;
  ApngWriter& operator=(const ApngWriter&) = delete;

  // Every frame has the size of the first.
  void Add(const Image& frame);
  // The whole file; at least one frame must have been added. The first frame is what programs without APNG show.
  Bytes Finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_PNG_H_
