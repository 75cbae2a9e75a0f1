#include "sinew/offline/learn/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/runtime/base/half.h"

namespace sinew::learn {
namespace {

constexpr std::string_view kMagic = "SINEWMDL";
constexpr uint32_t kVersion = 1;
constexpr size_t kHashDigits = 32;
// Upper limits: a file with more was not written by us.
constexpr uint32_t kMaxTensors = 100'000, kLongestName = 256, kMaxRank = 4, kMaxSize = 1u << 30;
constexpr uint32_t kLongestJson = 1u << 24;
constexpr const char* kRemedy = "write the model again with 'sinew learn train', or get it again";

bool IsHash(const std::string& text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.empty() || (text.size() == kHashDigits && std::all_of(text.begin(), text.end(), is_digit));
}

bool IsLine(const std::string& text) { return !text.empty() && text.find_first_of("\r\n") == std::string::npos; }

// Returns what is wrong with all but the tensors, or an empty text.
std::string HeadProblem(const Model& model) {
  if (!(*model.architecture).is_object()) return "the architecture is not an object";
  if (!(*model.settings).is_object()) return "the settings are not an object";
  if (!(*model.figures).is_object()) return "the figures are not an object";
  if (!IsHash(model.corpus_hash)) return "the hash of the corpus is not 32 hexadecimal digits";
  if (!IsHash(model.recipe_hash)) return "the hash of the recipe is not 32 hexadecimal digits";
  if (!IsLine(model.licence)) return "the licence is not one line of text";
  return "";
}

float RoundedTo(TensorPrecision precision, float value) {
  return precision == TensorPrecision::kHalf ? runtime::HalfToFloat(runtime::FloatToHalf(value)) : value;
}

void CheckTensor(const Tensor& tensor) {
  const auto fail = [&](const std::string& problem) {
    throw UsageError(fmt::format("tensor '{}' {}", tensor.name, problem));
  };
  if (tensor.name.empty() || tensor.name.size() > kLongestName) fail("has no name of 1 to 256 bytes");
  if (tensor.shape.empty() || tensor.shape.size() > kMaxRank) fail("does not have 1 to 4 sizes");
  for (const int size : tensor.shape) {
    if (size < 1) fail(fmt::format("has a size of {}", size));
  }
  if (EntryCount(tensor.shape) != tensor.values.size()) fail("has another number of entries than its shape says");
  for (const float value : tensor.values) {
    if (std::isfinite(RoundedTo(tensor.precision, value))) continue;
    fail(std::isfinite(value) ? fmt::format("holds {:g}, which no half float can hold", value)
                              : "holds a number that is not finite");
  }
}

void CheckModel(const Model& model) {
  const std::string problem = HeadProblem(model);
  if (!problem.empty()) throw UsageError(fmt::format("a model cannot be written: {}", problem));
  std::set<std::string> names;
  for (const Tensor& tensor : model.tensors) {
    CheckTensor(tensor);
    if (!names.insert(tensor.name).second) throw UsageError(fmt::format("two tensors are called '{}'", tensor.name));
  }
}

std::string HeadText(const Model& model) {
  return JsonText({{"architecture", *model.architecture},
                   {"settings", *model.settings},
                   {"corpus", model.corpus_hash},
                   {"recipe", model.recipe_hash},
                   {"licence", model.licence},
                   {"figures", *model.figures}});
}

void TakeHead(BinaryReader& in, const std::string& file, Model& model) {
  const Json json = ParseJson(in.TakeText(kLongestJson, "description"), file);
  const JsonFields fields(json, file, "description", kRemedy);
  model.architecture = fields.At("architecture");
  model.settings = fields.At("settings");
  model.figures = fields.At("figures");
  model.corpus_hash = fields.String("corpus");
  model.recipe_hash = fields.String("recipe");
  model.licence = fields.String("licence");
  const std::string problem = HeadProblem(model);
  if (!problem.empty()) in.Fail("description", "is not one: " + problem);
}

void PutTensor(const Tensor& tensor, BinaryWriter& out) {
  out.PutText(tensor.name);
  out.Put(static_cast<uint32_t>(tensor.precision == TensorPrecision::kHalf));
  out.PutCount(tensor.shape.size());
  for (const int size : tensor.shape) out.PutCount(size);
  if (tensor.precision == TensorPrecision::kFloat) {
    out.Put(tensor.values.data(), tensor.values.size());
    return;
  }
  std::vector<uint16_t> halves;
  for (const float value : tensor.values) halves.push_back(runtime::FloatToHalf(value));
  out.Put(halves.data(), halves.size());
}

std::vector<float> TakeHalves(BinaryReader& in, size_t count, const std::string& place) {
  std::vector<float> values;
  for (const uint16_t half : in.Take<uint16_t>(count, place)) {
    values.push_back(runtime::HalfToFloat(half));
    if (!std::isfinite(values.back())) {
      in.Fail(fmt::format("{}, entry {}", place, values.size() - 1), "is not a finite number");
    }
  }
  return values;
}

Tensor TakeTensor(BinaryReader& in, uint32_t index) {
  const std::string place = fmt::format("tensor {}", index);
  Tensor tensor;
  tensor.name = in.TakeText(kLongestName, place + ", length of its name");
  if (tensor.name.empty()) in.Fail(place, "has no name");
  tensor.precision = in.TakeCount(0, 1, place + ", precision") == 1 ? TensorPrecision::kHalf : TensorPrecision::kFloat;
  const uint32_t rank = in.TakeCount(1, kMaxRank, place + ", number of sizes");
  // Sizes of at most 2^30 whose product stays below 2^40 cannot overflow, and no file has room for more.
  constexpr uint64_t kMaxEntries = 1ull << 40;
  uint64_t count = 1;
  for (uint32_t k = 0; k < rank; ++k) {
    const uint32_t size = in.TakeCount(1, kMaxSize, place + ", size");
    tensor.shape.push_back(static_cast<int>(size));
    count = std::min(kMaxEntries, count) * size;
  }
  if (count > kMaxEntries) in.Fail(place, "has more entries than a file can have");
  tensor.values =
      tensor.precision == TensorPrecision::kHalf ? TakeHalves(in, count, place) : in.TakeFloats(count, place);
  return tensor;
}

}  // namespace

size_t EntryCount(const std::vector<int>& shape) {
  size_t count = 1;
  for (const int size : shape) count *= static_cast<size_t>(size);
  return count;
}

const Tensor* Model::Find(const std::string& name) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

size_t Model::entry_count() const {
  size_t count = 0;
  for (const Tensor& tensor : tensors) count += tensor.values.size();
  return count;
}

Model RoundToFile(const Model& model) {
  Model rounded = model;
  for (Tensor& tensor : rounded.tensors) {
    for (float& value : tensor.values) value = RoundedTo(tensor.precision, value);
  }
  return rounded;
}

void StoreMatricesAsHalves(Model& model) {
  for (Tensor& tensor : model.tensors) {
    const bool held = std::all_of(tensor.values.begin(), tensor.values.end(),
                                  [](float v) { return std::isfinite(RoundedTo(TensorPrecision::kHalf, v)); });
    if (tensor.shape.size() >= 2 && held) tensor.precision = TensorPrecision::kHalf;
  }
  model = RoundToFile(model);
}

Bytes EncodeModel(const Model& model) {
  CheckModel(model);
  BinaryWriter out;
  out.PutText(HeadText(model));
  out.PutCount(model.tensors.size());
  for (const Tensor& tensor : model.tensors) PutTensor(tensor, out);
  return out.File(kMagic, kVersion);
}

Model DecodeModel(std::span<const std::byte> bytes, const std::string& file) {
  BinaryReader in(bytes, file, kMagic, kVersion, "a model", kRemedy);
  Model model;
  TakeHead(in, file, model);
  const uint32_t count = in.TakeCount(0, kMaxTensors, "number of tensors");
  std::set<std::string> names;
  for (uint32_t i = 0; i < count; ++i) {
    model.tensors.push_back(TakeTensor(in, i));
    const std::string& name = model.tensors.back().name;
    if (!names.insert(name).second) in.Fail(fmt::format("tensor {}", i), fmt::format("is another '{}'", name));
  }
  in.End();
  return model;
}

void WriteModel(const Model& model, const std::filesystem::path& path) { WriteFileAtomic(path, EncodeModel(model)); }

Model ReadModel(const std::filesystem::path& path) { return DecodeModel(ReadFile(path), path.string()); }

}  // namespace sinew::learn
