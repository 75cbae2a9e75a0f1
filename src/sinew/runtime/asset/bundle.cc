#include "sinew/runtime/asset/bundle.h"

#include <cmath>
#include <cstring>

#include "sinew/runtime/base/block_checks.h"
#include "sinew/runtime/base/checksum.h"

namespace sinew::runtime {

using format::FileHeader;
using format::RestHeader;
using format::SectionEntry;
using format::SectionType;
using format::SkeletonHeader;
using format::TexcoordsHeader;
using format::TrianglesHeader;

// Fills a bundle section by section. Functions that return a const char* return what is wrong, or null.
class Bundle::Reader {
 public:
  Reader(std::span<const std::byte> bytes, Bundle* bundle) : bytes_(bytes), b_(bundle) {}

  // Reads the file header and the section table. newer: output, set to true if the file is of another version.
  const char* Frame(bool* newer) {
    const auto* header = HeaderOf<FileHeader>(bytes_);
    if (reinterpret_cast<uintptr_t>(bytes_.data()) % kBlockAlignment != 0) {
      return "the bundle's memory does not start at a multiple of 64 bytes";
    }
    if (header == nullptr) return "the file is too short to be a bundle";
    if (std::memcmp(header->magic, format::kMagic, sizeof(format::kMagic)) != 0) return "the file is not a bundle";
    if (header->version != format::kVersion) {
      *newer = true;
      return "the bundle was made by another version";
    }
    if (header->bytes != bytes_.size()) return "the bundle is cut short, or something was appended to it";
    if (header->section_count > format::kMaxSections ||
        sizeof(FileHeader) + uint64_t{header->section_count} * sizeof(SectionEntry) > bytes_.size()) {
      return "the bundle's section table does not fit into the file";
    }
    if (header->level_count < 1 || header->level_count > format::kMaxLevels) return "the bundle has no levels";
    b_->level_count_ = static_cast<int>(header->level_count);
    b_->sections_ = {reinterpret_cast<const SectionEntry*>(bytes_.data() + sizeof(FileHeader)), header->section_count};
    if (Checksum(std::as_bytes(b_->sections_)) != header->table_checksum)
      return "the bundle's section table is damaged";
    return nullptr;
  }

  // Checks one section's place and checksum, and hands it to its reader.
  const char* Section(const SectionEntry& entry, bool* newer) {
    if (entry.offset % kBlockAlignment != 0 || entry.offset > bytes_.size() ||
        entry.bytes > bytes_.size() - entry.offset) {
      return "a section of the bundle lies outside of the file";
    }
    const std::span<const std::byte> section =
        bytes_.subspan(static_cast<size_t>(entry.offset), static_cast<size_t>(entry.bytes));
    if (Checksum(section) != entry.checksum) return "a section of the bundle is damaged";
    const bool plain = entry.version == format::VersionOf(static_cast<SectionType>(entry.type)) &&
                       entry.layout == format::kPlainLayout;
    if (plain && IsRepeated(entry)) return "the bundle has a section twice";
    if (!plain || !Known(entry.type)) {
      if ((entry.flags & format::kRequired) == 0) return nullptr;
      *newer = true;
      return "the bundle needs something that this version does not know";
    }
    const bool of_level = entry.type >= static_cast<uint32_t>(SectionType::kRest);
    if (of_level ? entry.level < 1 || entry.level > static_cast<uint32_t>(b_->level_count_) : entry.level != 0) {
      return "a section of the bundle is of a level that does not exist";
    }
    return of_level ? LevelSection(static_cast<SectionType>(entry.type), section, b_->levels_[entry.level - 1])
                    : CharacterSection(static_cast<SectionType>(entry.type), section);
  }

  // Checks, after all sections, that they are consistent with each other.
  const char* Whole() {
    if (b_->skeleton_ == nullptr) return "the bundle has no skeleton";
    if (!ReferencesExist()) return "a joint of the bundle is seen against itself or one that does not exist";
    if (b_->ranges_.joint_bound() > b_->joint_count() || !InputsMatch(b_->ranges_)) {
      return "a range test of the bundle names a joint that does not exist";
    }
    if (b_->contact_.joint_bound() > b_->joint_count()) {
      return "a contact field of the bundle names a joint that does not exist";
    }
    int coefficients = 0;
    for (int i = 1; i <= b_->level_count_; ++i) {
      BundleLevel& level = b_->levels_[i - 1];
      level.first_coefficient = coefficients;
      coefficients += level.coefficient_count();
      if (const char* problem = WholeLevel(i, level); problem != nullptr) return problem;
    }
    return nullptr;
  }

