#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/core/log.h"
#include "sinew/offline/io/bvh.h"

namespace sinew {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
constexpr double kDegree = std::numbers::pi / 180;

// Joint positions and rotations in model space.
struct Placed {
  std::vector<Vector3d> positions;
  std::vector<Quaterniond> rotations;
};

Placed Place(const Skeleton& skeleton, const Pose& pose) {
  Placed placed;
  const auto models = LocalToModel(skeleton, pose);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    placed.positions.emplace_back(models[j].translation().cast<double>());
    const Quaterniond local = ToEigen(pose[j].rotation).cast<double>().normalized();
    const int parent = skeleton.joints[j].parent;
    placed.rotations.push_back(parent < 0 ? local : placed.rotations[parent] * local);
  }
  return placed;
}

// One joint of one frame as BVH has it: in local frames that stand unrotated at rest.
struct Turned {
  Vector3d translation;
  Quaterniond rotation;
};

std::vector<Turned> Turn(const Skeleton& skeleton, const Placed& rest, const Placed& posed) {
  std::vector<Turned> out;
  const auto turned = [&](int j) -> Quaterniond { return posed.rotations[j] * rest.rotations[j].conjugate(); };
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.joints[j].parent;
    if (parent < 0) {
      out.push_back({posed.positions[j], turned(j)});
      continue;
    }
    const Quaterniond back = turned(parent).conjugate();
    out.push_back({back * (posed.positions[j] - posed.positions[parent]), back * turned(j)});
  }
  return out;
}

// Angles about Z, Y and X, in degrees, such that R = Rz Ry Rx.
Vector3d EulerZyx(const Quaterniond& q) {
  const Eigen::Matrix3d r = q.normalized().toRotationMatrix();
  const double y = std::asin(std::clamp(-r(2, 0), -1.0, 1.0));
  // Where the angle about Y is a right angle, Z and X turn about the same axis, and X takes the whole rotation.
  if (std::abs(r(2, 0)) > 1 - 1e-12) return Vector3d(0, y, std::atan2(-r(1, 2), r(1, 1))) / kDegree;
  return Vector3d(std::atan2(r(1, 0), r(0, 0)), y, std::atan2(r(2, 1), r(2, 2))) / kDegree;
}

// A name may hold anything in glTF, but in BVH it ends with the line or with a brace.
std::string Printable(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r' || c == '{' || c == '}' || c == '\0'; },
      '_');
  return name;
}

class Writer {
 public:
  explicit Writer(const Clip& clip) : clip_(clip), skeleton_(clip.skeleton) {
    rest_ = Place(skeleton_, skeleton_.RestPose());
    for (const Pose& pose : clip.motion.frames) frames_.push_back(Turn(skeleton_, rest_, Place(skeleton_, pose)));
    rest_turned_ = Turn(skeleton_, rest_, rest_);
    children_.resize(skeleton_.joints.size());
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (skeleton_.joints[j].parent >= 0) children_[skeleton_.joints[j].parent].push_back(j);
      moves_.push_back(skeleton_.joints[j].parent < 0 || Moves(j));
    }
  }

  std::string Write() {
    WarnOfScale();
    out_ = "HIERARCHY\n";
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (skeleton_.joints[j].parent < 0) WriteTree(j);
    }
    const float rate = clip_.motion.frames_per_second;
    out_ += fmt::format("MOTION\nFrames: {}\nFrame Time: {:.9g}\n", frames_.size(), rate > 0 ? 1.0 / rate : 0.0);
    for (const auto& frame : frames_) WriteFrame(frame);
    return std::move(out_);
  }

 private:
  bool Moves(int j) const {
    double size = 1e-9;
    for (const Turned& t : rest_turned_) size = std::max(size, t.translation.norm());
    return std::any_of(frames_.begin(), frames_.end(), [&](const auto& frame) {
      return (frame[j].translation - rest_turned_[j].translation).norm() > 1e-5 * size;
    });
  }

  void WarnOfScale() const {
    for (const Pose& pose : clip_.motion.frames) {
      for (size_t j = 0; j < pose.size(); ++j) {
        const Vector3d difference = (ToEigen(pose[j].scale) - ToEigen(skeleton_.joints[j].rest.scale)).cast<double>();
        if (difference.norm() < 1e-5) continue;
        Warn("BVH has no scale: that of joint \"{}\" and perhaps others is lost", skeleton_.joints[j].name);
        return;
      }
    }
  }

  bool IsEndSite(int j) const {
    const Joint& joint = skeleton_.joints[j];
    return joint.helper && joint.parent >= 0 && children_[j].empty() && !moves_[j] &&
           joint.name == skeleton_.joints[joint.parent].name + "_end";
  }

  std::string Offset(int j) const {
    const Vector3d& t = rest_turned_[j].translation;
    return fmt::format("OFFSET {:.8g} {:.8g} {:.8g}\n", t.x(), t.y(), t.z());
  }

  static std::string EndSite(const std::string& indent, const std::string& offset) {
    return fmt::format("{0}End Site\n{0}{{\n{0}\t{1}{0}}}\n", indent, offset);
  }

  // Visits children before siblings, with a stack of its own, as the reader does.
  void WriteTree(int root) {
    struct Visit {
      int joint;
      size_t next_child;
    };
    std::vector<Visit> stack = {{root, 0}};
    OpenJoint(root, 0);
    while (!stack.empty()) {
      Visit& top = stack.back();
      const std::string indent(stack.size(), '\t');
      if (top.next_child == children_[top.joint].size()) {
        if (children_[top.joint].empty()) {
          out_ += EndSite(indent, "OFFSET 0 0 0\n");
        }
        out_ += indent.substr(1) + "}\n";
        stack.pop_back();
        continue;
      }
      const int child = children_[top.joint][top.next_child++];
      if (IsEndSite(child)) {
        out_ += EndSite(indent, Offset(child));
      } else {
        OpenJoint(child, stack.size());
        stack.push_back({child, 0});
      }
    }
  }

  void OpenJoint(int j, size_t depth) {
    const std::string indent(depth, '\t');
    const char* channels =
        moves_[j] ? "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation" : "3 Zrotation Yrotation Xrotation";
    out_ += fmt::format("{0}{1} {2}\n{0}{{\n{0}\t{3}{0}\tCHANNELS {4}\n", indent, depth == 0 ? "ROOT" : "JOINT",
                        Printable(skeleton_.joints[j].name), Offset(j), channels);
    order_.push_back(j);
  }

  // Small numbers of exponent -17 are only rounding; as text they are zero.
  void WriteFrame(const std::vector<Turned>& frame) {
    std::string line;
    for (const int j : order_) {
      const Vector3d& t = frame[j].translation;
      if (moves_[j]) line += fmt::format("{:.8g} {:.8g} {:.8g} ", t.x(), t.y(), t.z());
      const Vector3d e = EulerZyx(frame[j].rotation);
      line += fmt::format("{:.6f} {:.6f} {:.6f} ", e.x() + 0.0, e.y() + 0.0, e.z() + 0.0);
    }
    line.back() = '\n';
    out_ += line;
  }

  const Clip& clip_;
  const Skeleton& skeleton_;
  Placed rest_;
  std::vector<Turned> rest_turned_;
  std::vector<std::vector<Turned>> frames_;
  std::vector<std::vector<int>> children_;
  std::vector<bool> moves_;
  std::vector<int> order_;  // of the joints in the file
  std::string out_;
};

}  // namespace

std::string FormatBvh(const Clip& clip) { return Writer(clip).Write(); }

}  // namespace sinew
