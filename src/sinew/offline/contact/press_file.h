// Contacts of a collider with a character in one state and at one place, as they were simulated, and their file. The
// format is docs/formats/press-samples.md.
#ifndef SINEW_OFFLINE_CONTACT_PRESS_FILE_H_
#define SINEW_OFFLINE_CONTACT_PRESS_FILE_H_

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"

namespace sinew::contact {

struct PressSample {
  std::array<float, 9> R{};  // axes of the collider in model space, one after another
  std::array<float, 3> t{};  // its place in model space
  double depth = 0;          // below the first touch, in the character's unit; negative: above it, and nothing touches
  double total = 0;          // sum of |r|^2 over all vertices, those outside of the window included
  std::vector<uint32_t> vertices;  // those in the window, increasing
  std::vector<uint16_t> r;  // their displacements in the collider's space, in sizes of it: three half floats each

  bool operator==(const PressSample&) const = default;
};

struct PressShard {
  uint32_t state = 0;            // index of the state
  std::vector<float> positions;  // x~, three coordinates per vertex, in model space
  std::vector<PressSample> samples;
  std::vector<double> failed;  // depths that could not be simulated

  uint32_t vertex_count() const { return static_cast<uint32_t>(positions.size() / 3); }
  bool operator==(const PressShard&) const = default;
};

// inputs: hash of what the samples were made from.
Bytes EncodePresses(const PressShard& shard, const std::string& inputs);
// Throws InputError, naming `file`, for anything but one whole shard whose numbers are finite, and for one of other
// inputs.
PressShard DecodePresses(std::span<const std::byte> bytes, const std::string& inputs, const std::string& file);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PRESS_FILE_H_
