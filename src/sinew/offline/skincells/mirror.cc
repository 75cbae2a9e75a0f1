#include "sinew/offline/skincells/mirror.h"

#include <fmt/format.h>

#include <cmath>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/skincells/parameters.h"

namespace sinew::skincells {
namespace {

// Largest distance of a joint from its counterpart's mirror image, as a fraction of the body's longest side.
constexpr double kOff = 0.05;
// Least cosine of the angle between the line from right to left and an axis.
constexpr double kAlong = 0.98;

Side Other(Side side) {
  if (side == Side::kNone) return side;
  return side == Side::kLeft ? Side::kRight : Side::kLeft;
}

Eigen::Vector3d MeanPlace(const Subject& subject, const std::vector<JointIdentity>& names, Side side, int& count) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  count = 0;
  for (const int j : subject.joints) {
    if (names[j].side != side) continue;
    sum += subject.JointPosition(j);
    ++count;
  }
  return sum / std::max(1, count);
}

// Finds the joint of the other side that is nearest to this one's mirror image; -1 if none is near.
int Counterpart(const Subject& subject, const std::vector<JointIdentity>& names, const SymmetryPlane& plane,
                int joint) {
  Eigen::Vector3d place = subject.ToBox(subject.JointPosition(joint));
  place[plane.axis] = 2 * plane.center - place[plane.axis];
  int found = -1;
  double least = kOff;
  for (const int k : subject.joints) {
    if (names[k].side != Other(names[joint].side)) continue;
    const double distance = (subject.ToBox(subject.JointPosition(k)) - place).norm();
    // Among several joints at one place their names decide, and where these tell nothing their order.
    const bool alike = names[k].kind == names[joint].kind && names[k].order == names[joint].order;
    const double cost = distance + (alike ? 0 : 1e-3);
    if (cost >= least) continue;
    least = cost;
    found = k;
  }
  return found;
}

}  // namespace

SymmetryPlane FindSymmetry(const Subject& subject, const std::string& file) {
  const std::vector<JointIdentity> names = IdentifyJoints(subject.skeleton);
  int lefts = 0, rights = 0;
  const Eigen::Vector3d left = MeanPlace(subject, names, Side::kLeft, lefts);
  const Eigen::Vector3d right = MeanPlace(subject, names, Side::kRight, rights);
  if (lefts == 0 || rights == 0) {
    throw InputError(file, "skeleton", "has no joints that are named for a left and a right side",
                     "leave --mirror away, or rename the joints");
  }
  SymmetryPlane plane;
  const Eigen::Vector3d across = (left - right).cwiseAbs();
  across.maxCoeff(&plane.axis);
  if (across[plane.axis] < kAlong * across.norm()) {
    throw InputError(file, "skeleton", "is not symmetric about a plane along an axis", "leave --mirror away");
  }
  plane.center = 0.5 * (subject.ToBox(left) + subject.ToBox(right))[plane.axis];
  plane.partner.assign(subject.skeleton.joint_count(), -1);
  for (const int j : subject.joints) plane.partner[j] = Counterpart(subject, names, plane, j);
  for (const int j : subject.joints) {
    if (plane.partner[j] >= 0 && plane.partner[plane.partner[j]] == j) continue;
    throw InputError(file, fmt::format("joint '{}'", subject.skeleton.joints[j].name),
                     "has no counterpart on the other side of the body", "leave --mirror away");
  }
  return plane;
}

MirrorMap::MirrorMap(const SymmetryPlane& plane, const SkinField& field) {
  const int sites = static_cast<int>(field.cells[0].sites.size()), size = CellSize(sites);
  const int count = static_cast<int>(field.cells.size()) * size;
  partner_.resize(count);
  sign_ = Eigen::VectorXd::Ones(count);
  offset_ = Eigen::VectorXd::Zero(count);
  std::vector<int> cell_of(field.skeleton.joints.size(), -1);
  for (size_t c = 0; c < field.cells.size(); ++c) cell_of[field.cells[c].joint] = static_cast<int>(c);
  // Mirroring negates row and column of the axis in F: entries that are in exactly one of the two change their sign.
  Eigen::Vector3d side = Eigen::Vector3d::Ones();
  side[plane.axis] = -1;
  for (int c = 0; c < static_cast<int>(field.cells.size()); ++c) {
    const int other = cell_of[plane.partner[field.cells[c].joint]];
    for (int n = 0; n < 2; ++n) partner_[c * size + n] = other * size + n;
    for (int k = 0; k < sites; ++k) {
      // A cell in the middle has its sites in mirrored pairs; an odd one out lies in the plane.
      const int twin = other != c ? k : std::min(k ^ 1, sites - 1);
      const int at = c * size + 2 + k * kSiteSize, to = other * size + 2 + twin * kSiteSize;
      for (int n = 0; n < kSiteSize; ++n) partner_[at + n] = to + n;
      sign_[at + plane.axis] = -1;
      offset_[at + plane.axis] = 2 * plane.center;
      for (int row = 0, n = kSiteF; row < 3; ++row) {
        for (int column = 0; column <= row; ++column) sign_[at + n++] = side[row] * side[column];
      }
    }
  }
}

void MirrorMap::Symmetrize(Eigen::VectorXd& parameters) const {
  for (int i = 0; i < static_cast<int>(partner_.size()); ++i) {
    const int p = partner_[i];
    const double mirrored = sign_[i] * parameters[p] + offset_[i];
    if (p == i) parameters[i] = 0.5 * (parameters[i] + mirrored);
    if (p < i) parameters[i] = mirrored;
  }
}

void MirrorMap::Fold(Eigen::VectorXd& gradient) const {
  const Eigen::VectorXd own = gradient;
  for (int i = 0; i < static_cast<int>(partner_.size()); ++i) {
    gradient[i] = partner_[i] == i ? (sign_[i] > 0 ? own[i] : 0) : own[i] + sign_[i] * own[partner_[i]];
  }
}

}  // namespace sinew::skincells
