#include "sinew/offline/skincells/field_file.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <set>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/hash.h"

namespace sinew::skincells {
namespace {

constexpr std::string_view kMagic = "SINEWFLD";
constexpr uint32_t kVersion = 1;
constexpr size_t kHashDigits = 32;
constexpr size_t kLengthAt = 12, kHeaderSize = kLengthAt + 4 + kHashDigits;
// Upper limits: a file with more would not fit the joint indices of skinning tables, or was not written by us.
constexpr uint32_t kMaxJoints = 4096, kMaxSites = 64, kLongestName = 1024;
constexpr const char* kRemedy = "write the field again with 'sinew skin'";

void PutFloats(BinaryWriter& out, std::initializer_list<double> values) {
  for (const double value : values) out.Put(static_cast<float>(value));
}

float TakeFloat(BinaryReader& in, const std::string& place) { return in.TakeFloats(1, place)[0]; }

float TakePositive(BinaryReader& in, const std::string& place) {
  const float value = TakeFloat(in, place);
  if (value < 1e-12f) in.Fail(place, fmt::format("is {:g} where a positive number must be", value));
  return value;
}

void PutJoint(const Joint& joint, const Eigen::Affine3f& inverse_bind, BinaryWriter& out) {
  out.Put(static_cast<int32_t>(joint.parent));
  out.Put(static_cast<uint32_t>(joint.helper));
  const Transform& rest = joint.rest;
  PutFloats(out, {rest.translation.x, rest.translation.y, rest.translation.z, rest.rotation.x, rest.rotation.y,
                  rest.rotation.z, rest.rotation.w, rest.scale.x, rest.scale.y, rest.scale.z});
  const Eigen::Matrix<float, 3, 4> rows = inverse_bind.matrix().topRows<3>();
  out.Put(rows.data(), 12);
  out.PutText(joint.name);
}

Joint TakeJoint(int index, BinaryReader& in, Eigen::Affine3f& inverse_bind) {
  const std::string place = fmt::format("joint {}", index);
  Joint joint;
  joint.parent = in.Take<int32_t>(place);
  if (joint.parent < -1 || joint.parent >= index) in.Fail(place, fmt::format("names {} as its parent", joint.parent));
  const auto helper = in.Take<uint32_t>(place);
  if (helper > 1) in.Fail(place, fmt::format("has unknown flags {}", helper));
  joint.helper = helper == 1;
  const std::vector<float> rest = in.TakeFloats(10, place + ", rest transform");
  joint.rest = {.translation = {rest[0], rest[1], rest[2]},
                .rotation = {rest[3], rest[4], rest[5], rest[6]},
                .scale = {rest[7], rest[8], rest[9]}};
  if (std::abs(ToEigen(joint.rest.rotation).norm() - 1) > 1e-3f) {
    in.Fail(place, "has a rest rotation that is not a unit quaternion");
  }
  const std::vector<float> bind = in.TakeFloats(12, place + ", bind matrix");
  inverse_bind.setIdentity();
  inverse_bind.matrix().topRows<3>() = Eigen::Map<const Eigen::Matrix<float, 3, 4>>(bind.data());
  joint.name = in.TakeText(kLongestName, place + ", length of its name");
  if (joint.name.empty()) in.Fail(place, "has no name");
  return joint;
}

void PutSite(const Site& s, BinaryWriter& out) {
  PutFloats(out, {s.p.x(), s.p.y(), s.p.z(), s.F(0, 0), s.F(1, 0), s.F(1, 1), s.F(2, 0), s.F(2, 1), s.F(2, 2), s.t});
}

Site TakeSite(BinaryReader& in, const std::string& place) {
  Site site;
  for (int i = 0; i < 3; ++i) site.p[i] = TakeFloat(in, place);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column <= row; ++column) {
      site.F(row, column) = row == column ? TakePositive(in, place + ", metric's diagonal") : TakeFloat(in, place);
    }
  }
  site.t = TakePositive(in, place + ", rounding");
  return site;
}

