// Bodies in poses with their true shapes, as a dataset or a packed corpus has them.
#ifndef SINEW_OFFLINE_GRAPHNET_FRAME_STORE_H_
#define SINEW_OFFLINE_GRAPHNET_FRAME_STORE_H_

#include <memory>
#include <string>

#include "sinew/offline/corpus/packed_body.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/dataset/split_frames.h"

namespace sinew::graphnet {

// Returns what a model remembers of a frame that it has seen: the first 16 digits of the hash of its pose and shape, as
// its dataset has it (DatasetFrame::hash).
std::string SeenHash(const dataset::DatasetFrame& frame);

// All may be called from several threads at once. frame, character: from 0 on.
class FrameStore {
 public:
  virtual ~FrameStore() = default;

  virtual std::string file() const = 0;  // for messages
  virtual double metres_per_unit() const = 0;
  virtual int character_count() const = 0;
  virtual std::string CharacterFile(int character) const = 0;  // for messages
  virtual Character ReadCharacter(int character) const = 0;
  virtual int CharacterOf(int frame) const = 0;
  virtual const Pose& PoseOf(int frame) const = 0;
  virtual Points Shape(int frame) const = 0;        // true shape, per vertex of the character
  virtual std::string HashOf(int frame) const = 0;  // SeenHash()
  // Place of a frame in its motion, for splits. Throws InputError if that is not known.
  virtual dataset::FramePlace PlaceOf(int frame) const = 0;
};

std::shared_ptr<const FrameStore> StoreOf(std::shared_ptr<const dataset::Dataset> dataset);
// file: the body's, for messages.
std::shared_ptr<const FrameStore> StoreOf(corpus::PackedBody body, const std::string& file);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_FRAME_STORE_H_
