#include "sinew/dynamics/dents.h"

#include "sinew/dynamics/incremental_potential.h"

namespace sinew::dynamics {
namespace {

// Window of a distance, and its slope.
double WindowOf(double distance, double reach, double* slope) {
  *slope = 0;
  if (!(distance > 0)) return 1;
  const double t = distance / reach;
  if (!(t < 1)) return 0;
  *slope = -6 * t * (1 - t) / reach;
  return 1 - t * t * (3 - 2 * t);
}

bool HasField(const Collider& collider) { return collider.on && collider.field != nullptr; }

// Gradients of the hat functions of a triangle; returns whether it has an area.
bool HatGradients(const double* rest, const uint32_t* nodes, double gradients[6]) {
  const double *a = rest + 2 * size_t{nodes[0]}, *b = rest + 2 * size_t{nodes[1]}, *c = rest + 2 * size_t{nodes[2]};
  const double bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1];
  const double twice = bx * cy - by * cx;
  if (!(twice > 1e-18)) return false;
  gradients[2] = cy / twice;
  gradients[3] = -cx / twice;
  gradients[4] = -by / twice;
  gradients[5] = bx / twice;
  gradients[0] = -gradients[2] - gradients[4];
  gradients[1] = -gradients[3] - gradients[5];
  return true;
}

}  // namespace

void Dents::Take(const ObjectTable& object, int width, Parts& parts) noexcept {
  object_ = &object;
  width_ = width;
  const auto elements = static_cast<size_t>(object.element_count()), nodes = static_cast<size_t>(object.node_count());
  const size_t corners = 3 * elements < nodes ? 3 * elements : nodes;
  const size_t ends = 2 * static_cast<size_t>(object.boundary_count());
  const size_t sites = corners + ends < nodes ? corners + ends : nodes;
  parts.Take(elements, &elements_);
  parts.Take(sites, &nodes_);
  parts.Take(nodes, &site_of_node_);
  parts.Take(corners, &corner_masses_);
  parts.Take(sites, &moves_);
  parts.Take(2 * sites, &u_);
  parts.Take(2 * sites * state_size(), &jacobians_);
  parts.Take(state_size(), &gate_slopes_);
  parts.Take(PosedField::ScratchNumbers(object, width), &units_);
  parts.Take(8 * state_size(), &work_);
}

// Makes a node a site, if it is not one yet.
int Dents::SiteOf(uint32_t node) noexcept {
  int& site = site_of_node_[node];
  if (site < 0) {
    site = site_count_++;
    nodes_[site] = static_cast<int>(node);
  }
  return site;
}

bool Dents::Open() noexcept {
  for (int n = 0; n < object_->node_count(); ++n) site_of_node_[n] = -1;
  site_count_ = 0;
  for (int e = 0; e < object_->element_count(); ++e) {
    const uint32_t* nodes = object_->triangles() + 3 * size_t{object_->sources()[e]};
    if (!HatGradients(object_->rest(), nodes, elements_[e].gradients)) return false;
    for (int k = 0; k < 3; ++k) {
      const int before = site_count_, site = SiteOf(nodes[k]);
      if (site == before) corner_masses_[site] = 0;
      corner_masses_[site] += object_->header().density * object_->areas()[e] / 3;
      elements_[e].sites[k] = site;
    }
  }
  corner_count_ = site_count_;
  for (int p = 0; p < object_->point_count(); ++p) {
    for (size_t end = 0; end < 2; ++end) SiteOf(object_->boundary()[2 * size_t{object_->edges()[p]} + end]);
  }
  acts_ = false;
  return true;
}

bool Dents::Accepts(const FieldTable& field) const noexcept {
  return is_open() && field.is_open() && field.width() <= width_ && field.Fits(*object_);
}

// Returns the gate of a collider, 0 if nothing of x~ is inside of it, and sets its derivatives.
double Dents::Feel(const Collider& collider, const double* state, bool derive) const noexcept {
  const SparseRows points = object_->points();
  double S = 0;
  for (size_t i = 0; derive && i < state_size(); ++i) gate_slopes_[i] = 0;
  for (int p = 0; p < object_->point_count(); ++p) {
    double x = 0, y = 0;
    PositionOf(points, p, state, &x, &y);
    const runtime::PlaneDistanceSample sample = collider.Distance(collider.pose, x, y);
    if (!(sample.distance < 0)) continue;
    const double length = object_->lengths()[p];
    S += length * sample.distance * sample.distance;
    for (uint32_t i = points.starts[p]; derive && i < points.starts[p + 1]; ++i) {
      const double slope = 2 * length * sample.distance * points.values[i];
      gate_slopes_[2 * points.basis[i]] += slope * sample.gradient_x;
      gate_slopes_[2 * points.basis[i] + 1] += slope * sample.gradient_y;
    }
  }
  const double touch = collider.field->header().touch, part = 1 / (1 + S / touch);
  const double slope = 2 * part * part * part / touch;
  for (size_t i = 0; derive && i < state_size(); ++i) gate_slopes_[i] *= slope;
  return S > 0 ? 1 - part * part : 0;
}

// Sites of the window, at most PosedField::kBatch, that are evaluated together.
struct Dents::Batch {
  static constexpr int kMost = PosedField::kBatch;

  int count = 0;
  FieldPoint points[kMost];
  int sites[kMost];
  double window[kMost], slope[kMost], gradient[kMost][2], u[2 * kMost];