 private:
  static bool Known(uint32_t type) {
    return (type >= static_cast<uint32_t>(SectionType::kSkeleton) &&
            type <= static_cast<uint32_t>(SectionType::kTrainedFrames)) ||
           type == static_cast<uint32_t>(SectionType::kReferences) ||
           type == static_cast<uint32_t>(SectionType::kContact) ||
           (type >= static_cast<uint32_t>(SectionType::kRest) && type <= static_cast<uint32_t>(SectionType::kOwnBasis));
  }

  // Whether an earlier section has the same type and level; notes this one.
  bool IsRepeated(const SectionEntry& entry) {
    if (entry.type >= kTypes || entry.level > format::kMaxLevels) return false;
    const uint32_t bit = uint32_t{1} << entry.type;
    const bool repeated = (seen_[entry.level] & bit) != 0;
    seen_[entry.level] |= bit;
    return repeated;
  }

  const char* CharacterSection(SectionType type, std::span<const std::byte> section) {
    switch (type) {
      case SectionType::kSkeleton:
        return Skeleton(section);
      case SectionType::kInfo:
        b_->info_ = {reinterpret_cast<const char*>(section.data()), section.size()};
        return nullptr;
      case SectionType::kRanges:
        return Opened(RangeTable::Open(section, &b_->ranges_));
      case SectionType::kContact:
        return Opened(ContactTable::Open(section, &b_->contact_));
      case SectionType::kReferences:
        if (section.size() % sizeof(int16_t) != 0) return "the bundle's list of reference joints is not whole";
        b_->references_ = {reinterpret_cast<const int16_t*>(section.data()), section.size() / sizeof(int16_t)};
        return nullptr;
      default:
        if (section.size() % 16 != 0) return "the bundle's list of trained frames is not whole";
        b_->trained_frames_ = section;
        return nullptr;
    }
  }

  static const char* Opened(Status status) {
    return status == Status::kOk
               ? nullptr
               : "a table of the bundle refers to what is not there, or has a number that is not finite";
  }

  const char* LevelSection(SectionType type, std::span<const std::byte> section, BundleLevel& level) {
    switch (type) {
      case SectionType::kRest:
        return Rest(section, level);
      case SectionType::kTriangles:
        return Triangles(section, level);
      case SectionType::kTexcoords:
        return Texcoords(section, level);
      case SectionType::kSkin:
        return Opened(SkinTable::Open(section, &level.skin));
      case SectionType::kNormals:
        return Opened(NormalTable::Open(section, &level.normals));
      case SectionType::kUpsampling:
        return Opened(UpsamplingTable::Open(section, &level.upsampling));
      case SectionType::kBasis:
        return Opened(BasisTable::Open(section, &level.basis));
      case SectionType::kOwnBasis:
        return Opened(BasisTable::Open(section, &level.own_basis));
      case SectionType::kNetworks:
        return Opened(NetworkTable::Open(section, &level.networks));
      case SectionType::kOrder:
        if (section.size() % sizeof(uint32_t) != 0) return "a level's order of vertices is not whole";
        level.order = {reinterpret_cast<const uint32_t*>(section.data()), section.size() / sizeof(uint32_t)};
        return nullptr;
      default:
        if (section.size() % sizeof(format::SeamCopy) != 0) return "a level's list of seams is not whole";
        level.seams = {reinterpret_cast<const format::SeamCopy*>(section.data()),
                       section.size() / sizeof(format::SeamCopy)};
        return nullptr;
    }
  }

