// Trained models (.model): what a network looks like, its tensors, what it was trained on and what it reaches. The
// format is docs/formats/model.md.
#ifndef SINEW_OFFLINE_LEARN_MODEL_FILE_H_
#define SINEW_OFFLINE_LEARN_MODEL_FILE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json_box.h"

namespace sinew::learn {

enum class TensorPrecision { kFloat, kHalf };  // in the file; in memory all numbers are floats

struct Tensor {
  std::string name;        // 1 to 256 bytes; no two tensors of a model have the same
  std::vector<int> shape;  // 1 to 4 sizes, each at least 1; the last one varies fastest
  std::vector<float> values;
  TensorPrecision precision = TensorPrecision::kFloat;

  bool operator==(const Tensor&) const = default;
};
// Number of entries of a tensor of this shape.
size_t EntryCount(const std::vector<int>& shape);

struct Model {
  JsonBox architecture;     // object; of a described network, what layers::DescribedNetwork takes
  JsonBox settings;         // object: how it was trained, and what its inputs and outputs mean
  std::string corpus_hash;  // core/hash.h, of the corpus that it was trained on; empty: of none
  std::string recipe_hash;  // core/hash.h, of the recipe of that corpus; empty: of none
  std::string licence;      // one line, not empty
  JsonBox figures;          // object: what it reached in its own tests
  std::vector<Tensor> tensors;

  // Returns the tensor of that name, or null.
  const Tensor* Find(const std::string& name) const;
  size_t entry_count() const;

  bool operator==(const Model&) const = default;
};

// Returns the model that writing and reading back would give: half floats are rounded.
Model RoundToFile(const Model& model);

// Makes half floats of all tensors with two sizes or more, as weights have, whose numbers half floats can hold. Rounds
// their values.
void StoreMatricesAsHalves(Model& model);

// Throws UsageError for a model that breaks a rule of the fields above, has a number that is not finite, or one that
// its precision cannot hold.
Bytes EncodeModel(const Model& model);
// Throws InputError, naming `file`, for anything but one whole model that keeps all rules of the fields above.
Model DecodeModel(std::span<const std::byte> bytes, const std::string& file);

// Writes the file whole or not at all.
void WriteModel(const Model& model, const std::filesystem::path& path);
Model ReadModel(const std::filesystem::path& path);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_MODEL_FILE_H_
