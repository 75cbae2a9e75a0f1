// A shard of a character's contacts with every kind of content, for readers and writers.
#ifndef SINEW_TESTS_SUPPORT_SMALL_PRESSES_H_
#define SINEW_TESTS_SUPPORT_SMALL_PRESSES_H_

#include "sinew/offline/contact/press_file.h"

namespace sinew::testing {

inline constexpr const char* kSmallPressesInputs = "0123456789abcdef0123456789abcdef";

inline contact::PressShard SmallPresses() {
  contact::PressShard shard;
  shard.state = 2;
  shard.positions = {0, 0, 0, 0.5f, 1, -0.25f, 1, 2, 3};
  contact::PressSample pressed;
  pressed.R = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  pressed.t = {0.5f, 0.25f, -1};
  pressed.depth = 0.01;
  pressed.total = 0.125;
  pressed.vertices = {0, 2};
  pressed.r = {0x3c00, 0x0001, 0xbc00, 0, 0x3800, 0x7bff};
  contact::PressSample above = pressed;
  above.depth = -0.02;
  above.vertices.clear();
  above.r.clear();
  shard.samples = {pressed, above};
  shard.failed = {0.03};
  return shard;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SMALL_PRESSES_H_
