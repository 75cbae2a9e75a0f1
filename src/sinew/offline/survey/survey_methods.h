// Methods that can be measured on any body: skinning in several ways, and shapes from elsewhere.
#ifndef SINEW_OFFLINE_SURVEY_SURVEY_METHODS_H_
#define SINEW_OFFLINE_SURVEY_SURVEY_METHODS_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include "sinew/offline/skincells/field.h"
#include "sinew/offline/survey/survey.h"

namespace sinew::survey {

// Name of linear blend skinning with the weights of a skincells field in place of the file's.
inline constexpr const char* kSkincells = "skincells";

// Name of linear blend skinning with weights by distances through the body in place of the file's.
inline constexpr const char* kVoxelWeights = "voxel weights";

BodyMethod DualQuaternionMethod();
BodyMethod DeltaMushMethod();

// Linear blend skinning with the weights that `sinew skin --method voxel` gives (skincells::VoxelWeights()), which are
// the base of "MultiResGNet" (T. Li et al.).
BodyMethod VoxelWeightsMethod();

struct FieldOptions {
  // Folder of weight fields, NAME.field each. A field that it lacks is fitted and written there, and a fit that was
  // stopped goes on. Empty: every field is fitted, and none is kept.
  std::filesystem::path folder = {};
  int steps = 1500;   // largest number of steps of a fit
  uint64_t seed = 1;  // of the poses that a field is fitted on
};
// Linear blend skinning with skincells weights, fitted to each body as `sinew skin` does.
BodyMethod SkincellsMethod(const FieldOptions& options);

// Linear blend skinning of every level with the weights of one field, which was fitted to the finest level. file: name
// of the field in errors. Throws InputError if the field is of another skeleton. The hierarchy must outlive the method.
evaluate::Method FieldMethod(const lod::Hierarchy& hierarchy, const skincells::SkinField& field,
                             const std::string& file);

// Shapes of another program (evaluate::RecordedMethod()). shapes: a file for a survey of one body, or a folder that has
// NAME.npy for every body.
BodyMethod RecordedShapes(const std::string& name, const std::filesystem::path& shapes);

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_SURVEY_METHODS_H_