  const char* Skeleton(std::span<const std::byte> section) {
    const auto* h = HeaderOf<SkeletonHeader>(section);
    const uint64_t bytes = section.size();
    if (h == nullptr || h->joint_count < 1 || h->joint_count > format::kMaxJoints || h->slot_count < 1 ||
        h->slot_count > format::kMaxJoints || h->features > 2 || h->incremental > 1 ||
        !ArrayFits(h->parents_offset, h->joint_count, sizeof(int16_t), 0, bytes) ||
        !ArrayFits(h->rests_offset, h->joint_count, sizeof(Transform), 0, bytes) ||
        !ArrayFits(h->names_offset, h->joint_count + 1, sizeof(uint32_t), 0, bytes) || h->text_bytes > bytes ||
        !ArrayFits(h->text_offset, h->text_bytes, 1, 0, bytes) ||
        !ArrayFits(h->slot_joints_offset, h->slot_count, sizeof(int16_t), 0, bytes) ||
        !ArrayFits(h->inverse_binds_offset, h->slot_count, sizeof(Affine), 0, bytes)) {
      return "the bundle's skeleton does not fit into its section";
    }
    PointInto(h, h->parents_offset, &b_->parents_);
    PointInto(h, h->rests_offset, &b_->rests_);
    PointInto(h, h->names_offset, &b_->names_);
    PointInto(h, h->text_offset, &b_->text_);
    PointInto(h, h->slot_joints_offset, &b_->slot_joints_);
    PointInto(h, h->inverse_binds_offset, &b_->inverse_binds_);
    bool right = b_->names_[0] <= b_->names_[h->joint_count] && b_->names_[h->joint_count] <= h->text_bytes;
    for (uint32_t j = 0; j < h->joint_count; ++j) {
      right &= b_->parents_[j] < static_cast<int>(j) && b_->names_[j] <= b_->names_[j + 1];
    }
    for (uint32_t s = 0; s < h->slot_count; ++s) right &= b_->slot_joints_[s] < static_cast<int>(h->joint_count);
    if (!right) return "the bundle's skeleton names a joint that does not exist";
    if (!AllFinite(&h->height, 1) ||
        !AllFinite(reinterpret_cast<const float*>(b_->rests_), h->joint_count * (sizeof(Transform) / sizeof(float))) ||
        !AllFinite(reinterpret_cast<const float*>(b_->inverse_binds_),
                   h->slot_count * (sizeof(Affine) / sizeof(float)))) {
      return "the bundle's skeleton has a number that is not finite";
    }
    b_->skeleton_ = h;
    return nullptr;
  }

  static const char* Rest(std::span<const std::byte> section, BundleLevel& level) {
    const auto* h = HeaderOf<RestHeader>(section);
    const uint64_t bytes = section.size();
    if (h == nullptr || h->vertex_count > 0x7fffff00 ||
        !ArrayFits(h->positions_offset, h->vertex_count, sizeof(Float3), 16, bytes) ||
        !ArrayFits(h->normals_offset, h->has_normals != 0 ? h->vertex_count : 0, sizeof(Float3), 0, bytes) ||
        !ArrayFits(h->tangents_offset, h->has_tangents != 0 ? h->vertex_count : 0, sizeof(Float4), 0, bytes)) {
      return "a level's rest shape does not fit into its section";
    }
    const Float3 *positions = nullptr, *normals = nullptr;
    const Float4* tangents = nullptr;
    PointInto(h, h->positions_offset, &positions);
    PointInto(h, h->normals_offset, &normals);
    PointInto(h, h->tangents_offset, &tangents);
    const uint64_t count = h->vertex_count;
    const uint64_t normal_count = h->has_normals != 0 ? count : 0, tangent_count = h->has_tangents != 0 ? count : 0;
    if (!AllFinite(reinterpret_cast<const float*>(positions), 3 * count) ||
        !AllFinite(reinterpret_cast<const float*>(normals), 3 * normal_count) ||
        !AllFinite(reinterpret_cast<const float*>(tangents), 4 * tangent_count)) {
      return "a level's rest shape has a number that is not finite";
    }
    level.vertex_count = static_cast<int>(count);
    level.rest_positions = {positions, static_cast<size_t>(count)};
    level.rest_normals = {normals, static_cast<size_t>(normal_count)};
    level.rest_tangents = {tangents, static_cast<size_t>(tangent_count)};
    return nullptr;
  }

