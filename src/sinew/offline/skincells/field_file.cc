#include "sinew/offline/skincells/field_file.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"

namespace sinew::skincells {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are used as they are in the file");

constexpr std::string_view kMagic = "SINEWFLD";
constexpr uint32_t kVersion = 1;
constexpr size_t kHashDigits = 32;
constexpr size_t kLengthAt = 12, kHeaderSize = kLengthAt + 4 + kHashDigits;
// More would not fit the joint indices of skinning tables, or is no field of ours.
constexpr uint32_t kMostJoints = 4096, kMostSites = 64, kLongestName = 1024;
constexpr const char* kRemedy = "write the field again with 'sinew skin'";

class Writer {
 public:
  template <typename T>
  void Put(T value) {
    Append(&value, sizeof(T));
  }
  void Text(std::string_view text) { Append(text.data(), text.size()); }
  void Floats(std::initializer_list<double> values) {
    for (const double value : values) Put(static_cast<float>(value));
  }
  void Affine(const Eigen::Affine3f& affine) {
    for (int column = 0; column < 4; ++column) {
      for (int row = 0; row < 3; ++row) Put(affine.matrix()(row, column));
    }
  }
  Bytes bytes;

 private:
  void Append(const void* data, size_t size) {
    bytes.resize(bytes.size() + size);
    std::memcpy(bytes.data() + bytes.size() - size, data, size);
  }
};

class Reader {
 public:
  Reader(std::span<const std::byte> bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  [[noreturn]] void Fail(const std::string& problem) const {
    throw InputError(file_, fmt::format("byte {}", at_), problem, kRemedy);
  }
  std::span<const std::byte> Take(size_t count) {
    if (count > bytes_.size() - at_) Fail(fmt::format("ends early: {} more bytes should follow", count));
    at_ += count;
    return bytes_.subspan(at_ - count, count);
  }
  template <typename T>
  T Get() {
    T value;
    std::memcpy(&value, Take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string Text(size_t count) {
    const auto raw = Take(count);
    return {reinterpret_cast<const char*>(raw.data()), count};
  }
  float Float(const char* what) {
    const float value = Get<float>();
    if (!std::isfinite(value)) Fail(fmt::format("{} is not a finite number", what));
    return value;
  }
  float Positive(const char* what) {
    const float value = Float(what);
    if (value < 1e-12f) Fail(fmt::format("{} is {:g} where a positive number must be", what, value));
    return value;
  }
  uint32_t Count(const char* what, uint32_t least, uint32_t most) {
    const auto value = Get<uint32_t>();
    if (value < least || value > most) {
      Fail(fmt::format("the number of {} is {}, not {} to {}", what, value, least, most));
    }
    return value;
  }
  size_t left() const { return bytes_.size() - at_; }

 private:
  std::span<const std::byte> bytes_;
  const std::string& file_;
  size_t at_ = 0;
};

void PutJoint(const Joint& joint, const Eigen::Affine3f& inverse_bind, Writer& out) {
  out.Put(static_cast<int32_t>(joint.parent));
  out.Put(static_cast<uint32_t>(joint.helper));
  const Transform& rest = joint.rest;
  out.Floats({rest.translation.x, rest.translation.y, rest.translation.z, rest.rotation.x, rest.rotation.y,
              rest.rotation.z, rest.rotation.w, rest.scale.x, rest.scale.y, rest.scale.z});
  out.Affine(inverse_bind);
  out.Put(static_cast<uint32_t>(joint.name.size()));
  out.Text(joint.name);
}

Joint GetJoint(int index, Reader& in, Eigen::Affine3f& inverse_bind) {
  Joint joint;
  joint.parent = in.Get<int32_t>();
  if (joint.parent < -1 || joint.parent >= index) {
    in.Fail(fmt::format("joint {} names {} as its parent", index, joint.parent));
  }
  const auto helper = in.Get<uint32_t>();
  if (helper > 1) in.Fail(fmt::format("joint {} has unknown flags {}", index, helper));
  joint.helper = helper == 1;
  Transform& rest = joint.rest;
  for (float* value :
       {&rest.translation.x, &rest.translation.y, &rest.translation.z, &rest.rotation.x, &rest.rotation.y,
        &rest.rotation.z, &rest.rotation.w, &rest.scale.x, &rest.scale.y, &rest.scale.z}) {
    *value = in.Float("a rest transform");
  }
  if (std::abs(ToEigen(rest.rotation).norm() - 1) > 1e-3f) in.Fail("a rest rotation is not a unit quaternion");
  inverse_bind.setIdentity();
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 3; ++row) inverse_bind.matrix()(row, column) = in.Float("a bind matrix");
  }
  joint.name = in.Text(in.Count("bytes of a joint's name", 1, kLongestName));
  return joint;
}

void PutSite(const Site& s, Writer& out) {
  out.Floats({s.p.x(), s.p.y(), s.p.z(), s.F(0, 0), s.F(1, 0), s.F(1, 1), s.F(2, 0), s.F(2, 1), s.F(2, 2), s.t});
}

Site GetSite(Reader& in) {
  Site site;
  for (int i = 0; i < 3; ++i) site.p[i] = in.Float("a site");
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column <= row; ++column) {
      site.F(row, column) = row == column ? in.Positive("a metric's diagonal") : in.Float("a metric");
    }
  }
  site.t = in.Positive("a rounding");
  return site;
}

