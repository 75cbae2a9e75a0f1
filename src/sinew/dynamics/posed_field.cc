#include "sinew/dynamics/posed_field.h"

#include "sinew/runtime/kernels/smooth_tanh.h"

namespace sinew::dynamics {
namespace {

// y += a x.
void AddScaled(double a, const float* x, int n, double* y) {
  for (int i = 0; i < n; ++i) y[i] += a * static_cast<double>(x[i]);
}
void AddScaled(double a, const double* x, int n, double* y) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}

// Dot product in a fixed order that compilers vectorise: eight partial sums.
double WideDot(const float* a, const double* b, int n) {
  double sums[8] = {};
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    for (int k = 0; k < 8; ++k) sums[k] += static_cast<double>(a[i + k]) * b[i + k];
  }
  double rest = 0;
  for (; i < n; ++i) rest += static_cast<double>(a[i]) * b[i];
  return rest + (((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7])));
}

// Two of them at once, of one row with two rows of n numbers, so that it is loaded once.
struct Pair {
  double first = 0, second = 0;
};
Pair WideDots(const float* a, const double* b, int n) {
  const double* c = b + n;
  double sums[4] = {}, others[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; ++k) {
      const auto weight = static_cast<double>(a[i + k]);
      sums[k] += weight * b[i + k];
      others[k] += weight * c[i + k];
    }
  }
  Pair rest;
  for (; i < n; ++i) {
    rest.first += static_cast<double>(a[i]) * b[i];
    rest.second += static_cast<double>(a[i]) * c[i];
  }
  return {rest.first + ((sums[0] + sums[1]) + (sums[2] + sums[3])),
          rest.second + ((others[0] + others[1]) + (others[2] + others[3]))};
}

void TanhAll(double* values, int n) {
  for (int i = 0; i < n; ++i) values[i] = runtime::SmoothTanh(values[i]);
}

// out += sum_i units_i row_i, four rows at a time, so that the sums are loaded and stored less often.
void AddRows(const FieldTable& field, const double* units, int n, double* out) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const float *a = field.second(i), *b = field.second(i + 1), *c = field.second(i + 2), *d = field.second(i + 3);
    const double u0 = units[i], u1 = units[i + 1], u2 = units[i + 2], u3 = units[i + 3];
    for (int k = 0; k < n; ++k) {
      out[k] += (u0 * static_cast<double>(a[k]) + u1 * static_cast<double>(b[k])) +
                (u2 * static_cast<double>(c[k]) + u3 * static_cast<double>(d[k]));
    }
  }
  for (; i < n; ++i) AddScaled(units[i], field.second(i), n, out);
}

}  // namespace

size_t PosedField::ScratchNumbers(int handles, int width) noexcept {
  return static_cast<size_t>(handles + 6) * static_cast<size_t>(width);
}

void PosedField::Pose(const FieldTable& field, const ObjectTable& object, const PlanePose& pose, const double* state,
                      double* scratch) noexcept {
  field_ = &field;
  object_ = &object;
  pose_ = pose;
  width_ = field.width();
  const auto width = static_cast<size_t>(width_);
  g_ = scratch;
  first_ = g_ + static_cast<size_t>(object.handle_count()) * width;
  second_ = first_ + width;
  back_ = second_ + width;
  back_second_ = back_ + 2 * width;
  for (int k = 0; k < object.basis_count(); ++k) handle_of_[k] = -1;
  for (int h = 0; h < object.handle_count(); ++h) {
    const int first = static_cast<int>(object.handle(h).first), position = object.PositionBasis(h);
    handle_of_[position] = h;
    double* units = g_ + static_cast<size_t>(h) * width;
    for (int i = 0; i < width_; ++i) units[i] = 0;
    // T^-1 x: columns of matrices are turned, positions are carried.
    for (int k = first; k <= position; ++k) {
      const double x = state[2 * k] - (k == position ? pose.position[0] : 0);
      const double y = state[2 * k + 1] - (k == position ? pose.position[1] : 0);
      AddScaled(pose.cosine * x + pose.sine * y, field.state(k, 0), width_, units);
      AddScaled(pose.cosine * y - pose.sine * x, field.state(k, 1), width_, units);
    }
  }
}

