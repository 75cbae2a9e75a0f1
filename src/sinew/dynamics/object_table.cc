#include "sinew/dynamics/object_table.h"

#include "sinew/runtime/base/block_checks.h"
#include "sinew/runtime/base/checksum.h"

namespace sinew::dynamics {
namespace {

using runtime::ArrayFits;
using runtime::Status;

// Largest number that is believed: products of several stay far below overflow.
constexpr double kLargest = 1e12;

bool Within(double value, double least, double most) { return value >= least && value <= most; }

// NaN is in no range.
bool AllWithin(const double* values, uint64_t count, double least, double most) {
  bool within = true;
  for (uint64_t i = 0; i < count; ++i) within &= Within(values[i], least, most);
  return within;
}

bool RowsFit(const ObjectTable::Rows& rows, uint32_t width, uint64_t bytes) {
  return rows.row_count >= 1 && rows.row_count <= ObjectTable::kMaxRows &&
         ArrayFits(rows.starts_offset, rows.row_count + 1, sizeof(uint32_t), 0, bytes) &&
         ArrayFits(rows.basis_offset, rows.entry_count, sizeof(uint16_t), 0, bytes) &&
         ArrayFits(rows.values_offset, uint64_t{rows.entry_count} * width, sizeof(double), 0, bytes);
}

bool CountsAreSound(const ObjectTable::Header& h) {
  return (h.dimension == 2 || h.dimension == 3) && h.handle_count >= 1 && h.basis_count >= 1 &&
         h.basis_count <= ObjectTable::kMaxBasis && h.handle_count <= h.basis_count && h.node_count > h.dimension &&
         h.node_count <= ObjectTable::kMaxRows && h.cell_count >= 1 && h.cell_count <= ObjectTable::kMaxRows &&
         h.boundary_count > h.dimension && h.boundary_count <= ObjectTable::kMaxRows &&
         h.nodes.row_count == h.node_count;
}

}  // namespace

Status ObjectTable::Open(std::span<const std::byte> block, ObjectTable* table) noexcept {
  const auto* header = runtime::HeaderOf<Header>(block);
  if (table == nullptr || header == nullptr || header->magic != Header::kMagic) return Status::kInvalidArgument;
  if (header->version > Header::kVersion) return Status::kUnsupported;
  constexpr size_t kSummed = offsetof(Header, bytes);
  if (header->version != Header::kVersion || header->bytes != block.size() ||
      block.size() % runtime::kBlockAlignment != 0 || header->checksum != runtime::Checksum(block.subspan(kSummed))) {
    return Status::kInvalidArgument;
  }
  ObjectTable opened;
  opened.header_ = header;
  const int dimension = opened.dimension();
  if (!CountsAreSound(*header) || !opened.ArraysFit() || !opened.HandlesAreSound() || !opened.NumbersAreSound() ||
      !opened.RowsAreSound(header->nodes, 1) || !opened.RowsAreSound(header->elements, dimension) ||
      !opened.RowsAreSound(header->points, 1) || !opened.KeepsTranslations(header->nodes, 1, 1) ||
      !opened.KeepsTranslations(header->points, 1, 1) || !opened.KeepsTranslations(header->elements, dimension, 0)) {
    return Status::kInvalidArgument;
  }
  *table = opened;
  return Status::kOk;
}

bool ObjectTable::ArraysFit() const noexcept {
  const Header& h = *header_;
  const auto fits = [&](uint64_t offset, uint64_t count, size_t element) {
    return ArrayFits(offset, count, static_cast<uint32_t>(element), 0, h.bytes);
  };
  const uint64_t d = h.dimension;
  return fits(h.handles_offset, h.handle_count, sizeof(Handle)) &&
         fits(h.rest_offset, d * h.node_count, sizeof(double)) &&
         fits(h.cells_offset, (d + 1) * h.cell_count, sizeof(uint32_t)) &&
         fits(h.boundary_offset, d * h.boundary_count, sizeof(uint32_t)) &&
         fits(h.mass_offset, uint64_t{h.basis_count} * h.basis_count, sizeof(double)) &&
         fits(h.element_measures_offset, h.elements.row_count, sizeof(double)) &&
         fits(h.point_measures_offset, h.points.row_count, sizeof(double)) &&
         fits(h.sources_offset, h.elements.row_count, sizeof(uint32_t)) &&
         fits(h.facets_offset, h.points.row_count, sizeof(uint32_t)) &&
         fits(h.shares_offset, (d - 1) * h.points.row_count, sizeof(double)) && RowsFit(h.nodes, 1, h.bytes) &&
         RowsFit(h.elements, h.dimension, h.bytes) && RowsFit(h.points, 1, h.bytes);
}

bool ObjectTable::HandlesAreSound() const noexcept {
  uint32_t next = 0;
  for (int i = 0; i < handle_count(); ++i) {
    const Handle& h = handle(i);
    const bool is_frame = h.kind == HandleKind::kFrame;
    if ((!is_frame && h.kind != HandleKind::kPoint) || h.first != next || !AllWithin(h.centre, 3, -1e6, 1e6) ||
        !Within(h.radius, 1e-6, 1e6)) {
      return false;
    }
    next += is_frame ? header_->dimension + 1 : 1;
  }
  return next == header_->basis_count;
}

bool ObjectTable::NumbersAreSound() const noexcept {
  const Header& h = *header_;
  const uint64_t d = h.dimension;
  bool sound = Within(h.mu, 1e-6, kLargest) && Within(h.lambda, 0, kLargest) && Within(h.density, 1e-6, 1e6) &&
               Within(h.contact_stiffness, 0, 1e18) && Within(h.size, 1e-6, 1e6) &&
               AllWithin(rest(), d * h.node_count, -1e6, 1e6) &&
               AllWithin(element_measures(), h.elements.row_count, 0, kLargest) &&
               AllWithin(point_measures(), h.points.row_count, 0, kLargest) &&
               runtime::AllBelow(cells(), (d + 1) * h.cell_count, h.node_count) &&
               runtime::AllBelow(sources(), h.elements.row_count, h.cell_count) &&
               runtime::AllBelow(facets(), h.points.row_count, h.boundary_count) &&
               AllWithin(shares(), (d - 1) * h.points.row_count, 0, 1) &&
               runtime::AllBelow(boundary(), d * h.boundary_count, h.node_count) &&
               AllWithin(mass(), uint64_t{h.basis_count} * h.basis_count, -kLargest, kLargest);
  for (uint32_t k = 0; sound && k < h.basis_count; ++k) {
    for (uint32_t l = 0; l < k; ++l) sound &= mass()[k * h.basis_count + l] == mass()[l * h.basis_count + k];
  }
  return sound;
}

bool ObjectTable::RowsAreSound(const Rows& rows, int width) const noexcept {
  const SparseRows view = View(rows);
  if (view.starts[0] != 0 || view.starts[rows.row_count] != rows.entry_count) return false;
  for (uint32_t r = 0; r < rows.row_count; ++r) {
    // Each start before it is used: entries that are read lie below the last one.
    if (view.starts[r] >= view.starts[r + 1] || view.starts[r + 1] > rows.entry_count) return false;
    for (uint32_t i = view.starts[r]; i < view.starts[r + 1]; ++i) {
      if (view.basis[i] >= header_->basis_count) return false;
      if (i > view.starts[r] && view.basis[i] <= view.basis[i - 1]) return false;
    }
  }
  return AllWithin(view.values, uint64_t{rows.entry_count} * static_cast<uint32_t>(width), -kLargest, kLargest);
}

// Whether a shift of all positions shifts every row: positions' values sum to 1, and their gradients to 0. Momentum is
// kept because of it.
bool ObjectTable::KeepsTranslations(const Rows& rows, int width, double sum) const noexcept {
  bool carries_position[kMaxBasis] = {};
  for (int h = 0; h < handle_count(); ++h) carries_position[PositionBasis(h)] = true;
  const SparseRows view = View(rows);
  bool keeps = true;
  for (uint32_t r = 0; r < rows.row_count; ++r) {
    for (int k = 0; k < width; ++k) {
      double total = 0, largest = 1;
      for (uint32_t i = view.starts[r]; i < view.starts[r + 1]; ++i) {
        if (!carries_position[view.basis[i]]) continue;
        const double value = view.values[static_cast<size_t>(i) * width + k];
        total += value;
        largest = value > largest ? value : (-value > largest ? -value : largest);
      }
      keeps &= Within(total - sum, -1e-6 * largest, 1e-6 * largest);
    }
  }
  return keeps;
}

void ObjectTable::RestState(double* state) const noexcept {
  const int d = dimension();
  for (int i = 0; i < state_size(); ++i) state[i] = 0;
  for (int h = 0; h < handle_count(); ++h) {
    const Handle& own = handle(h);
    for (int r = 0; own.kind == HandleKind::kFrame && r < d; ++r) {
      state[d * (static_cast<int>(own.first) + r) + r] = 1;
    }
    for (int r = 0; r < d; ++r) state[d * PositionBasis(h) + r] = own.centre[r];
  }
}

}  // namespace sinew::dynamics
