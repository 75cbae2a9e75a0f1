// A character opened through the C interface, with an instance and room for all outputs.
#ifndef SINEW_TESTS_CAPI_OPENED_CHARACTER_H_
#define SINEW_TESTS_CAPI_OPENED_CHARACTER_H_

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "sinew.h"

namespace sinew::testing {

struct OpenedCharacter {
  explicit OpenedCharacter(const char* path) {
    const char* problem = nullptr;
    EXPECT_EQ(sinew_open_file(path, &character, &problem), SINEW_OK) << problem;
    EXPECT_EQ(sinew_create_instance(character, &instance), SINEW_OK);
    pose.resize(sinew_joint_count(character));
    sinew_rest_pose(character, pose.data());
    const int levels = sinew_level_count(character);
    outputs.resize(levels);
    for (int i = 1; i <= levels; ++i) {
      positions.emplace_back(3 * static_cast<size_t>(sinew_vertex_count(character, i)));
      normals.emplace_back(positions.back().size());
    }
    frame.pose = pose.data();
    frame.levels = outputs.data();
    frame.level_count = levels;
    AskForAll();
  }
  ~OpenedCharacter() {
    sinew_destroy_instance(instance);
    sinew_close(character);
  }
  OpenedCharacter(const OpenedCharacter&) = delete;
  OpenedCharacter& operator=(const OpenedCharacter&) = delete;

  void AskForAll() {
    for (size_t i = 0; i < outputs.size(); ++i) AskFor(static_cast<int>(i) + 1);
  }
  void AskFor(int level) {
    outputs[level - 1].positions = {positions[level - 1].data(), 0};
    outputs[level - 1].normals = {normals[level - 1].data(), 0};
  }
  void AskForNothing() {
    for (sinew_output& output : outputs) output = {};
  }
  // Makes outputs that are not written tell.
  void Clear() {
    for (auto* streams : {&positions, &normals}) {
      for (std::vector<float>& values : *streams) {
        values.assign(values.size(), std::numeric_limits<float>::quiet_NaN());
      }
    }
  }
  sinew_result Evaluate() {
    sinew_result result = {};
    EXPECT_EQ(sinew_evaluate(instance, &frame, &result), SINEW_OK);
    return result;
  }
  int finest() const { return static_cast<int>(outputs.size()); }

  sinew_character* character = nullptr;
  sinew_instance* instance = nullptr;
  std::vector<sinew_transform> pose;
  std::vector<sinew_output> outputs;
  std::vector<std::vector<float>> positions, normals;  // per level
  sinew_frame frame = {};
};

}  // namespace sinew::testing

#endif  // SINEW_TESTS_CAPI_OPENED_CHARACTER_H_