void TakeCells(BinaryReader& in, SkinField& field) {
  const int joints = field.skeleton.joint_count();
  const uint32_t cells = in.TakeCount(1, static_cast<uint32_t>(joints), "number of cells");
  for (uint32_t i = 0; i < cells; ++i) {
    const std::string place = fmt::format("cell {}", i);
    const int previous = i == 0 ? -1 : field.cells.back().joint;
    SkinCell& cell = field.cells.emplace_back();
    cell.joint = in.TakeIndices(1, joints, place + ", joint")[0];
    if (cell.joint <= previous) in.Fail(place, fmt::format("names joint {} out of order", cell.joint));
    cell.r = TakeFloat(in, place + ", falloff");
    if (cell.r < 1) in.Fail(place, "has a falloff below 1");
    cell.c = TakeFloat(in, place + ", relaxation");
    if (cell.c < 0) in.Fail(place, "has a negative relaxation");
    const uint32_t sites = in.TakeCount(1, kMaxSites, place + ", number of sites");
    for (uint32_t k = 0; k < sites; ++k) cell.sites.push_back(TakeSite(in, fmt::format("{}, site {}", place, k)));
  }
}

void TakeHeader(BinaryReader& in, size_t size) {
  const auto text = [&](size_t letters) {
    const std::vector<char> taken = in.Take<char>(letters, "header");
    return std::string(taken.begin(), taken.end());
  };
  if (text(kMagic.size()) != kMagic) in.Fail("header", "is not that of a weight field");
  const auto version = in.Take<uint32_t>("header");
  if (version != kVersion) {
    in.Fail("header", fmt::format("is of version {}, and this program reads version {}", version, kVersion));
  }
  if (in.Take<uint32_t>("header") != size) in.Fail("length", "differs from the file's: it was cut short or added to");
  const std::string hash = text(kHashDigits);
  if (hash != HashHex(in.rest())) in.Fail("checksum", "differs from the contents, which were changed");
}

}  // namespace

Bytes EncodeField(const SkinField& field) {
  BinaryWriter out;
  out.Put(kMagic.data(), kMagic.size());
  out.Put(kVersion);
  const Bytes length_and_checksum(kHeaderSize - kLengthAt);
  out.Put(length_and_checksum.data(), length_and_checksum.size());
  out.Put(field.origin.data(), 3);
  out.Put(field.size);
  out.PutCount(field.l);
  out.PutCount(field.skeleton.joints.size());
  for (int j = 0; j < field.skeleton.joint_count(); ++j) {
    PutJoint(field.skeleton.joints[j], field.inverse_bind[j], out);
  }
  out.PutCount(field.cells.size());
  for (const SkinCell& cell : field.cells) {
    out.PutCount(cell.joint);
    PutFloats(out, {cell.r, cell.c});
    out.PutCount(cell.sites.size());
    for (const Site& site : cell.sites) PutSite(site, out);
  }
  Bytes bytes = out.bytes();
  SealField(bytes);
  return bytes;
}

void SealField(Bytes& bytes) {
  if (bytes.size() < kHeaderSize) return;
  const auto size = static_cast<uint32_t>(bytes.size());
  const std::string hash = HashHex(std::span(bytes).subspan(kHeaderSize));
  std::memcpy(bytes.data() + kLengthAt, &size, sizeof size);
  std::memcpy(bytes.data() + kLengthAt + sizeof size, hash.data(), kHashDigits);
}

SkinField DecodeField(std::span<const std::byte> bytes, const std::string& file) {
  BinaryReader in(bytes, file, kRemedy);
  TakeHeader(in, bytes.size());
  SkinField field;
  for (double& value : field.origin) value = in.Take<double>("unit box");
  field.size = in.Take<double>("unit box");
  if (!field.origin.allFinite() || !(field.size > 0) || !std::isfinite(field.size)) {
    in.Fail("unit box", "has no finite place or no positive size");
  }
  field.l = static_cast<int>(in.TakeCount(1, kMaxInfluences, "number of influences"));
  const uint32_t joints = in.TakeCount(1, kMaxJoints, "number of joints");
  std::set<std::string> names;
  for (uint32_t j = 0; j < joints; ++j) {
    Eigen::Affine3f inverse_bind;
    field.skeleton.joints.push_back(TakeJoint(static_cast<int>(j), in, inverse_bind));
    field.inverse_bind.push_back(inverse_bind);
    const std::string& name = field.skeleton.joints.back().name;
    if (!names.insert(name).second) in.Fail(fmt::format("joint {}", j), fmt::format("is another '{}'", name));
  }
  TakeCells(in, field);
  in.End();
  return field;
}

SkinField RoundToFile(const SkinField& field) { return DecodeField(EncodeField(field), "field"); }

void WriteField(const SkinField& field, const std::filesystem::path& path) {
  WriteFileAtomic(path, EncodeField(field));
}

SkinField ReadField(const std::filesystem::path& path) { return DecodeField(ReadFile(path), path.string()); }

}  // namespace sinew::skincells
