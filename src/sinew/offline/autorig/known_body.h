// Bodies whose rig is known and was taken away, so that a rig that is found can be compared with it.
#ifndef SINEW_OFFLINE_AUTORIG_KNOWN_BODY_H_
#define SINEW_OFFLINE_AUTORIG_KNOWN_BODY_H_

#include <array>
#include <optional>
#include <string>

#include "sinew/offline/autorig/example.h"

namespace sinew::autorig {

struct KnownBody {
  std::string name;
  std::string group;                               // row of the table that it counts for
  std::string family;                              // of a recipe; may be empty
  Character mesh;                                  // one part without a rig, in a space and unit of its own
  JointPositions joints = JointPositions::Zero();  // in that space
  std::array<bool, kJoints> known = {};            // whether a joint's place is known
  RowMatrix weights;                               // per vertex: share of every joint; empty: not known
  std::optional<Eigen::Matrix3d> turn;             // to canonical axes (BodyFrame::turn), if known
  double stature = 1;                              // height in its unit, in a T-pose
};

// Takes the rig from a body that stands upright and faces z. stature: height of the body in a T-pose.
KnownBody TakeRig(const WeightedBody& body, double stature, const std::string& name, const std::string& group);

// Takes the rig from any character, as it was bound. Joints are known whose names are recognised
// (anatomy/joint_names.h); joints of the spine only if there are three of them. Weights are not known. file: for
// messages.
KnownBody TakeRig(const Character& character, const std::string& group, const std::string& file);

// Turns and scales a body about the origin, as another program would have written it.
KnownBody Placed(KnownBody body, const Eigen::Matrix3d& turn, double scale);

// Returns the bare meshes of a character, with its name and those of its parts.
Character WithoutRig(const Character& character);

// Returns the height of a surface that stands upright.
double HeightOf(const TriMesh& surface);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_KNOWN_BODY_H_