// Leaves the units of the layers, and sets r, in the collider's space.
void PosedField::Hidden(const SparseRows& rows, int row, double x, double y, double r[2]) const noexcept {
  const double dx = x - pose_.position[0], dy = y - pose_.position[1];
  for (int i = 0; i < width_; ++i) first_[i] = static_cast<double>(field_->bias()[i]);
  AddScaled(pose_.cosine * dx + pose_.sine * dy, field_->place(0), width_, first_);
  AddScaled(pose_.cosine * dy - pose_.sine * dx, field_->place(1), width_, first_);
  for (uint32_t i = rows.starts[row]; i < rows.starts[row + 1]; ++i) {
    const int h = handle_of_[rows.basis[i]];
    if (h >= 0) AddScaled(rows.values[i], g_ + static_cast<size_t>(h) * static_cast<size_t>(width_), width_, first_);
  }
  TanhAll(first_, width_);
  const double* last = first_;
  if (field_->layers() == 2) {
    for (int i = 0; i < width_; ++i) second_[i] = static_cast<double>(field_->second_bias()[i]);
    AddRows(*field_, first_, width_, second_);
    TanhAll(second_, width_);
    last = second_;
  }
  for (int o = 0; o < 2; ++o) {
    r[o] = static_cast<double>(field_->output_bias()[o]) + WideDot(field_->output(o), last, width_);
  }
}

// Slopes of both coordinates of r by units before tanh, whose derivative is 1 - tanh^2.
void PosedField::Backward() const noexcept {
  const double* last = field_->layers() == 1 ? first_ : second_;
  double* slopes = field_->layers() == 1 ? back_ : back_second_;
  for (int o = 0; o < 2; ++o) {
    const float* output = field_->output(o);
    for (int i = 0; i < width_; ++i) slopes[o * width_ + i] = static_cast<double>(output[i]) * (1 - last[i] * last[i]);
  }
  for (int i = 0; field_->layers() == 2 && i < width_; ++i) {
    const Pair both = WideDots(field_->second(i), back_second_, width_);
    back_[i] = both.first * (1 - first_[i] * first_[i]);
    back_[width_ + i] = both.second * (1 - first_[i] * first_[i]);
  }
}

void PosedField::Displace(const SparseRows& rows, int row, double x, double y, double u[2]) const noexcept {
  double r[2];
  Hidden(rows, row, x, y, r);
  u[0] = pose_.cosine * r[0] - pose_.sine * r[1];
  u[1] = pose_.sine * r[0] + pose_.cosine * r[1];
}

void PosedField::DisplaceAndDerive(const SparseRows& rows, int row, double x, double y, double u[2],
                                   double* jacobian) const noexcept {
  Displace(rows, row, x, y, u);
  Backward();
  const int n = object_->state_size();
  for (int i = 0; i < 2 * n; ++i) jacobian[i] = 0;
  // By z-bar, which all functions move.
  const runtime::PlaneMatrix by_place = Turned(field_->place(0), field_->place(1));
  for (uint32_t i = rows.starts[row]; i < rows.starts[row + 1]; ++i) {
    AddBlock(rows.basis[i], rows.values[i], by_place, jacobian);
    const int h = handle_of_[rows.basis[i]];
    if (h < 0) continue;
    // By the numbers of a handle that has a weight here.
    for (int k = static_cast<int>(object_->handle(h).first); k <= object_->PositionBasis(h); ++k) {
      AddBlock(k, rows.values[i], Turned(field_->state(k, 0), field_->state(k, 1)), jacobian);
    }
  }
}

// Returns R J R' with J the derivatives of r by a vector that these two rows put into the first layer.
runtime::PlaneMatrix PosedField::Turned(const float* by_x, const float* by_y) const noexcept {
  const Pair x = WideDots(by_x, back_, width_), y = WideDots(by_y, back_, width_);
  const runtime::PlaneMatrix R{pose_.cosine, -pose_.sine, pose_.sine, pose_.cosine};
  return Multiply(Multiply(R, {x.first, y.first, x.second, y.second}), Transpose(R));
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
