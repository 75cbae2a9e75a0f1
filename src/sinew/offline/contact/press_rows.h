// Rows that a character's contact field is trained on: vertices in windows of samples, as the runtime sees them.
#ifndef SINEW_OFFLINE_CONTACT_PRESS_ROWS_H_
#define SINEW_OFFLINE_CONTACT_PRESS_ROWS_H_

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sinew/offline/contact/press_file.h"
#include "sinew/offline/contact/press_subject.h"
#include "sinew/offline/contact/train_network.h"
#include "sinew/offline/tables/contact_builder.h"

namespace sinew::contact {

// Whether samples of shard i of so many are held back: one shard of every twenty, of fewer none. Other depths of a
// chain, and other rotations at its place, would be close neighbours of what is trained on.
bool IsHeldBack(size_t shard, size_t shards);

// Vertex in a sample's window.
struct PressRow {
  std::array<float, runtime::ContactTable::kPlaceNumbers> x{};
  float factor = 0;                             // window times D: what the network's output is multiplied with
  Eigen::Vector3f r = Eigen::Vector3f::Zero();  // displacement along n, e and n x e, in collider sizes
  const std::vector<std::pair<int, float>>* influences = nullptr;
};

// A sample with what the network sees of it.
struct PressContact {
  const PressShard* shard = nullptr;
  const PressSample* sample = nullptr;
  bool held = false;  // whether it is held back
  std::array<float, runtime::ContactTable::kTouchNumbers> touch{};
  std::vector<PressRow> rows;
  learn::RowMatrix numbers;  // kHandleNumbers per handle
};

class PressRows {
 public:
  // Samples without a touch are left out: the field is 0 there whatever the network says. Throws UsageError if none is
  // left.
  PressRows(const PressSubject& subject, std::span<const PressShard> shards);

  int width() const;                                            // number of inputs
  const std::vector<int>& handles() const { return handles_; }  // joints that move a row, increasing
  const std::vector<PressContact>& contacts() const { return contacts_; }
  const std::vector<float>& scales() const { return scales_; }  // units of the inputs
  float output_scale() const { return output_scale_; }          // unit of the outputs
  float depth() const { return depth_; }                        // largest D, in collider sizes

  // Writes the inputs of a row.
  void Fill(const PressContact& contact, const PressRow& row, float* to) const;

  // Draws rows of contacts that are held back, if there are any, or of those that are not. The loss is that of the
  // displacement: the error of the output, weighed by the square of what it is multiplied with.
  void Draw(Random& random, bool held, RowBatch& batch) const;

 private:
  void Add(const class PressRuntime& runtime, const PressShard& shard, const PressSample& sample, bool held);
  void ListSeen();
  void FindHandles();
  void FindNumbers();
  void FindScales();

  const PressSubject& subject_;
  std::vector<int> handles_, handle_of_;
  std::vector<int> seen_, held_;  // contacts that are trained on, and that are held back
  std::vector<PressContact> contacts_;
  std::vector<float> scales_;
  float output_scale_ = 1, depth_ = 0;
};

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PRESS_ROWS_H_