  // Takes a point if it is in the window of a collider.
  void Take(const Collider& collider, int site, const FieldPoint& point) noexcept {
    const runtime::PlaneDistanceSample sample = collider.Distance(collider.pose, point.x, point.y);
    const double share = WindowOf(sample.distance, collider.field->header().window, &slope[count]);
    if (!(share > 0)) return;
    points[count] = point;
    sites[count] = site;
    window[count] = share;
    gradient[count][0] = sample.gradient_x;
    gradient[count][1] = sample.gradient_y;
    ++count;
  }
  bool full() const { return count == kMost; }
};

FieldPoint Dents::PointOf(int node, const double* state) const noexcept {
  FieldPoint point{.row = node};
  PositionOf(object_->nodes(), node, state, &point.x, &point.y);
  return point;
}

// Adds a batch to its sites, and empties it.
void Dents::AddBatch(double gate, bool derive, Batch& batch) noexcept {
  const SparseRows rows = object_->nodes();
  const size_t n = state_size();
  if (derive) {
    field_.DisplaceAndDerive(rows, batch.points, batch.count, batch.u);
  } else {
    field_.Displace(rows, batch.points, batch.count, batch.u);
  }
  for (int b = 0; b < batch.count; ++b) {
    const int site = batch.sites[b], row = batch.points[b].row;
    const double window = batch.window[b], *own = batch.u + 2 * static_cast<size_t>(b);
    double* u = u_ + 2 * static_cast<size_t>(site);
    double* J = jacobians_ + 2 * static_cast<size_t>(site) * n;
    if (moves_[site] == 0) {
      u[0] = u[1] = 0;
      for (size_t i = 0; derive && i < 2 * n; ++i) J[i] = 0;
      moves_[site] = 1;
    }
    for (size_t r = 0; r < 2; ++r) u[r] += gate * window * own[r];
    if (!derive) continue;
    double* by_field = work_;
    field_.Jacobian(rows, batch.points, b, by_field);
    for (size_t r = 0; r < 2; ++r) {
      for (size_t i = 0; i < n; ++i) {
        J[r * n + i] += gate * window * by_field[r * n + i] + window * own[r] * gate_slopes_[i];
      }
      for (uint32_t i = rows.starts[row]; i < rows.starts[row + 1]; ++i) {
        const double by_window = gate * batch.slope[b] * own[r] * rows.values[i];
        for (size_t k = 0; k < 2; ++k) J[r * n + 2 * size_t{rows.basis[i]} + k] += by_window * batch.gradient[b][k];
      }
    }
  }
  batch.count = 0;
}

bool Dents::Evaluate(std::span<const Collider> colliders, const double* state, bool derive) noexcept {
  acts_ = false;
  for (const Collider& collider : colliders) {
    if (!HasField(collider)) continue;
    const double gate = Feel(collider, state, derive);
    if (!(gate > 0)) continue;
    for (int s = 0; !acts_ && s < site_count_; ++s) moves_[s] = 0;
    acts_ = true;
    field_.Pose(*collider.field, *object_, collider.pose, state, units_);
    Batch batch;
    for (int s = 0; s < site_count_; ++s) {
      batch.Take(collider, s, PointOf(nodes_[s], state));
      if (batch.full()) AddBatch(gate, derive, batch);
    }
    if (batch.count > 0) AddBatch(gate, derive, batch);
  }
  return acts_;
}

void Dents::AddToPoint(int point, double* x, double* y) const noexcept {
  if (!moves_point(point)) return;
  const double share = object_->shares()[point];
  for (int end = 0; end < 2; ++end) {
    const int site = End(point, end);
    if (!moves(site)) continue;
    const double weight = end == 0 ? 1 - share : share;
    *x += weight * u(site)[0];
    *y += weight * u(site)[1];
  }
}

void Dents::DerivePoint(int point, double* rows) const noexcept {
  const size_t numbers = 2 * state_size();
  const double share = object_->shares()[point];
  for (size_t i = 0; i < numbers; ++i) rows[i] = 0;
  for (int end = 0; end < 2; ++end) {
    const int site = End(point, end);
    if (!moves(site)) continue;
    const double weight = end == 0 ? 1 - share : share;
    for (size_t i = 0; i < numbers; ++i) rows[i] += weight * jacobian(site)[i];
  }
}

void Dents::AddToNodes(std::span<const Collider> colliders, const double* state, double* positions) const noexcept {
  const SparseRows nodes = object_->nodes();
  for (const Collider& collider : colliders) {
    if (!HasField(collider)) continue;
    const double gate = Feel(collider, state, false);
    if (!(gate > 0)) continue;
    field_.Pose(*collider.field, *object_, collider.pose, state, units_);
    Batch batch;
    for (int i = 0; i < object_->node_count(); ++i) {
      batch.Take(collider, i, PointOf(i, state));
      if (!batch.full() && i + 1 < object_->node_count()) continue;
      field_.Displace(nodes, batch.points, batch.count, batch.u);
      for (int b = 0; b < batch.count; ++b) {
        double* at = positions + 2 * static_cast<size_t>(batch.sites[b]);
        for (int r = 0; r < 2; ++r) at[r] += gate * batch.window[b] * batch.u[2 * b + r];
      }
      batch.count = 0;
    }
  }
}

void Dents::AddDeformation(int e, runtime::PlaneMatrix* F) const noexcept {
  if (!moves_element(e)) return;
  for (int k = 0; k < 3; ++k) {
    const int site = elements_[e].sites[k];
    if (!moves(site)) continue;
    const double* g = elements_[e].gradients + 2 * k;
    F->xx += u(site)[0] * g[0];
    F->xy += u(site)[0] * g[1];
    F->yx += u(site)[1] * g[0];
    F->yy += u(site)[1] * g[1];
  }
}

}  // namespace sinew::dynamics
