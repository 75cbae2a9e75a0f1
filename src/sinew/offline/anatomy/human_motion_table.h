// Layout of the numbers in human_motion_table.cc. Internal to this folder and to tools/prior, which writes that file.
#ifndef SINEW_OFFLINE_ANATOMY_HUMAN_MOTION_TABLE_H_
#define SINEW_OFFLINE_ANATOMY_HUMAN_MOTION_TABLE_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/offline/anatomy/joint_names.h"

namespace sinew {

// Joint of the skeleton that motions were measured on.
struct MeasuredJoint {
  const char* name;
  int parent;
  int position[3];  // at rest, model space, millimetres
  float bone[3];    // as in JointLimit
  float bend_toward[3];
  float neutral[4];  // x, y, z, w
  int range[6];      // of bend, side and twist, from and to, degrees
};

// Entry of MeasuredReach(), in degrees.
struct MeasuredReachRow {
  JointKind kind;
  int order;
  int toward, away, out, in, twist_positive, twist_negative;
};

struct MeasuredAngle {
  int joint, component;
};

std::span<const MeasuredJoint> MeasuredJoints();
std::span<const MeasuredReachRow> MeasuredReaches();
std::span<const MeasuredAngle> MeasuredAngles();
// Components one after the other, in tenths of a degree: the mean of every angle, its own deviation, then every
// factor's entry for it. Weights are in parts per 10,000.
inline constexpr int kMeasuredFactors = 8;
std::span<const int16_t> MeasuredWeights();
std::span<const int16_t> MeasuredComponents();
// People of the collection whose motions were left out.
std::span<const std::string_view> PeopleLeftOut();

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_HUMAN_MOTION_TABLE_H_
