// Contact samples of one state: displacements of all nodes in a collider's space, and their file. The format is
// docs/formats/contact-samples.md.
#ifndef SINEW_OFFLINE_CONTACT_SAMPLE_FILE_H_
#define SINEW_OFFLINE_CONTACT_SAMPLE_FILE_H_

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/contact/turn.h"
#include "sinew/offline/core/file.h"

namespace sinew::contact {

struct ContactSample {
  Turn turn = {};                              // of the collider
  std::array<double, 3> position = {0, 0, 0};  // of the collider, in metre; the third is used in space
  double depth = 0;  // below the first touch, in metre; negative: above it, and nothing touches
  // Displacement r of each node in the collider's space (equation 2), as many half floats per node as coordinates, as
  // shares of the collider's size; empty: all are 0.
  std::vector<uint16_t> r = {};

  bool operator==(const ContactSample&) const = default;
};

// Sample that could not be simulated.
struct ContactFailure {
  int chain = 0;     // index in the plan
  double depth = 0;  // in metre
  bool operator==(const ContactFailure&) const = default;
};

struct ContactShard {
  int dimension = 2;             // coordinates per node, 2 or 3
  std::vector<double> state;     // numbers of the handles
  std::vector<float> positions;  // x~, all coordinates of a node after each other, in metre
  double size = 1;               // of the collider, in metre
  std::vector<ContactSample> samples;
  std::vector<ContactFailure> failures;

  int node_count() const { return static_cast<int>(positions.size()) / dimension; }
  bool operator==(const ContactShard&) const = default;
};

// inputs: hash of what the samples were made from.
Bytes EncodeShard(const ContactShard& shard, const std::string& inputs);
// Throws InputError, naming `file`, for anything but one whole shard whose numbers are finite, and for one of other
// inputs.
ContactShard DecodeShard(std::span<const std::byte> bytes, const std::string& inputs, const std::string& file);

// Writes the file whole or not at all.
void WriteShard(const ContactShard& shard, const std::string& inputs, const std::filesystem::path& path);
ContactShard ReadShard(const std::filesystem::path& path, const std::string& inputs);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_SAMPLE_FILE_H_
