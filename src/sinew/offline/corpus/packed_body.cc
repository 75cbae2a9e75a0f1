#include "sinew/offline/corpus/packed_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/core/binary.h"

namespace sinew::corpus {
namespace {

constexpr std::string_view kMagic = "SNWPACKB";
constexpr uint32_t kVersion = 1;
constexpr int kTransformFloats = 10;
constexpr uint32_t kMaxText = 1000;
constexpr uint32_t kMaxCount = 1u << 24;
constexpr double kPositionSteps = 65535, kWeightSteps = 65535, kRotationSteps = 32767;

uint16_t Steps(double value, double most) { return static_cast<uint16_t>(std::lround(std::clamp(value, 0.0, most))); }

std::vector<uint16_t> RoundedPositions(const PackedBody& body) {
  std::vector<uint16_t> steps;
  for (int i = 0; i < body.rest.rows(); ++i) {
    for (int a = 0; a < 3; ++a) {
      steps.push_back(Steps((double{body.rest(i, a)} - body.grid_corner[a]) / body.grid_step, kPositionSteps));
    }
  }
  return steps;
}

// Sets the rest shape from steps of the grid.
void SetPositions(const std::vector<uint16_t>& steps, PackedBody& body) {
  body.rest.resize(static_cast<Eigen::Index>(steps.size() / 3), 3);
  for (size_t k = 0; k < steps.size(); ++k) {
    body.rest.data()[k] = body.grid_corner[static_cast<int>(k % 3)] + body.grid_step * static_cast<float>(steps[k]);
  }
}

// Steps of a point's weights, which sum to all steps: what rounding leaves goes to the strongest, which is the first.
std::vector<uint16_t> RoundedWeights(const SkinWeights& weights, int points) {
  std::vector<uint16_t> steps;
  for (int i = 0; i < points; ++i) {
    const float* row = &weights.weights[static_cast<size_t>(i) * kPackedInfluences];
    const double sum = std::accumulate(row, row + kPackedInfluences, 0.0);
    int left = static_cast<int>(kWeightSteps);
    for (int k = 1; k < kPackedInfluences; ++k) {
      steps.push_back(Steps(kWeightSteps * row[k] / sum, left));
      left -= steps.back();
    }
    steps.insert(steps.end() - (kPackedInfluences - 1), static_cast<uint16_t>(left));
  }
  return steps;
}

std::vector<float> WeightsOf(const std::vector<uint16_t>& steps) {
  std::vector<float> weights;
  for (const uint16_t step : steps) weights.push_back(static_cast<float>(step / kWeightSteps));
  return weights;
}

std::vector<int16_t> RoundedRotations(const std::vector<Pose>& poses) {
  std::vector<int16_t> steps;
  for (const Pose& pose : poses) {
    for (const Transform& joint : pose) {
      const runtime::Quaternion& q = joint.rotation;
      for (const float value : {q.x, q.y, q.z, q.w}) {
        steps.push_back(static_cast<int16_t>(std::lround(kRotationSteps * std::clamp(value, -1.0f, 1.0f))));
      }
    }
  }
  return steps;
}

// Returns the poses; empty if a rotation has no length. steps: four per joint and frame.
std::vector<Pose> PosesOf(const std::vector<int16_t>& steps, const Skeleton& skeleton, size_t frames) {
  std::vector<Pose> poses(frames, skeleton.RestPose());
  size_t at = 0;
  for (Pose& pose : poses) {
    for (Transform& joint : pose) {
      const Eigen::Quaternionf q(steps[at + 3], steps[at], steps[at + 1], steps[at + 2]);
      if (q.norm() < kRotationSteps / 2) return {};
      joint.rotation = ToQuaternion(q.normalized());
      at += 4;
    }
  }
  return poses;
}

void PutSkeleton(const PackedBody& body, BinaryWriter& writer) {
  writer.PutCount(body.skeleton.joints.size());
  for (size_t j = 0; j < body.skeleton.joints.size(); ++j) {
    const Joint& joint = body.skeleton.joints[j];
    const Transform& rest = joint.rest;
    writer.PutText(joint.name);
    writer.Put(static_cast<int32_t>(joint.parent));
    const float values[kTransformFloats] = {rest.translation.x, rest.translation.y, rest.translation.z, rest.rotation.x,
                                            rest.rotation.y,    rest.rotation.z,    rest.rotation.w,    rest.scale.x,
                                            rest.scale.y,       rest.scale.z};
    writer.Put(values, kTransformFloats);
    const Eigen::Matrix<float, 3, 4, Eigen::RowMajor> bind = body.inverse_bind[j].matrix().topRows<3>();
    writer.Put(bind.data(), 12);
  }
}

void TakeSkeleton(BinaryReader& reader, PackedBody& body) {
  const uint32_t joints = reader.TakeCount(1, kMaxPackedJoints, "joints");
  for (uint32_t j = 0; j < joints; ++j) {
    const std::string place = fmt::format("joint {}", j);
    Joint joint;
    joint.name = reader.TakeText(kMaxText, place);
    joint.parent = reader.Take<int32_t>(place);
    if (joint.parent < -1 || joint.parent >= static_cast<int>(j))
      reader.Fail(place, "has a parent that comes after it");
    const std::vector<float> v = reader.TakeFloats(kTransformFloats, place);
    joint.rest = {.translation = {v[0], v[1], v[2]}, .rotation = {v[3], v[4], v[5], v[6]}, .scale = {v[7], v[8], v[9]}};
    if (joint.name.empty() || std::abs(ToEigen(joint.rest.rotation).norm() - 1) > 1e-3f) {
      reader.Fail(place, "has no name, or a rotation that is not of length 1");
    }
    body.skeleton.joints.push_back(joint);
    const std::vector<float> bind = reader.TakeFloats(12, place);
    Eigen::Affine3f affine = Eigen::Affine3f::Identity();
    affine.matrix().topRows<3>() = Eigen::Map<const Eigen::Matrix<float, 3, 4, Eigen::RowMajor>>(bind.data());
    body.inverse_bind.push_back(affine);
  }
}

void PutSurface(const PackedBody& body, BinaryWriter& writer) {
  writer.PutCount(static_cast<size_t>(body.rest.rows()));
  writer.Put(body.grid_corner.data(), 3);
  writer.Put(body.grid_step);
  const std::vector<uint16_t> positions = RoundedPositions(body);
  writer.Put(positions.data(), positions.size());
  writer.PutCount(static_cast<size_t>(body.triangles.rows()));
  std::vector<uint16_t> corners(body.triangles.data(), body.triangles.data() + body.triangles.size());
  writer.Put(corners.data(), corners.size());
  std::vector<uint8_t> joints(body.weights.joints.begin(), body.weights.joints.end());
  writer.Put(joints.data(), joints.size());
  const std::vector<uint16_t> weights = RoundedWeights(body.weights, body.point_count());
  writer.Put(weights.data(), weights.size());
}

void TakeSurface(BinaryReader& reader, PackedBody& body) {
  const size_t points = reader.TakeCount(1, kMaxPackedPoints, "points");
  const std::vector<float> grid = reader.TakeFloats(4, "grid of positions");
  if (!(grid[3] > 0)) reader.Fail("grid of positions", "has a step that is not above 0");
  body.grid_corner = {grid[0], grid[1], grid[2]};
  body.grid_step = grid[3];
  SetPositions(reader.Take<uint16_t>(3 * points, "positions"), body);
  if (!body.rest.allFinite()) reader.Fail("grid of positions", "is too large");
  const uint32_t triangles = reader.TakeCount(1, kMaxCount, "triangles");
  const std::vector<uint16_t> corners = reader.Take<uint16_t>(size_t{3} * triangles, "triangles");
  if (*std::max_element(corners.begin(), corners.end()) >= points)
    reader.Fail("triangles", "name a point beyond the last");
  body.triangles.resize(triangles, 3);
  std::copy(corners.begin(), corners.end(), body.triangles.data());
  const std::vector<uint8_t> joints = reader.Take<uint8_t>(kPackedInfluences * points, "joints of points");
  if (*std::max_element(joints.begin(), joints.end()) >= body.skeleton.joints.size()) {
    reader.Fail("joints of points", "name a joint beyond the last");
  }
  const std::vector<uint16_t> steps = reader.Take<uint16_t>(kPackedInfluences * points, "weights");
  for (size_t i = 0; i < points; ++i) {
    const auto row = steps.begin() + static_cast<ptrdiff_t>(i * kPackedInfluences);
    if (std::accumulate(row, row + kPackedInfluences, 0) != static_cast<int>(kWeightSteps)) {
      reader.Fail("weights", fmt::format("of point {} do not sum to 1", i));
    }
  }
  body.weights = {
      .influences = kPackedInfluences, .joints = {joints.begin(), joints.end()}, .weights = WeightsOf(steps)};
}

void PutFrames(const PackedBody& body, BinaryWriter& writer) {
  writer.PutCount(body.motions.size());
  for (const std::string& motion : body.motions) writer.PutText(motion);
  writer.PutCount(body.frames.size());
  for (const PackedFrame& frame : body.frames) {
    writer.Put(static_cast<uint8_t>(frame.side));
    writer.Put(static_cast<uint32_t>(frame.frame));
    writer.Put(static_cast<uint32_t>(frame.motion));
  }
  const std::vector<int16_t> rotations = RoundedRotations(body.poses);
  writer.Put(rotations.data(), rotations.size());
}

void TakeFrames(BinaryReader& reader, PackedBody& body) {
  const uint32_t motions = reader.TakeCount(1, kMaxCount, "motions");
  for (uint32_t m = 0; m < motions; ++m) body.motions.push_back(reader.TakeText(kMaxText, fmt::format("motion {}", m)));
  const uint32_t frames = reader.TakeCount(1, kMaxCount, "frames");
  for (uint32_t f = 0; f < frames; ++f) {
    const std::string place = fmt::format("frame {}", f);
    PackedFrame frame;
    const uint8_t side = reader.Take<uint8_t>(place);
    frame.frame = static_cast<int>(reader.TakeCount(0, INT32_MAX, place));
    frame.motion = static_cast<int>(reader.TakeCount(0, motions - 1, place));
    if (side > static_cast<uint8_t>(dataset::Side::kValidation)) {
      reader.Fail(place, "is to test with, and such frames are never packed");
    }
    frame.side = static_cast<dataset::Side>(side);
    body.frames.push_back(frame);
  }
  const size_t joints = body.skeleton.joints.size();
  body.poses = PosesOf(reader.Take<int16_t>(4 * joints * frames, "rotations"), body.skeleton, frames);
  if (body.poses.empty()) reader.Fail("rotations", "have one that is no rotation");
}

void PutModes(const PackedBody& body, BinaryWriter& writer) {
  writer.PutCount(static_cast<size_t>(body.modes.rows()));
  writer.Put(body.modes.data(), static_cast<size_t>(body.modes.size()));
  writer.Put(body.scales.data(), static_cast<size_t>(body.scales.size()));
  writer.Put(body.coefficients.data(), static_cast<size_t>(body.coefficients.size()));
  writer.Put(body.mean_residual);
  writer.Put(body.loss);
}

void TakeModes(BinaryReader& reader, PackedBody& body) {
  const uint32_t count = reader.TakeCount(0, kMaxCount, "modes");
  const size_t width = 3 * static_cast<size_t>(body.point_count());
  const std::vector<int8_t> modes = reader.Take<int8_t>(width * count, "modes");
  body.modes = Eigen::Map<const Modes>(modes.data(), count, static_cast<Eigen::Index>(width));
  const std::vector<float> scales = reader.TakeFloats(count, "scales of modes");
  body.scales = Eigen::Map<const Eigen::VectorXf>(scales.data(), count);
  const std::vector<float> values = reader.TakeFloats(size_t{count} * body.frames.size(), "coefficients");
  body.coefficients = Eigen::Map<const FloatRows>(values.data(), body.frame_count(), count);
  const std::vector<float> numbers = reader.TakeFloats(2, "loss");
  if (numbers[0] < 0 || numbers[1] < 0) reader.Fail("loss", "is below 0");
  body.mean_residual = numbers[0];
  body.loss = numbers[1];
}

}  // namespace

Points PackedBody::Residual(int f) const {
  const Eigen::RowVectorXf row = coefficients.row(f).cwiseProduct(scales.transpose()) * modes.cast<float>();
  return Eigen::Map<const Points>(row.data(), rest.rows(), 3);
}

void RoundToPack(PackedBody& body) {
  const Box box = BoundingBox(body.rest);
  const float longest = box.sizes().maxCoeff();
  body.grid_corner = box.min();
  body.grid_step = longest > 0 ? static_cast<float>(longest / kPositionSteps) : 1.0f;
  SetPositions(RoundedPositions(body), body);
  body.weights.weights = WeightsOf(RoundedWeights(body.weights, body.point_count()));
  body.poses = PosesOf(RoundedRotations(body.poses), body.skeleton, body.poses.size());
}

Bytes FormatPackedBody(const PackedBody& body) {
  BinaryWriter writer;
  writer.PutText(body.name);
  writer.Put(body.metres_per_unit);
  PutSkeleton(body, writer);
  PutSurface(body, writer);
  PutFrames(body, writer);
  PutModes(body, writer);
  return writer.File(kMagic, kVersion);
}

PackedBody ParsePackedBody(std::span<const std::byte> bytes, const std::string& file) {
  BinaryReader reader(bytes, file, kMagic, kVersion, "a packed body", "pack the corpus again");
  PackedBody body;
  body.name = reader.TakeText(kMaxText, "name");
  body.metres_per_unit = reader.Take<double>("unit");
  if (!(body.metres_per_unit > 0 && body.metres_per_unit < 1e9)) reader.Fail("unit", "is no length");
  TakeSkeleton(reader, body);
  TakeSurface(reader, body);
  TakeFrames(reader, body);
  TakeModes(reader, body);
  reader.End();
  return body;
}

}  // namespace sinew::corpus