  static const char* Triangles(std::span<const std::byte> section, BundleLevel& level) {
    const auto* h = HeaderOf<TrianglesHeader>(section);
    if (h == nullptr || h->triangle_count > 0x7fffffff || h->narrow > 1) return "a level's triangles are damaged";
    const uint64_t groups = (uint64_t{h->triangle_count} + format::kTriangleGroup - 1) / format::kTriangleGroup;
    if (!ArrayFits(h->firsts_offset, groups, sizeof(uint32_t), 0, section.size()) ||
        !ArrayFits(h->corners_offset, uint64_t{h->triangle_count} * 3, h->narrow != 0 ? 2 : 4, 0, section.size())) {
      return "a level's triangles do not fit into their section";
    }
    level.triangles = h;
    level.triangle_count = static_cast<int>(h->triangle_count);
    return nullptr;
  }

  static const char* Texcoords(std::span<const std::byte> section, BundleLevel& level) {
    const auto* h = HeaderOf<TexcoordsHeader>(section);
    if (h == nullptr || !ArrayFits(h->values_offset, h->vertex_count, 2 * sizeof(uint16_t), 0, section.size())) {
      return "a level's texture coordinates do not fit into their section";
    }
    if (!AllFinite(h->min, 2) || !AllFinite(h->extent, 2)) return "a level's texture coordinates are not finite";
    level.texcoords = h;
    return nullptr;
  }

  bool ReferencesExist() const {
    const std::span<const int16_t> references = b_->references_;
    if (references.empty()) return true;
    if (references.size() != b_->parents().size()) return false;
    for (size_t j = 0; j < references.size(); ++j) {
      if (references[j] < 0) continue;
      const auto reference = static_cast<size_t>(references[j]);
      if (reference >= references.size() || reference == j) return false;
    }
    return true;
  }

  // Whether each network (test) has as many inputs as its joints have features.
  bool InputsMatch(const NetworkTable& table) const {
    const auto features = static_cast<uint32_t>(FeatureCount(b_->features()));
    for (int n = 0; n < table.network_count(); ++n) {
      if (table.network(n).inputs != uint64_t{table.network(n).joint_count} * features) return false;
    }
    return true;
  }
  bool InputsMatch(const RangeTable& table) const {
    const auto features = static_cast<uint32_t>(FeatureCount(b_->features()));
    for (int t = 0; t < table.test_count(); ++t) {
      if (table.test(t).features != uint64_t{table.test(t).joint_count} * features) return false;
    }
    return true;
  }

  const char* WholeLevel(int i, const BundleLevel& level) const {
    if (level.rest_positions.empty() || level.skin.empty() || level.triangles == nullptr) {
      return "a level of the bundle has no shape, no weights or no triangles";
    }
    const int vertices = level.vertex_count;
    if (!EmptyOrOfSize(level.rest_normals, vertices) || !EmptyOrOfSize(level.rest_tangents, vertices) ||
        level.skin.vertex_count() != vertices ||
        level.skin.joint_count() > static_cast<int>(b_->skeleton_->slot_count) ||
        (!level.normals.empty() && level.normals.vertex_count() != vertices) ||
        (!level.basis.empty() && level.basis.vertex_count() != vertices) ||
        (!level.own_basis.empty() && level.own_basis.vertex_count() != vertices) ||
        (level.texcoords != nullptr && level.texcoords->vertex_count != static_cast<uint32_t>(vertices)) ||
        !EmptyOrOfSize(level.order, vertices)) {
      return "tables of one level of the bundle have different numbers of vertices";
    }
    if (i > 1 && (level.upsampling.empty() || level.upsampling.fine_count() != vertices ||
                  level.upsampling.coarse_count() != b_->levels_[i - 2].vertex_count)) {
      return "a level of the bundle does not fit to the coarser one";
    }
    if (!FitsNetworks(level.basis, level) || !FitsNetworks(level.own_basis, level) ||
        (level.basis.empty() && level.own_basis.empty() && level.coefficient_count() != 0)) {
      return "a level's networks and modes do not fit together";
    }
    if (level.networks.joint_bound() > b_->joint_count() || level.networks.range_bound() > b_->ranges_.test_count() ||
        !InputsMatch(level.networks)) {
      return "a network of the bundle names a joint or a range test that does not exist";
    }
    return IndicesAreInBounds(level) ? nullptr : "a level of the bundle names a vertex that does not exist";
  }

  template <typename Span>
  static bool EmptyOrOfSize(const Span& span, int vertices) {
    return span.empty() || span.size() == static_cast<size_t>(vertices);
  }

