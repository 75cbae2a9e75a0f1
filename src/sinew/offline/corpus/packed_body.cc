#include "sinew/offline/corpus/packed_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/range_coder.h"
#include "sinew/offline/corpus/packed_numbers.h"

namespace sinew::corpus {
namespace {

constexpr std::string_view kMagic = "SNWPACKB";
constexpr uint32_t kVersion = 2;
constexpr int kTransformFloats = 10;
constexpr uint32_t kMaxText = 1000;
constexpr uint32_t kMaxCount = 1u << 24;
constexpr int64_t kMaxPackedNumbers = int64_t{1} << 28;  // a gigabyte

std::vector<int32_t> RoundedPositions(const PackedBody& body) {
  std::vector<int32_t> steps;
  for (int i = 0; i < body.rest.rows(); ++i) {
    for (int a = 0; a < 3; ++a) {
      steps.push_back(StepsOf((double{body.rest(i, a)} - body.grid_corner[a]) / body.grid_step, kPositionSteps));
    }
  }
  return steps;
}

// Sets the rest shape from steps of the grid.
void SetPositions(const std::vector<int32_t>& steps, PackedBody& body) {
  body.rest.resize(static_cast<Eigen::Index>(steps.size() / 3), 3);
  for (size_t k = 0; k < steps.size(); ++k) {
    body.rest.data()[k] = body.grid_corner[static_cast<int>(k % 3)] + body.grid_step * static_cast<float>(steps[k]);
  }
}

PackedNumbers::Rotation Rounded(const runtime::Quaternion& q) {
  const std::array<float, 4> values = {q.x, q.y, q.z, q.w};
  PackedNumbers::Rotation rotation;
  for (int k = 1; k < 4; ++k) {
    if (std::abs(values[k]) > std::abs(values[rotation.largest])) rotation.largest = k;
  }
  const float sign = values[rotation.largest] < 0 ? -kRotationSteps : kRotationSteps;
  for (int k = 0, other = 0; k < 4; ++k) {
    if (k != rotation.largest) rotation.others[other++] = static_cast<int>(std::lround(sign * values[k]));
  }
  return rotation;
}

runtime::Quaternion RotationOf(const PackedNumbers::Rotation& rotation) {
  std::array<double, 4> values = {};
  double left = 1;
  for (int k = 0, other = 0; k < 4; ++k) {
    if (k == rotation.largest) continue;
    values[k] = static_cast<double>(rotation.others[other++]) / kRotationSteps;
    left -= values[k] * values[k];
  }
  values[rotation.largest] = std::sqrt(std::max(0.0, left));
  return ToQuaternion(Eigen::Quaterniond(values[3], values[0], values[1], values[2]).cast<float>().normalized());
}

std::vector<PackedNumbers::Rotation> RoundedRotations(const std::vector<Pose>& poses) {
  std::vector<PackedNumbers::Rotation> rotations;
  for (const Pose& pose : poses) {
    for (const Transform& joint : pose) rotations.push_back(Rounded(joint.rotation));
  }
  return rotations;
}

std::vector<Pose> PosesOf(const std::vector<PackedNumbers::Rotation>& rotations, const Skeleton& skeleton,
                          size_t frames) {
  std::vector<Pose> poses(frames, skeleton.RestPose());
  size_t at = 0;
  for (Pose& pose : poses) {
    for (Transform& joint : pose) joint.rotation = RotationOf(rotations[at++]);
  }
  return poses;
}

PackedCounts CountsOf(const PackedBody& body) {
  return {.joints = body.skeleton.joint_count(),
          .points = body.point_count(),
          .triangles = static_cast<int>(body.triangles.rows()),
          .frames = body.frame_count(),
          .modes = static_cast<int>(body.modes.rows())};
}

PackedNumbers NumbersOf(const PackedBody& body) {
  PackedNumbers numbers;
  numbers.positions = RoundedPositions(body);
  numbers.triangles = body.triangles;
  numbers.joints.assign(body.weights.joints.begin(), body.weights.joints.end());
  numbers.weights = RoundedWeights(body.weights, body.point_count());
  numbers.rotations = RoundedRotations(body.poses);
  for (Eigen::Index k = 0; k < body.modes.rows(); ++k) {
    for (int f = 0; f < body.frame_count(); ++f) {
      numbers.coefficients.push_back(static_cast<int>(std::lround(body.coefficients(f, k) / body.scales[k])));
    }
  }
  numbers.modes.assign(body.modes.data(), body.modes.data() + body.modes.size());
  return numbers;
}

void PutSkeleton(const PackedBody& body, BinaryWriter& writer) {
  writer.PutCount(body.skeleton.joints.size());
  for (size_t j = 0; j < body.skeleton.joints.size(); ++j) {
    const Joint& joint = body.skeleton.joints[j];
    const Transform& rest = joint.rest;
    writer.PutText(joint.name);
    writer.Put(static_cast<int32_t>(joint.parent));
    writer.Put(static_cast<uint8_t>(joint.helper ? 1 : 0));
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
    const uint8_t helper = reader.Take<uint8_t>(place);
    if (helper > 1) reader.Fail(place, "is neither a helper nor none");
    joint.helper = helper == 1;
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

void PutFrames(const PackedBody& body, BinaryWriter& writer) {
  writer.PutCount(body.motions.size());
  for (const std::string& motion : body.motions) writer.PutText(motion);
  writer.PutCount(body.frames.size());
  for (const PackedFrame& frame : body.frames) {
    writer.Put(static_cast<uint8_t>(frame.side));
    writer.Put(static_cast<uint32_t>(frame.frame));
    writer.Put(static_cast<uint32_t>(frame.motion));
    writer.Put(frame.hash);
  }
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
    frame.hash = reader.Take<uint64_t>(place);
    if (side > static_cast<uint8_t>(dataset::Side::kValidation)) {
      reader.Fail(place, "is to test with, and such frames are never packed");
    }
    frame.side = static_cast<dataset::Side>(side);
    body.frames.push_back(frame);
  }
}

// Steps by which the numbers become lengths, before the numbers.
void PutSteps(const PackedBody& body, BinaryWriter& writer) {
  writer.PutCount(static_cast<size_t>(body.rest.rows()));
  writer.Put(body.grid_corner.data(), 3);
  writer.Put(body.grid_step);
  writer.PutCount(static_cast<size_t>(body.triangles.rows()));
  writer.PutCount(static_cast<size_t>(body.modes.rows()));
  writer.Put(body.step);
  writer.Put(body.scales.data(), static_cast<size_t>(body.scales.size()));
  writer.Put(body.mean_residual);
  writer.Put(body.loss);
}

PackedCounts TakeSteps(BinaryReader& reader, PackedBody& body) {
  PackedCounts counts{.joints = body.skeleton.joint_count(), .frames = body.frame_count()};
  counts.points = static_cast<int>(reader.TakeCount(1, kMaxPackedPoints, "points"));
  const std::vector<float> grid = reader.TakeFloats(4, "grid of positions");
  if (!(grid[3] > 0)) reader.Fail("grid of positions", "has a step that is not above 0");
  body.grid_corner = {grid[0], grid[1], grid[2]};
  body.grid_step = grid[3];
  counts.triangles = static_cast<int>(reader.TakeCount(1, kMaxCount, "triangles"));
  counts.modes = static_cast<int>(reader.TakeCount(0, static_cast<uint32_t>(counts.frames), "modes"));
  body.step = reader.TakeFloats(1, "step of modes")[0];
  const std::vector<float> scales = reader.TakeFloats(static_cast<size_t>(counts.modes), "steps of coefficients");
  body.scales = Eigen::Map<const Eigen::VectorXf>(scales.data(), counts.modes);
  const std::vector<float> numbers = reader.TakeFloats(2, "loss");
  if (numbers[0] < 0 || numbers[1] < 0) reader.Fail("loss", "is below 0");
  if (!(body.step > 0) || (counts.modes > 0 && !(body.scales.minCoeff() > 0))) {
    reader.Fail("step of modes", "or of their coefficients is not above 0");
  }
  body.mean_residual = numbers[0];
  body.loss = numbers[1];
  return counts;
}

void TakeNumbers(BinaryReader& reader, const PackedCounts& counts, PackedBody& body) {
  const std::vector<std::byte> coded = reader.Take<std::byte>(reader.Take<uint32_t>("numbers"), "numbers");
  if (counts.All() > kMaxPackedNumbers || counts.All() > static_cast<int64_t>(kMaxNumbersPerByte * coded.size())) {
    reader.Fail("numbers", "are more than the file can hold");
  }
  PackedNumbers numbers;
  const std::string problem = DecodeNumbers(coded, counts, numbers);
  if (!problem.empty()) reader.Fail("numbers", problem);
  SetPositions(numbers.positions, body);
  if (!body.rest.allFinite()) reader.Fail("grid of positions", "is too large");
  body.triangles = std::move(numbers.triangles);
  body.weights = {.influences = kPackedInfluences,
                  .joints = {numbers.joints.begin(), numbers.joints.end()},
                  .weights = WeightsOf(numbers.weights)};
  body.poses = PosesOf(numbers.rotations, body.skeleton, body.frames.size());
  body.modes = Eigen::Map<const Modes>(numbers.modes.data(), counts.modes, 3 * Eigen::Index{counts.points});
  body.coefficients.resize(counts.frames, counts.modes);
  for (int k = 0; k < counts.modes; ++k) {
    for (int f = 0; f < counts.frames; ++f) {
      const int number = numbers.coefficients[static_cast<size_t>(k) * body.frames.size() + static_cast<size_t>(f)];
      body.coefficients(f, k) = body.scales[k] * static_cast<float>(number);
    }
  }
  if (!body.coefficients.allFinite()) reader.Fail("steps of coefficients", "are too large");
}

}  // namespace

Points PackedBody::Residual(int f) const {
  const Eigen::RowVectorXf row = step * coefficients.row(f) * modes.cast<float>();
  return Eigen::Map<const Points>(row.data(), rest.rows(), 3);
}

void RoundToPack(PackedBody& body) {
  const Box box = BoundingBox(body.rest);
  const float longest = box.sizes().maxCoeff();
  body.grid_corner = box.min();
  body.grid_step = longest > 0 ? static_cast<float>(longest / kPositionSteps) : 1.0f;
  SetPositions(RoundedPositions(body), body);
  body.weights.weights = WeightsOf(RoundedWeights(body.weights, body.point_count()));
  for (size_t k = 0; k < body.weights.joints.size(); ++k) {
    if (body.weights.weights[k] == 0) body.weights.joints[k] = 0;
  }
  body.poses = PosesOf(RoundedRotations(body.poses), body.skeleton, body.poses.size());
}

Bytes FormatPackedBody(const PackedBody& body) {
  BinaryWriter writer;
  writer.PutText(body.name);
  writer.Put(body.metres_per_unit);
  PutSkeleton(body, writer);
  PutFrames(body, writer);
  PutSteps(body, writer);
  const Bytes numbers = EncodeNumbers(NumbersOf(body), CountsOf(body));
  writer.PutCount(numbers.size());
  writer.Put(numbers.data(), numbers.size());
  return writer.File(kMagic, kVersion);
}

PackedBody ParsePackedBody(std::span<const std::byte> bytes, const std::string& file) {
  BinaryReader reader(bytes, file, kMagic, kVersion, "a packed body", "pack the corpus again");
  PackedBody body;
  body.name = reader.TakeText(kMaxText, "name");
  body.metres_per_unit = reader.Take<double>("unit");
  if (!(body.metres_per_unit > 0 && body.metres_per_unit < 1e9)) reader.Fail("unit", "is no length");
  TakeSkeleton(reader, body);
  TakeFrames(reader, body);
  const PackedCounts counts = TakeSteps(reader, body);
  TakeNumbers(reader, counts, body);
  reader.End();
  return body;
}

}  // namespace sinew::corpus
