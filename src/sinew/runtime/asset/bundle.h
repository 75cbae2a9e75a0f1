// A baked character, used in place: a bounds-checked view of the bytes of a `.sinew` file (docs/formats/bundle.md).
#ifndef SINEW_RUNTIME_ASSET_BUNDLE_H_
#define SINEW_RUNTIME_ASSET_BUNDLE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/runtime/asset/format.h"
#include "sinew/runtime/base/math.h"
#include "sinew/runtime/base/status.h"
#include "sinew/runtime/base/strided_span.h"
#include "sinew/runtime/multires/basis_table.h"
#include "sinew/runtime/multires/range_table.h"
#include "sinew/runtime/multires/upsampling_table.h"
#include "sinew/runtime/net/network_table.h"
#include "sinew/runtime/pose/features.h"
#include "sinew/runtime/skin/normal_table.h"
#include "sinew/runtime/skin/skin_table.h"

namespace sinew::runtime {

// One mesh of the character. "File's order" is that of the level's GLB, all its parts one after another.
struct BundleLevel {
  int vertex_count = 0, triangle_count = 0;
  // At rest, in internal order, each followed by 16 bytes that may be read. Normals and tangents may be empty.
  StridedSpan<const Float3> rest_positions, rest_normals;
  StridedSpan<const Float4> rest_tangents;
  // Which vertex of the file is i-th in internal order; empty: both orders are the same.
  std::span<const uint32_t> order;
  SkinTable skin;              // internal order; joints are slots
  NormalTable normals;         // file's order; may be empty()
  UpsamplingTable upsampling;  // from the coarser level; empty() for level 1
  BasisTable basis;            // handed on to finer levels; empty() if the level adds nothing to them
  BasisTable own_basis;        // of this level alone; may be empty()
  NetworkTable networks;       // makes the coefficients of both bases; empty() if the level adds nothing
  int first_coefficient = 0;   // in the coefficients of all levels
  // Vertices of the file that stand at one place and must stay there, whatever rounding does.
  std::span<const format::SeamCopy> seams;

  const format::TrianglesHeader* triangles = nullptr;
  const format::TexcoordsHeader* texcoords = nullptr;  // may be null

  int coefficient_count() const { return networks.output_count(); }
  // The three vertices of triangle t, in the file's order.
  void Triangle(int t, uint32_t (&vertices)[3]) const noexcept;
  // (u, v) of vertex v in the file's order. Only where texcoords is not null.
  void Texcoord(int v, float (&uv)[2]) const noexcept;
};

class Bundle {
 public:
  static constexpr int kMaxLevels = format::kMaxLevels;

  Bundle() = default;

  // bytes: a whole file at an address that is a multiple of 64; it stays alive and unchanged as long as the bundle is
  // used. Reads all of it once. problem: out, may be null: one sentence, a constant, that says what is wrong.
  // kInvalidArgument: the bytes are misaligned, cut short, changed, not a bundle, or contradict themselves.
  // kUnsupported: made by a newer version. After kOk no evaluation can read or write out of bounds because of the file.
  static Status Open(std::span<const std::byte> bytes, Bundle* bundle, const char** problem = nullptr) noexcept;

  bool empty() const { return level_count_ == 0; }
  int level_count() const { return level_count_; }
  // i from 1 (coarsest) to level_count().
  const BundleLevel& level(int i) const { return levels_[i - 1]; }

  int joint_count() const { return static_cast<int>(skeleton_->joint_count); }
  std::string_view joint_name(int joint) const;
  // -1 if there is none.
  int FindJoint(std::string_view name) const noexcept;
  // One a joint: an earlier joint, or negative.
  std::span<const int16_t> parents() const { return {parents_, skeleton_->joint_count}; }
  std::span<const Transform> rest_pose() const { return {rests_, skeleton_->joint_count}; }
  // What skinning calls joints: slot s is moved by matrix model[slot_joints()[s]] * inverse_binds()[s]; those of joint
  // -1 stay where the model is.
  std::span<const int16_t> slot_joints() const { return {slot_joints_, skeleton_->slot_count}; }
  std::span<const Affine> inverse_binds() const { return {inverse_binds_, skeleton_->slot_count}; }
  // One a joint, or empty: SeenRotation() of pose/features.h.
  std::span<const int16_t> references() const { return references_; }
  PoseFeatures features() const { return static_cast<PoseFeatures>(skeleton_->features); }
  // Whether a level's correctives add to the coarser one's, as in the paper; else each level stands by itself.
  bool incremental() const { return skeleton_->incremental != 0; }
  float height() const { return skeleton_->height; }

  const RangeTable& ranges() const { return ranges_; }
  // Of the levels 1 to i together.
  int coefficient_count(int i) const { return level(i).first_coefficient + level(i).coefficient_count(); }
  // JSON: names, parts, joint limits, settings.
  std::string_view info() const { return info_; }
  // 16 bytes for each frame that was trained on or validated with.
  std::span<const std::byte> trained_frames() const { return trained_frames_; }
  // What is in the file, for people who look into it.
  std::span<const format::SectionEntry> sections() const { return sections_; }

 private:
  class Reader;

  int level_count_ = 0;
  BundleLevel levels_[kMaxLevels];
  const format::SkeletonHeader* skeleton_ = nullptr;
  const int16_t* parents_ = nullptr;
  const Transform* rests_ = nullptr;
  const uint32_t* names_ = nullptr;
  const char* text_ = nullptr;
  const int16_t* slot_joints_ = nullptr;
  const Affine* inverse_binds_ = nullptr;
  std::span<const int16_t> references_;
  RangeTable ranges_;
  std::string_view info_;
  std::span<const std::byte> trained_frames_;
  std::span<const format::SectionEntry> sections_;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_ASSET_BUNDLE_H_
