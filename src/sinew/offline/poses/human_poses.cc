#include "sinew/offline/poses/human_poses.h"

#include <algorithm>

#include "sinew/offline/anatomy/human_motion.h"
#include "sinew/offline/anatomy/turn.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/retarget/bend_hinges.h"
#include "sinew/offline/retarget/retarget.h"

namespace sinew::poses {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// Share of the limits over which joints without statistics are sampled.
constexpr double kOthers = 0.5;

Quaterniond Part(const Quaterniond& turn, double share) { return Quaterniond::Identity().slerp(share, turn); }

// The recorded skeleton with the joints that share turns. All of its frames are aligned at rest, so that turns of
// neighbours can be multiplied.
class Recorded {
 public:
  Recorded() : motion_(MeasuredHumanMotion()), articulation_(motion_.skeleton) {
    const std::vector<JointIdentity>& identities = articulation_.body().identities;
    spine_ = FindChain(identities, JointKind::kSpine);
    for (const Side side : {Side::kLeft, Side::kRight}) {
      const auto find = [&](JointKind kind) { return FindJoint(identities, kind, side); };
      arms_.push_back(
          {find(JointKind::kCollar), find(JointKind::kShoulder), find(JointKind::kElbow), find(JointKind::kWrist)});
    }
  }

  const Skeleton& skeleton() const { return motion_.skeleton; }
  // Whether the joint's angles are drawn, all or some of them.
  bool Moves(int joint) const {
    const bool collar = std::any_of(arms_.begin(), arms_.end(), [&](const Arm& arm) { return arm.collar == joint; });
    return collar || std::any_of(motion_.angles.begin(), motion_.angles.end(),
                                 [&](const HumanMotion::Angle& angle) { return angle.joint == joint; });
  }

  Pose Draw(double spread, Random& random) const {
    const std::vector<SwingTwist> angles = DrawHumanPose(motion_, spread, random);
    std::vector<Quaterniond> deltas(angles.size(), Quaterniond::Identity());
    for (size_t j = 0; j < angles.size(); ++j) {
      if (!motion_.ranges[j].free) deltas[j] = FromSwingTwist(motion_.ranges[j], angles[j]);
    }
    ShareSpine(random.Uniform(), deltas);
    const double collar = random.Uniform() / 3, elbow = random.Uniform();
    for (const Arm& arm : arms_) {
      ShareElevation(arm, collar, deltas);
      ShareTwist(arm, elbow, deltas);
    }
    return articulation_.ToPose(deltas);
  }

 private:
  struct Arm {
    int collar, shoulder, elbow, wrist;
  };

  // Blends from the recorded shares of the trunk's turn (0) to even ones (1).
  void ShareSpine(double evenly, std::vector<Quaterniond>& deltas) const {
    Quaterniond all = Quaterniond::Identity();
    for (const int j : spine_) all = all * deltas[j];
    Quaterniond left = all;
    for (size_t i = 0; i + 1 < spine_.size(); ++i) {
      Quaterniond& delta = deltas[spine_[i]];
      delta = delta.slerp(evenly, Part(all, 1.0 / static_cast<double>(spine_.size())));
      left = delta.conjugate() * left;
    }
    if (!spine_.empty()) deltas[spine_.back()] = left;
  }

  // Gives the collar a share of the turn that lifts or lowers the upper arm.
  void ShareElevation(const Arm& arm, double share, std::vector<Quaterniond>& deltas) const {
    const Quaterniond all = deltas[arm.collar] * deltas[arm.shoulder];
    const Vector3d bone = articulation_.body().bones[arm.shoulder];
    deltas[arm.collar] = Part(TurnBetween(bone, all * bone), share);
    deltas[arm.shoulder] = deltas[arm.collar].conjugate() * all;
  }

  // Gives the elbow a share of the forearm's twist, which was recorded at the wrist.
  void ShareTwist(const Arm& arm, double share, std::vector<Quaterniond>& deltas) const {
    const SwingTwist at_wrist = ToSwingTwist(motion_.ranges[arm.wrist], deltas[arm.wrist]);
    const Vector3d along = motion_.ranges[arm.elbow].bone;
    const Quaterniond given(Eigen::AngleAxisd(share * at_wrist.twist, along));
    deltas[arm.elbow] = deltas[arm.elbow] * given;
    deltas[arm.wrist] = given.conjugate() * deltas[arm.wrist];
  }