void GetCells(Reader& in, SkinField& field) {
  const uint32_t cells = in.Count("cells", 1, static_cast<uint32_t>(field.skeleton.joints.size()));
  for (uint32_t i = 0; i < cells; ++i) {
    SkinCell& cell = field.cells.emplace_back();
    const auto joint = in.Get<uint32_t>();
    const int previous = i == 0 ? -1 : field.cells[i - 1].joint;
    if (joint >= field.skeleton.joints.size() || static_cast<int>(joint) <= previous) {
      in.Fail(fmt::format("cell {} names joint {} out of order", i, joint));
    }
    cell.joint = static_cast<int>(joint);
    cell.r = in.Float("a falloff");
    if (cell.r < 1) in.Fail(fmt::format("cell {} has a falloff below 1", i));
    cell.c = in.Float("a relaxation");
    if (cell.c < 0) in.Fail(fmt::format("cell {} has a negative relaxation", i));
    const uint32_t sites = in.Count("sites of a cell", 1, kMostSites);
    for (uint32_t k = 0; k < sites; ++k) cell.sites.push_back(GetSite(in));
  }
}

void CheckHeader(Reader& in, std::span<const std::byte> bytes) {
  if (in.Text(kMagic.size()) != kMagic) in.Fail("is not a weight field");
  const auto version = in.Get<uint32_t>();
  if (version != kVersion) in.Fail(fmt::format("is of version {}, and this program knows {}", version, kVersion));
  if (in.Get<uint32_t>() != bytes.size()) in.Fail("is not as long as it says");
  const std::string hash = in.Text(kHashDigits);
  if (hash != HashHex(bytes.subspan(kHeaderSize))) in.Fail("has changed since it was written");
}

}  // namespace

Bytes EncodeField(const SkinField& field) {
  Writer out;
  out.Text(kMagic);
  out.Put(kVersion);
  out.bytes.resize(kHeaderSize);
  out.Put(field.origin.x()), out.Put(field.origin.y()), out.Put(field.origin.z()), out.Put(field.size);
  out.Put(static_cast<uint32_t>(field.l));
  out.Put(static_cast<uint32_t>(field.skeleton.joint_count()));
  for (int j = 0; j < field.skeleton.joint_count(); ++j) {
    PutJoint(field.skeleton.joints[j], field.inverse_bind[j], out);
  }
  out.Put(static_cast<uint32_t>(field.cells.size()));
  for (const SkinCell& cell : field.cells) {
    out.Put(static_cast<uint32_t>(cell.joint));
    out.Floats({cell.r, cell.c});
    out.Put(static_cast<uint32_t>(cell.sites.size()));
    for (const Site& site : cell.sites) PutSite(site, out);
  }
  SealField(out.bytes);
  return out.bytes;
}

void SealField(Bytes& bytes) {
  if (bytes.size() < kHeaderSize) return;
  const auto size = static_cast<uint32_t>(bytes.size());
  const std::string hash = HashHex(std::span(bytes).subspan(kHeaderSize));
  std::memcpy(bytes.data() + kLengthAt, &size, sizeof size);
  std::memcpy(bytes.data() + kLengthAt + sizeof size, hash.data(), kHashDigits);
}

SkinField DecodeField(std::span<const std::byte> bytes, const std::string& file) {
  Reader in(bytes, file);
  CheckHeader(in, bytes);
  SkinField field;
  for (int i = 0; i < 3; ++i) field.origin[i] = in.Get<double>();
  field.size = in.Get<double>();
  if (!field.origin.allFinite() || !(field.size > 0) || !std::isfinite(field.size)) in.Fail("has no sound unit box");
  field.l = static_cast<int>(in.Count("influences", 1, kMaxInfluences));
  const uint32_t joints = in.Count("joints", 1, kMostJoints);
  std::set<std::string> names;
  for (uint32_t j = 0; j < joints; ++j) {
    Eigen::Affine3f inverse_bind;
    field.skeleton.joints.push_back(GetJoint(static_cast<int>(j), in, inverse_bind));
    field.inverse_bind.push_back(inverse_bind);
    const std::string& name = field.skeleton.joints.back().name;
    if (!names.insert(name).second) in.Fail(fmt::format("has two joints named '{}'", name));
  }
  GetCells(in, field);
  if (in.left() != 0) in.Fail("goes on after its end");
  return field;
}

SkinField RoundToFile(const SkinField& field) { return DecodeField(EncodeField(field), "field"); }

void WriteField(const SkinField& field, const std::filesystem::path& path) {
  WriteFileAtomic(path, EncodeField(field));
}

SkinField ReadField(const std::filesystem::path& path) { return DecodeField(ReadFile(path), path.string()); }

}  // namespace sinew::skincells
