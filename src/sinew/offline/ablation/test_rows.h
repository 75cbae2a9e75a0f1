// Test of trained rows and of skinning.
#ifndef SINEW_OFFLINE_ABLATION_TEST_ROWS_H_
#define SINEW_OFFLINE_ABLATION_TEST_ROWS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/ablation/results.h"

namespace sinew::ablation {

struct TestOptions {
  std::vector<std::string> skinning;  // of SkinningNames()
  bool moved = false;                 // whether networks are tested with moved roots, too (moved_root.h)
  std::filesystem::path fields = {};  // folder of fields, for skincells
  int field_steps = 1500;             // of a fit
  uint64_t seed = 1;
};

// Names that `sinew evaluate --methods` has for ways of skinning beside linear blend with the files' weights.
const std::vector<std::string>& SkinningNames();

// Name of a row's method with moved roots.
std::string MovedName(const std::string& row);

// Returns the bodies with at most so many of their frames, evenly spread; 0: all. Throws InputError as
// survey::CountedFrames() does.
std::vector<survey::Body> ThinFrames(std::vector<survey::Body> bodies, int frames);

// Returns the hash of all frames of bodies from ThinFrames(), with the names and families of these.
std::string HashOf(const std::vector<survey::Body>& bodies);

// Measure on these bodies: linear blend and the other ways of skinning; a network, and with moved roots if that is
// asked for. Throw InputError as survey::MeasureBodies() does, among others for frames that the network has seen.
std::vector<MethodResult> TestSkinning(const std::vector<survey::Body>& bodies, const TestOptions& options);
std::vector<MethodResult> TestNetwork(const std::vector<survey::Body>& bodies, const std::string& name,
                                      const std::filesystem::path& model, const TestOptions& options);

}  // namespace sinew::ablation

#endif  // SINEW_OFFLINE_ABLATION_TEST_ROWS_H_
