// A shard of contact samples of three nodes: one sample with contact, one without, one failure; for readers and
// writers.
#ifndef SINEW_TESTS_SUPPORT_SMALL_CONTACT_SHARD_H_
#define SINEW_TESTS_SUPPORT_SMALL_CONTACT_SHARD_H_

#include "sinew/offline/contact/sample_file.h"

namespace sinew::testing {

inline constexpr const char* kSmallShardInputs = "0123456789abcdef0123456789abcdef";

inline contact::ContactShard SmallContactShard() {
  contact::ContactShard shard;
  shard.state = {1, 0, 0, 1, 0.25, -0.5};
  shard.positions = {0, 0, 0.5f, 0, 0, 0.5f};
  shard.size = 0.125;
  shard.samples.push_back({.turn = {.angle = 0.5}, .position = {0.25, 0.75}, .depth = 0.0625});
  shard.samples.back().r = {0x3c00, 0xb800, 0, 0x0001, 0x8000, 0x2e66};
  shard.samples.push_back({.turn = {.angle = -1}, .position = {0.25, 1}, .depth = -0.5});
  shard.failures = {{.chain = 3, .depth = 0.03125}};
  return shard;
}

// The same in space, of two nodes.
inline contact::ContactShard SmallSolidShard() {
  contact::ContactShard shard;
  shard.dimension = 3;
  shard.state = {0.5, 0.25, -0.5};
  shard.positions = {0, 0, 0.25f, 0.5f, 0, -1};
  shard.size = 0.125;
  shard.samples.push_back(
      {.turn = {.quaternion = {0.5, -0.5, 0.5, 0.5}}, .position = {0.25, 0.75, -1}, .depth = 0.0625});
  shard.samples.back().r = {0x3c00, 0xb800, 0, 0x0001, 0x8000, 0x2e66};
  shard.samples.push_back({.turn = {}, .position = {0.25, 1, 0}, .depth = -0.5});
  shard.failures = {{.chain = 3, .depth = 0.03125}};
  return shard;
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SMALL_CONTACT_SHARD_H_