  static bool FitsNetworks(const BasisTable& basis, const BundleLevel& level) {
    return basis.empty() || basis.coefficient_count() == level.coefficient_count();
  }

  static bool IndicesAreInBounds(const BundleLevel& level) {
    const auto vertices = static_cast<uint32_t>(level.vertex_count);
    bool right = AllBelow(level.order.data(), level.order.size(), vertices);
    for (const format::SeamCopy& seam : level.seams) right &= seam.from < vertices && seam.to < vertices;
    return right && (level.triangles->narrow != 0 ? CornersAreInBounds<uint16_t>(*level.triangles, vertices)
                                                  : CornersAreInBounds<uint32_t>(*level.triangles, vertices));
  }

  template <typename Corner>
  static bool CornersAreInBounds(const TrianglesHeader& triangles, uint32_t vertices) {
    constexpr uint32_t kGroup = format::kTriangleGroup;
    const uint32_t* firsts = nullptr;
    const Corner* corners = nullptr;
    PointInto(&triangles, triangles.firsts_offset, &firsts);
    PointInto(&triangles, triangles.corners_offset, &corners);
    bool right = true;
    for (uint32_t t = 0; t < triangles.triangle_count; t += kGroup) {
      const uint32_t left = triangles.triangle_count - t, first = firsts[t / kGroup];
      const uint64_t count = uint64_t{3} * (left < kGroup ? left : kGroup);
      right &= first < vertices && AllBelow(corners + uint64_t{3} * t, count, vertices - first);
    }
    return right;
  }

  static constexpr uint32_t kTypes = 32;  // section types that seen_ has bits for: all that are defined
  std::span<const std::byte> bytes_;
  Bundle* b_;
  uint32_t seen_[format::kMaxLevels + 1] = {};  // per level, 0 for the character: a bit for each type already read
};

void BundleLevel::Triangle(int t, uint32_t (&vertices)[3]) const noexcept {
  const uint32_t* firsts = nullptr;
  const uint16_t* narrow = nullptr;
  const uint32_t* wide = nullptr;
  PointInto(triangles, triangles->firsts_offset, &firsts);
  PointInto(triangles, triangles->corners_offset, &narrow);
  PointInto(triangles, triangles->corners_offset, &wide);
  const uint32_t first = firsts[static_cast<uint32_t>(t) / format::kTriangleGroup];
  for (size_t c = 0; c < 3; ++c) {
    const size_t at = 3 * static_cast<size_t>(t) + c;
    vertices[c] = first + (triangles->narrow != 0 ? narrow[at] : wide[at]);
  }
}

void BundleLevel::Texcoord(int v, float (&uv)[2]) const noexcept {
  const uint16_t* values = nullptr;
  PointInto(texcoords, texcoords->values_offset, &values);
  for (int k = 0; k < 2; ++k) {
    uv[k] =
        texcoords->min[k] + texcoords->extent[k] * static_cast<float>(values[2 * static_cast<size_t>(v) + k]) / 65535;
  }
}

std::string_view Bundle::joint_name(int joint) const {
  return {text_ + names_[joint], names_[joint + 1] - names_[joint]};
}

int Bundle::FindJoint(std::string_view name) const noexcept {
  for (int j = 0; j < joint_count(); ++j) {
    if (joint_name(j) == name) return j;
  }
  return -1;
}

Status Bundle::Open(std::span<const std::byte> bytes, Bundle* bundle, const char** problem) noexcept {
  const char* wrong = "there is no place to open the bundle to";
  bool newer = false;
  if (bundle != nullptr) {
    *bundle = Bundle();
    Reader reader(bytes, bundle);
    wrong = reader.Frame(&newer);
    for (size_t s = 0; wrong == nullptr && s < bundle->sections_.size(); ++s) {
      wrong = reader.Section(bundle->sections_[s], &newer);
    }
    if (wrong == nullptr) wrong = reader.Whole();
    if (wrong != nullptr) *bundle = Bundle();
  }
  if (problem != nullptr) *problem = wrong;
  return wrong == nullptr ? Status::kOk : newer ? Status::kUnsupported : Status::kInvalidArgument;
}

}  // namespace sinew::runtime
