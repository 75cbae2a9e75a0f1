#include "sinew/offline/tables/names.h"

#include <cstddef>

#include "sinew/offline/core/error.h"

namespace sinew::tables {
namespace {

using runtime::PoseFeatures;
using runtime::Precision;

template <typename Choice>
struct Named {
  Choice choice;
  const char* name;
};

// In the order that help shows them.
constexpr Named<Precision> kPrecisions[] = {{Precision::kF32, "f32"}, {Precision::kF16, "f16"}, {Precision::kI8, "i8"}};
constexpr Named<PoseFeatures> kFeatures[] = {
    {PoseFeatures::kQuaternion, "quaternion"}, {PoseFeatures::kColumns, "columns"}, {PoseFeatures::kEuler, "euler"}};

template <typename Choice, size_t N>
const char* Name(const Named<Choice> (&all)[N], Choice choice) {
  for (const Named<Choice>& one : all) {
    if (one.choice == choice) return one.name;
  }
  return "unknown";
}

template <typename Choice, size_t N>
std::vector<std::string> Names(const Named<Choice> (&all)[N]) {
  std::vector<std::string> names;
  for (const Named<Choice>& one : all) names.emplace_back(one.name);
  return names;
}

template <typename Choice, size_t N>
Choice Find(const Named<Choice> (&all)[N], std::string_view name, const char* what) {
  std::string known;
  for (const Named<Choice>& one : all) {
    if (name == one.name) return one.choice;
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  throw UsageError("there is no " + std::string(what) + " \"" + std::string(name) + "\"; there are " + known);
}

}  // namespace

const char* NameOf(Precision precision) { return Name(kPrecisions, precision); }
Precision PrecisionNamed(std::string_view name) { return Find(kPrecisions, name, "precision"); }
std::vector<std::string> PrecisionNames() { return Names(kPrecisions); }

const char* NameOf(PoseFeatures features) { return Name(kFeatures, features); }
PoseFeatures PoseFeaturesNamed(std::string_view name) { return Find(kFeatures, name, "kind of features"); }
std::vector<std::string> PoseFeaturesNames() { return Names(kFeatures); }

}  // namespace sinew::tables