  const HumanMotion& motion_;
  const Articulation articulation_;
  std::vector<int> spine_;
  std::vector<Arm> arms_;
};

const Recorded& TheRecorded() {
  static const Recorded recorded;
  return recorded;
}

// Draws poses of the recorded skeleton and carries them over, joint by joint where they were recorded.
std::vector<Pose> CarriedOver(int first, const Articulation& articulation, const retarget::RetargetMap& map,
                              const SampleOptions& options) {
  const Recorded& recorded = TheRecorded();
  Clip drawn;
  drawn.skeleton = recorded.skeleton();
  drawn.motion.joints = JointNames(drawn.skeleton);
  for (int i = 0; i < options.count; ++i) {
    Random random(options.seed, static_cast<uint64_t>(first) + static_cast<uint64_t>(i));
    drawn.motion.frames.push_back(recorded.Draw(options.human_spread, random));
  }
  return retarget::Retarget(drawn, articulation.skeleton(), map).motion.frames;
}

}  // namespace

bool IsHuman(const Articulation& articulation) {
  const RestBody& body = articulation.body();
  const Skeleton& recorded = TheRecorded().skeleton();
  const std::vector<JointIdentity> wanted = IdentifyJoints(recorded);
  const auto has = [&](const JointIdentity& identity) {
    return std::find(body.identities.begin(), body.identities.end(), identity) != body.identities.end();
  };
  const auto both = [&](JointKind kind) {
    return FindJoint(body.identities, kind, Side::kLeft) >= 0 && FindJoint(body.identities, kind, Side::kRight) >= 0;
  };
  return !body.quadruped && both(JointKind::kHip) && both(JointKind::kKnee) && both(JointKind::kShoulder) &&
         both(JointKind::kElbow) && 2 * std::count_if(wanted.begin(), wanted.end(), has) >= recorded.joint_count();
}

std::vector<Pose> SampleHumanPosesFrom(int first, const Articulation& articulation, const JointLimits& limits,
                                       const SampleOptions& options) {
  const Skeleton& skeleton = articulation.skeleton();
  const retarget::RetargetMap map = retarget::GuessMap(TheRecorded().skeleton(), skeleton);
  std::vector<Pose> poses = CarriedOver(first, articulation, map, options);
  const std::vector<Pose> others =
      SamplePosesFrom(first, articulation, limits, {.count = options.count, .seed = options.seed, .amount = kOthers});
  const std::vector<JointIdentity>& identities = articulation.body().identities;
  ParallelFor(options.count, 16, [&](int i) {
    const Pose hinged = retarget::BendHinges(articulation, limits, poses[i]);
    std::vector<Quaterniond> deltas = articulation.Deltas(hinged);
    const std::vector<Quaterniond> sampled = articulation.Deltas(others[i]);
    std::vector<bool> turned(deltas.size(), false);
    for (size_t j = 0; j < deltas.size(); ++j) {
      const int source = map.joints[j].source;
      const bool recorded = source >= 0 && TheRecorded().Moves(source);
      if (limits[j].free || limits[j].fixed()) continue;
      if (!recorded) deltas[j] = sampled[j];
      if (recorded && identities[j].kind == JointKind::kWrist) {
        SwingTwist angles = ToSwingTwist(limits[j], sampled[j]);
        angles.twist = ToSwingTwist(limits[j], deltas[j]).twist;
        deltas[j] = FromSwingTwist(limits[j], angles);
      }
      turned[j] = true;
    }
    poses[i] = articulation.Clamp(limits, articulation.WithDeltas(hinged, deltas, turned));
  });
  return poses;
}

std::vector<Pose> DrawPosesFrom(int first, const Articulation& articulation, const JointLimits& limits,
                                const SampleOptions& options) {
  return options.human_spread > 0 ? SampleHumanPosesFrom(first, articulation, limits, options)
                                  : SamplePosesFrom(first, articulation, limits, options);
}

}  // namespace sinew::poses
