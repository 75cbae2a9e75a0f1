#include "sinew/offline/graphnet/frame_store.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/corpus/packed_character.h"

namespace sinew::graphnet {
namespace {

constexpr size_t kHashDigits = 16;

class DatasetStore : public FrameStore {
 public:
  explicit DatasetStore(std::shared_ptr<const dataset::Dataset> dataset) : dataset_(std::move(dataset)) {}

  std::string file() const override { return dataset_->path().string(); }
  double metres_per_unit() const override { return dataset_->manifest().metres_per_unit; }
  int character_count() const override { return static_cast<int>(dataset_->manifest().characters.size()); }
  std::string CharacterFile(int character) const override { return dataset_->CharacterFile(character).string(); }
  Character ReadCharacter(int character) const override { return dataset_->ReadCharacter(character); }
  int CharacterOf(int frame) const override { return dataset_->frame(frame).character; }
  const Pose& PoseOf(int frame) const override { return dataset_->pose(frame); }
  Points Shape(int frame) const override { return dataset_->Shape(frame); }
  std::string HashOf(int frame) const override { return SeenHash(dataset_->frame(frame)); }
  dataset::FramePlace PlaceOf(int frame) const override {
    const dataset::DatasetFrame& entry = dataset_->frame(frame);
    return {entry.motion, entry.motion_frame, dataset_->manifest().motions[entry.motion].timed};
  }

 private:
  std::shared_ptr<const dataset::Dataset> dataset_;
};

class PackedStore : public FrameStore {
 public:
  PackedStore(corpus::PackedBody body, std::string file) : body_(std::move(body)), file_(std::move(file)) {}

  std::string file() const override { return file_; }
  double metres_per_unit() const override { return body_.metres_per_unit; }
  int character_count() const override { return 1; }
  std::string CharacterFile(int) const override { return file_; }
  Character ReadCharacter(int) const override { return corpus::CharacterOf(body_); }
  int CharacterOf(int) const override { return 0; }
  const Pose& PoseOf(int frame) const override { return body_.poses[frame]; }
  Points Shape(int frame) const override { return corpus::TrueShape(body_, frame); }
  std::string HashOf(int frame) const override { return fmt::format("{:016x}", body_.frames[frame].hash); }
  dataset::FramePlace PlaceOf(int) const override {
    throw InputError(file_, "", "is of a pack without frames to validate with, and a pack cannot be split",
                     "give --validation, or pack a corpus with bodies or clips for validation");
  }

 private:
  corpus::PackedBody body_;
  std::string file_;
};

}  // namespace

std::string SeenHash(const dataset::DatasetFrame& frame) { return frame.hash.substr(0, kHashDigits); }

std::shared_ptr<const FrameStore> StoreOf(std::shared_ptr<const dataset::Dataset> dataset) {
  return std::make_shared<const DatasetStore>(std::move(dataset));
}

std::shared_ptr<const FrameStore> StoreOf(corpus::PackedBody body, const std::string& file) {
  return std::make_shared<const PackedStore>(std::move(body), file);
}

}  // namespace sinew::graphnet
