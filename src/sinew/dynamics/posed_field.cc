#include "sinew/dynamics/posed_field.h"

namespace sinew::dynamics {
namespace {

constexpr size_t kLanes = FieldBatch::kLanes;

// y += a x.
void AddScaled(double a, const float* x, int n, double* y) {
  for (int i = 0; i < n; ++i) y[i] += a * static_cast<double>(x[i]);
}

}  // namespace

size_t PosedField::ScratchNumbers(const ObjectTable& object, int width) noexcept {
  const auto handles = static_cast<size_t>(object.handle_count()), units = static_cast<size_t>(width);
  const size_t rows = 2 + static_cast<size_t>(object.state_size());
  // g, and per lane: z-bar and r, weights, both layers, their slopes by both coordinates, slopes by rows.
  return handles * units + kLanes * (4 + handles + 6 * units + 2 * rows);
}

void PosedField::Pose(const FieldTable& field, const ObjectTable& object, const PlanePose& pose, const double* state,
                      double* scratch) noexcept {
  object_ = &object;
  pose_ = pose;
  const int width = field.width();
  const auto handles = static_cast<size_t>(object.handle_count()), units = static_cast<size_t>(width);
  const auto take = [&](size_t numbers) {
    double* part = scratch;
    scratch += numbers;
    return part;
  };
  // Rows of a batch first: their length is that of whole cache lines.
  batch_.field = &field;
  batch_.handles = object.handle_count();
  batch_.place = take(2 * kLanes);
  batch_.r = take(2 * kLanes);
  batch_.weights = take(handles * kLanes);
  batch_.first = take(units * kLanes);
  batch_.second = take(units * kLanes);
  batch_.back = take(2 * units * kLanes);
  batch_.back_second = take(2 * units * kLanes);
  batch_.by_row = take(2 * static_cast<size_t>(batch_.row_count()) * kLanes);
  batch_.g = g_ = take(handles * units);
  for (int k = 0; k < object.basis_count(); ++k) handle_of_[k] = -1;
  for (int h = 0; h < object.handle_count(); ++h) {
    const int first = static_cast<int>(object.handle(h).first), position = object.PositionBasis(h);
    handle_of_[position] = h;
    double* row = g_ + static_cast<size_t>(h) * units;
    for (int i = 0; i < width; ++i) row[i] = 0;
    // T^-1 x: columns of matrices are turned, positions are carried.
    for (int k = first; k <= position; ++k) {
      const double x = state[2 * k] - (k == position ? pose.position[0] : 0);
      const double y = state[2 * k + 1] - (k == position ? pose.position[1] : 0);
      AddScaled(pose.cosine * x + pose.sine * y, field.state(k, 0), width, row);
      AddScaled(pose.cosine * y - pose.sine * x, field.state(k, 1), width, row);
    }
  }
}

void PosedField::Displace(const SparseRows& rows, const FieldPoint* points, int count, double* u) const noexcept {
  for (size_t i = 0; i < 2 * kLanes; ++i) batch_.place[i] = 0;
  for (size_t i = 0; i < kLanes * static_cast<size_t>(batch_.handles); ++i) batch_.weights[i] = 0;
  for (int p = 0; p < count; ++p) {
    const FieldPoint& point = points[p];
    const double dx = point.x - pose_.position[0], dy = point.y - pose_.position[1];
    double* lane = batch_.place + p;
    lane[0] = pose_.cosine * dx + pose_.sine * dy;
    lane[kLanes] = pose_.cosine * dy - pose_.sine * dx;
    for (uint32_t i = rows.starts[point.row]; i < rows.starts[point.row + 1]; ++i) {
      const int h = handle_of_[rows.basis[i]];
      if (h >= 0) batch_.weights[static_cast<size_t>(h) * kLanes + static_cast<size_t>(p)] = rows.values[i];
    }
  }
  EvaluateBatch(batch_);
  for (int p = 0; p < count; ++p) {
    const double x = batch_.r[p], y = batch_.r[kLanes + static_cast<size_t>(p)];
    u[2 * p] = pose_.cosine * x - pose_.sine * y;
    u[2 * p + 1] = pose_.sine * x + pose_.cosine * y;
  }
}

void PosedField::DisplaceAndDerive(const SparseRows& rows, const FieldPoint* points, int count,
                                   double* u) const noexcept {
  Displace(rows, points, count, u);
  DeriveBatch(batch_);
}

void PosedField::Jacobian(const SparseRows& rows, const FieldPoint* points, int index,
                          double* jacobian) const noexcept {
  const int n = object_->state_size(), row = points[index].row;
  for (int i = 0; i < 2 * n; ++i) jacobian[i] = 0;
  // By z-bar, which all functions move.
  const runtime::PlaneMatrix by_place = Turned(0, index);
  for (uint32_t i = rows.starts[row]; i < rows.starts[row + 1]; ++i) {
    AddBlock(rows.basis[i], rows.values[i], by_place, jacobian);
    const int h = handle_of_[rows.basis[i]];
    if (h < 0) continue;
    // By the numbers of a handle that has a weight here.
    for (int k = static_cast<int>(object_->handle(h).first); k <= object_->PositionBasis(h); ++k) {
      AddBlock(k, rows.values[i], Turned(2 + 2 * k, index), jacobian);
    }
  }
}

// Returns R J R' with J the derivatives of r by a vector that this row of the first layer and the next one take in.
runtime::PlaneMatrix PosedField::Turned(int row, int lane) const noexcept {
  const double* x = batch_.by_row + static_cast<size_t>(row) * kLanes + static_cast<size_t>(lane);
  const double* y = x + static_cast<size_t>(batch_.row_count()) * kLanes;
  const runtime::PlaneMatrix R{pose_.cosine, -pose_.sine, pose_.sine, pose_.cosine};
  return Multiply(Multiply(R, {x[0], x[kLanes], y[0], y[kLanes]}), Transpose(R));
}

void PosedField::AddBlock(int basis, double weight, const runtime::PlaneMatrix& block,
                          double* jacobian) const noexcept {
  double* x = jacobian + 2 * basis;
  double* y = x + object_->state_size();
  x[0] += weight * block.xx;
  x[1] += weight * block.xy;
  y[0] += weight * block.yx;
  y[1] += weight * block.yy;
}

}  // namespace sinew::dynamics
