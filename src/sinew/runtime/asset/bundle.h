// A baked character, used in place: a bounds-checked view of the bytes of a `.sinew` file (docs/formats/bundle.md).
// Opened once, it is never changed and may be shared by any number of instances and threads.
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
#include "sinew/runtime/contact/contact_table.h"
#include "sinew/runtime/multires/basis_table.h"
#include "sinew/runtime/multires/range_table.h"
#include "sinew/runtime/multires/upsampling_table.h"
#include "sinew/runtime/net/network_table.h"
#include "sinew/runtime/pose/features.h"
#include "sinew/runtime/skin/normal_table.h"
#include "sinew/runtime/skin/skin_table.h"

namespace sinew::runtime {

// One level of detail: a mesh of the character with its tables. "File's order" is the order of vertices in the level's
// GLB, all its parts one after another; "internal order" is the order in memory, which may differ (see `order`).
struct BundleLevel {
  int vertex_count = 0, triangle_count = 0;
  // Rest shape in internal order, one element per vertex; each array is followed by 16 bytes that may be read. Normals
  // and tangents may be empty.
  StridedSpan<const Float3> rest_positions, rest_normals;
  StridedSpan<const Float4> rest_tangents;
  // order[i] is the file's index of the vertex that is i-th in internal order; empty: both orders are the same.
  std::span<const uint32_t> order;
  SkinTable skin;              // internal order; its joints are slots (Bundle::slot_joints())
  NormalTable normals;         // file's order; may be empty(): then normals are skinned
  UpsamplingTable upsampling;  // from the coarser level; empty() for level 1
  BasisTable basis;            // modes that finer levels start from, too; empty() if there are none
  BasisTable own_basis;        // modes of this level alone; may be empty()
  NetworkTable networks;       // compute the coefficients of both bases; empty() if the level has no modes
  int first_coefficient = 0;   // index of the level's first coefficient among those of all levels
  // Copies of vertices (in the file's order) that are split at a seam: after evaluation `to` gets the position of
  // `from`, so that rounding cannot open the seam.
  std::span<const format::SeamCopy> seams;

  const format::TrianglesHeader* triangles = nullptr;
  const format::TexcoordsHeader* texcoords = nullptr;  // may be null

  int coefficient_count() const { return networks.output_count(); }
  // Writes the three vertices of triangle t, in the file's order.
  void Triangle(int t, uint32_t (&vertices)[3]) const noexcept;
  // Writes (u, v) of vertex v, in the file's order. texcoords must not be null.
  void Texcoord(int v, float (&uv)[2]) const noexcept;
};

class Bundle {
 public:
  static constexpr int kMaxLevels = format::kMaxLevels;

  Bundle() = default;

  // Opens a bundle and checks all of it, reading every byte once. bytes: a whole file at an address that is a multiple
  // of 64; it must stay alive and unchanged as long as the bundle is used. problem: output, may be null: a constant
  // sentence that says what is wrong, or null.
  // kInvalidArgument: the bytes are misaligned, cut short, changed, not a bundle, contradict themselves, have a section
  // twice, or hold a number that is not finite where one is evaluated.
  // kUnsupported: made by a newer version.
  // After kOk no evaluation can read or write out of bounds because of the file; otherwise *bundle is empty().
  static Status Open(std::span<const std::byte> bytes, Bundle* bundle, const char** problem = nullptr) noexcept;

  bool empty() const { return level_count_ == 0; }
  int level_count() const { return level_count_; }
  // i from 1 (coarsest) to level_count().
  const BundleLevel& level(int i) const { return levels_[i - 1]; }

  int joint_count() const { return static_cast<int>(skeleton_->joint_count); }
  std::string_view joint_name(int joint) const;
  // Returns the index of the joint with this name, or -1 if there is none.
  int FindJoint(std::string_view name) const noexcept;
  // One per joint: its parent, which is an earlier joint, or a negative number for a root.
  std::span<const int16_t> parents() const { return {parents_, skeleton_->joint_count}; }
  std::span<const Transform> rest_pose() const { return {rests_, skeleton_->joint_count}; }
  // Slots are what the skin tables call joints: one per pair of a skin and a joint. Slot s is moved by the matrix
  // model[slot_joints()[s]] * inverse_binds()[s]; a slot of joint -1 is moved by the root transform alone.
  std::span<const int16_t> slot_joints() const { return {slot_joints_, skeleton_->slot_count}; }
  std::span<const Affine> inverse_binds() const { return {inverse_binds_, skeleton_->slot_count}; }
  // One per joint, or empty: the reference joints of SeenRotation() (pose/features.h).
  std::span<const int16_t> references() const { return references_; }
  PoseFeatures features() const { return static_cast<PoseFeatures>(skeleton_->features); }
  // Whether a level's correctives add to the upsampled ones of the coarser level, as in the paper; otherwise each level
  // stands by itself.
  bool incremental() const { return skeleton_->incremental != 0; }
  // Body height: longest side of the rest mesh before skinning, in the character's unit.
  float height() const { return skeleton_->height; }

  const RangeTable& ranges() const { return ranges_; }
  // Learned contact with rigid colliders; without fields if nothing was learned.
  const ContactTable& contact() const { return contact_; }
  // Number of coefficients of the levels 1 to i together.
  int coefficient_count(int i) const { return level(i).first_coefficient + level(i).coefficient_count(); }
  // JSON text: names, parts, joint limits, settings; may be empty.
  std::string_view info() const { return info_; }
  // Hashes of the frames that were trained on or validated with, 16 bytes each; may be empty.
  std::span<const std::byte> trained_frames() const { return trained_frames_; }
  // Section table of the file, for tools that report what is in it.
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
  ContactTable contact_;
  std::string_view info_;
  std::span<const std::byte> trained_frames_;
  std::span<const format::SectionEntry> sections_;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_ASSET_BUNDLE_H_
