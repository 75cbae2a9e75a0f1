#include "sinew/offline/anatomy/body_regions.h"

#include <optional>

#include "sinew/offline/anatomy/rest_body.h"

namespace sinew {
namespace {

// Region that a joint's kind tells by itself.
std::optional<BodyRegion> RegionOf(JointKind kind) {
  switch (kind) {
    case JointKind::kNeck:
    case JointKind::kHead:
    case JointKind::kJaw:
    case JointKind::kEye:
    case JointKind::kEar:
      return BodyRegion::kHead;
    case JointKind::kRoot:
    case JointKind::kPelvis:
    case JointKind::kSpine:
    case JointKind::kCollar:
      return BodyRegion::kTorso;
    case JointKind::kShoulder:
    case JointKind::kElbow:
      return BodyRegion::kArms;
    case JointKind::kWrist:
    case JointKind::kHand:
    case JointKind::kThumb:
    case JointKind::kIndex:
    case JointKind::kMiddle:
    case JointKind::kRing:
    case JointKind::kPinky:
      return BodyRegion::kHands;
    case JointKind::kHip:
    case JointKind::kKnee:
      return BodyRegion::kLegs;
    case JointKind::kAnkle:
    case JointKind::kFoot:
      return BodyRegion::kFeet;
    case JointKind::kTail:
      return BodyRegion::kOther;
    case JointKind::kUnknown:
    case JointKind::kTwist:
    case JointKind::kTip:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

const char* NameOf(BodyRegion region) {
  constexpr const char* kNames[kBodyRegions] = {"head", "torso", "arms", "hands", "legs", "feet", "other"};
  return kNames[static_cast<int>(region)];
}

std::vector<BodyRegion> RegionsOfJoints(const Skeleton& skeleton) {
  const RestBody body = MeasureRest(skeleton);
  std::vector<BodyRegion> regions(body.joint_count(), BodyRegion::kOther);
  for (const int j : body.order) {
    const int parent = body.parents[j];
    const BodyRegion inherited = parent < 0 ? BodyRegion::kOther : regions[parent];
    regions[j] = RegionOf(body.identities[j].kind).value_or(inherited);
  }
  return regions;
}

}  // namespace sinew
