// Encodes PNG files, still and animated (APNG, which every browser plays), with zlib. Same pixels give same bytes.
#ifndef SINEW_OFFLINE_RENDER_PNG_H_
#define SINEW_OFFLINE_RENDER_PNG_H_

#include <filesystem>
#include <memory>

#include "sinew/offline/core/file.h"
#include "sinew/offline/render/image.h"

namespace sinew::render {

// Encodes as 8-bit RGB, or RGBA if any pixel is not opaque; marked as sRGB.
Bytes EncodePng(const Image& image);
void WritePng(const std::filesystem::path& path, const Image& image);

// Builds an animated PNG frame by frame, so that a long animation need not be held in memory as pixels. A frame stores
// only the rectangle that differs from the frame before. Frames are opaque.
class ApngWriter {
 public:
  // frames_per_second > 0; the animation repeats for ever.
  explicit ApngWriter(double frames_per_second);
  ~ApngWriter();
  ApngWriter(const ApngWriter&) = delete;
  ApngWriter& operator=(const ApngWriter&) = delete;

  // Adds a frame, which must have the size of the first one.
  void Add(const Image& frame);
  // Returns the whole file; at least one frame must have been added. Programs without APNG show the first frame.
  Bytes Finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_PNG_H_
