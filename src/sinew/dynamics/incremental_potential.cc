#include "sinew/dynamics/incremental_potential.h"

#include <cmath>

#include "sinew/dynamics/dented_terms.h"
#include "sinew/runtime/kernels/plane_neo_hookean.h"

namespace sinew::dynamics {
namespace {

using runtime::PlaneMatrix;

runtime::NeoHookean MaterialOf(const ObjectTable& object) { return {object.header().mu, object.header().lambda}; }

// Numbers of a handle's state, and by what each is weighed in W_springs.
int CountOf(const ObjectTable::Handle& handle) { return handle.kind == HandleKind::kFrame ? 6 : 2; }
double WeightOf(const ObjectTable::Handle& handle, int number) {
  const bool is_matrix = handle.kind == HandleKind::kFrame && number < 4;
  return is_matrix ? handle.radius * handle.radius : 1;
}

PlaneMatrix DeformationOf(const SparseRows& elements, int e, const double* state) {
  PlaneMatrix F{0, 0, 0, 0};
  for (uint32_t i = elements.starts[e]; i < elements.starts[e + 1]; ++i) {
    const double* Q = state + 2 * elements.basis[i];
    const double* g = elements.values + 2 * static_cast<size_t>(i);
    F.xx += Q[0] * g[0];
    F.xy += Q[0] * g[1];
    F.yx += Q[1] * g[0];
    F.yy += Q[1] * g[1];
  }
  return F;
}

// Position x of a contact point, with its dent.
void PointAt(const IncrementalPotential& p, int i, const double* state, double* x, double* y) {
  PositionOf(p.object->points(), i, state, x, y);
  if (p.dents != nullptr) p.dents->AddToPoint(i, x, y);
}

DentInertia InertiaOfDents(const IncrementalPotential& p) {
  return {.object = p.object, .dents = p.dents, .start = p.start, .dents_start = p.dents_start, .seconds = p.seconds};
}

void AddContact(const IncrementalPotential& p, double length, double x, double y, PointTerm& term) {
  for (const Collider& collider : p.colliders) {
    if (!collider.on) continue;
    const runtime::PlaneDistanceSample sample = collider.Distance(collider.pose, x, y);
    if (!(sample.distance < 0)) continue;
    const double k = p.object->header().contact_stiffness * length, depth = -sample.distance;
    const double force = -3 * k * depth * depth, curvature = 6 * k * depth;
    term.acts = true;
    term.x += force * sample.gradient_x;
    term.y += force * sample.gradient_y;
    // Without the second derivatives of the distance, so that nothing is negative.
    term.xx += curvature * sample.gradient_x * sample.gradient_x;
    term.xy += curvature * sample.gradient_x * sample.gradient_y;
    term.yy += curvature * sample.gradient_y * sample.gradient_y;
  }
}

double SlipOf(const Friction& friction, double x, double y) {
  return (x - friction.from[0]) * friction.tangent[0] + (y - friction.from[1]) * friction.tangent[1];
}

void AddFriction(const Friction& friction, double slip, double x, double y, PointTerm& term) {
  if (!(friction.force > 0)) return;
  const double y_t = SlipOf(friction, x, y), length = std::fabs(y_t);
  const double force = friction.force * FrictionSlope(length, slip) * (y_t < 0 ? -1 : 1);
  // The second derivative, which is never negative. Slope over length, which is larger, takes no step too far, but so
  // small ones where points begin to slide that a tenth of the steps came to the limit of iterations; the line search
  // takes care of those that are too large.
  const double curvature = length < slip ? 2 * friction.force / slip * (1 - length / slip) : 0;
  const double tx = friction.tangent[0], ty = friction.tangent[1];
  term.acts = true;
  term.x += force * tx;
  term.y += force * ty;
  term.xx += curvature * tx * tx;
  term.xy += curvature * tx * ty;
  term.yy += curvature * ty * ty;
}

void AddInertia(const IncrementalPotential& p, const double* state, double* gradient, double* hessian) {
  const int count = p.object->basis_count(), n = 2 * count;
  const double scale = 1 / (p.seconds * p.seconds);
  for (int k = 0; k < count; ++k) {
    const double* mass = p.object->mass() + static_cast<size_t>(k) * count;
    for (int r = 0; r < 2; ++r) {
      double sum = 0;
      for (int l = 0; l < count; ++l) sum += mass[l] * (state[2 * l + r] - p.start[2 * l + r]);
      gradient[2 * k + r] += scale * sum;
      if (hessian == nullptr) continue;
      double* row = hessian + static_cast<size_t>(2 * k + r) * n;
      for (int l = 0; l <= k; ++l) row[2 * l + r] += scale * mass[l];
    }
  }
}

ColumnBlocks BlocksOf(const runtime::PlaneSpectrum& s, double area) {
  const auto block = [&](double px, double py, double qx, double qy) {
    const PlaneMatrix b = runtime::PlaneBlock(s, px, py, qx, qy);
    return PlaneMatrix{area * b.xx, area * b.xy, area * b.yx, area * b.yy};
  };
  // Axes of the plane, in the frame of the singular vectors.
  const PlaneMatrix& V = s.V;
  return {block(V.xx, V.xy, V.xx, V.xy), block(V.xx, V.xy, V.yx, V.yy), block(V.yx, V.yy, V.yx, V.yy)};
}

// Block between functions k and l: sum over columns c, d of g_kc C_cd g_ld, with C_yx = C_xy'. The sum over c is made
// once per k.
void AddElasticHessian(const SparseRows& elements, int e, const ColumnBlocks& C, int n, double* hessian) {
  const uint32_t begin = elements.starts[e], end = elements.starts[e + 1];
  for (uint32_t i = begin; i < end; ++i) {
    const double gx = elements.values[2 * size_t{i}], gy = elements.values[2 * size_t{i} + 1];
    const PlaneMatrix X{gx * C.xx.xx + gy * C.xy.xx, gx * C.xx.xy + gy * C.xy.yx, gx * C.xx.yx + gy * C.xy.xy,
                        gx * C.xx.yy + gy * C.xy.yy};
    const PlaneMatrix Y{gx * C.xy.xx + gy * C.yy.xx, gx * C.xy.xy + gy * C.yy.xy, gx * C.xy.yx + gy * C.yy.yx,
                        gx * C.xy.yy + gy * C.yy.yy};
    double* row = hessian + 2 * static_cast<size_t>(elements.basis[i]) * n;
    for (uint32_t j = begin; j <= i; ++j) {
      const double* g = elements.values + 2 * size_t{j};
      double* at = row + 2 * elements.basis[j];
      at[0] += X.xx * g[0] + Y.xx * g[1];
      at[1] += X.xy * g[0] + Y.xy * g[1];
      at[n] += X.yx * g[0] + Y.yx * g[1];
      at[n + 1] += X.yy * g[0] + Y.yy * g[1];
    }
  }
}

// A triangle whose corners dents move.
void AddMoved(const IncrementalPotential& p, const runtime::NeoHookean& material, int e, const PlaneMatrix& F,
              double* gradient, double* hessian) {
  const double area = p.object->areas()[e];
  PlaneMatrix P = runtime::PlaneStress(material, F);
  for (double* entry : {&P.xx, &P.xy, &P.yx, &P.yy}) *entry *= area;
  ColumnBlocks blocks;
  if (hessian != nullptr) blocks = BlocksOf(runtime::PlaneProject(material, F), area);
  AddDentedElement(*p.object, *p.dents, e, P, &blocks, gradient, hessian);
}

void AddElastic(const IncrementalPotential& p, const double* state, double* gradient, double* hessian) {
  const ObjectTable& object = *p.object;
  const SparseRows elements = object.elements();
  const runtime::NeoHookean material = MaterialOf(object);
  for (int e = 0; e < object.element_count(); ++e) {
    PlaneMatrix F = DeformationOf(elements, e, state);
    const double area = object.areas()[e];
    if (p.dents != nullptr && p.dents->moves_element(e)) {
      p.dents->AddDeformation(e, &F);
      AddMoved(p, material, e, F, gradient, hessian);
      continue;
    }
    const PlaneMatrix P = runtime::PlaneStress(material, F);
    for (uint32_t i = elements.starts[e]; i < elements.starts[e + 1]; ++i) {
      const double* g = elements.values + 2 * static_cast<size_t>(i);
      gradient[2 * elements.basis[i]] += area * (P.xx * g[0] + P.xy * g[1]);
      gradient[2 * elements.basis[i] + 1] += area * (P.yx * g[0] + P.yy * g[1]);
    }
    if (hessian == nullptr) continue;
    AddElasticHessian(elements, e, BlocksOf(runtime::PlaneProject(material, F), area), object.state_size(), hessian);
  }
}

void AddPoints(const IncrementalPotential& p, const double* state, double* gradient, double* hessian) {
  if (p.colliders.empty() && p.friction.empty()) return;
  const SparseRows points = p.object->points();
  const int n = p.object->state_size();
  for (int i = 0; i < p.object->point_count(); ++i) {
    double x = 0, y = 0;
    PointAt(p, i, state, &x, &y);
    PointTerm term;
    AddContact(p, p.object->lengths()[i], x, y, term);
    if (!p.friction.empty()) AddFriction(p.friction[i], p.slip, x, y, term);
    if (!term.acts) continue;
    if (p.dents != nullptr && p.dents->moves_point(i)) {
      AddDentedPoint(*p.object, *p.dents, i, term, gradient, hessian);
      continue;
    }
    for (uint32_t a = points.starts[i]; a < points.starts[i + 1]; ++a) {
      const int k = points.basis[a];
      gradient[2 * k] += points.values[a] * term.x;
      gradient[2 * k + 1] += points.values[a] * term.y;
      for (uint32_t b = points.starts[i]; hessian != nullptr && b <= a; ++b) {
        const double both = points.values[a] * points.values[b];
        double* at = hessian + 2 * static_cast<size_t>(k) * n + 2 * points.basis[b];
        at[0] += both * term.xx;
        at[1] += both * term.xy;
        at[n] += both * term.xy;
        at[n + 1] += both * term.yy;
      }
    }
  }
}

void AddSprings(const IncrementalPotential& p, const double* state, double* gradient, double* hessian) {
  const int n = p.object->state_size();
  for (size_t h = 0; h < p.targets.size(); ++h) {
    const Target& target = p.targets[h];
    const ObjectTable::Handle& handle = p.object->handle(static_cast<int>(h));
    for (int i = 0; i < CountOf(handle); ++i) {
      const int at = 2 * static_cast<int>(handle.first) + i;
      const double stiffness = target.stiffness * WeightOf(handle, i);
      gradient[at] += stiffness * (state[at] - target.numbers[i]);
      if (hessian != nullptr) hessian[static_cast<size_t>(at) * n + at] += stiffness;
    }
  }
}

void AddAll(const IncrementalPotential& p, const double* state, double* gradient, double* hessian) {
  const auto n = static_cast<size_t>(p.object->state_size());
  for (size_t i = 0; i < n; ++i) gradient[i] = 0;
  for (size_t i = 0; hessian != nullptr && i < n * n; ++i) hessian[i] = 0;
  if (p.dents != nullptr) p.dents->Evaluate(p.colliders, state, true);
  AddInertia(p, state, gradient, hessian);
  if (p.dents != nullptr) InertiaOfDents(p).Add(state, p.convex, gradient, hessian);
  AddElastic(p, state, gradient, hessian);
  AddPoints(p, state, gradient, hessian);
  AddSprings(p, state, gradient, hessian);
}

double InertialEnergy(const IncrementalPotential& p, const double* state) {
  const int count = p.object->basis_count();
  double energy = 0;
  for (int k = 0; k < count; ++k) {
    const double* mass = p.object->mass() + static_cast<size_t>(k) * count;
    for (int r = 0; r < 2; ++r) {
      double sum = 0;
      for (int l = 0; l < count; ++l) sum += mass[l] * (state[2 * l + r] - p.start[2 * l + r]);
      energy += (state[2 * k + r] - p.start[2 * k + r]) * sum;
    }
  }
  return energy / (2 * p.seconds * p.seconds);
}

double PointEnergy(const IncrementalPotential& p, const double* state) {
  if (p.colliders.empty() && p.friction.empty()) return 0;
  double energy = 0;
  for (int i = 0; i < p.object->point_count(); ++i) {
    double x = 0, y = 0;
    PointAt(p, i, state, &x, &y);
    const double k = p.object->header().contact_stiffness * p.object->lengths()[i];
    for (const Collider& collider : p.colliders) {
      if (!collider.on) continue;
      const double distance = collider.Distance(collider.pose, x, y).distance;
      if (distance < 0) energy -= k * distance * distance * distance;
    }
    if (p.friction.empty() || !(p.friction[i].force > 0)) continue;
    energy += p.friction[i].force * FrictionLength(std::fabs(SlipOf(p.friction[i], x, y)), p.slip);
  }
  return energy;
}

double SpringEnergy(const IncrementalPotential& p, const double* state) {
  double energy = 0;
  for (size_t h = 0; h < p.targets.size(); ++h) {
    const ObjectTable::Handle& handle = p.object->handle(static_cast<int>(h));
    for (int i = 0; i < CountOf(handle); ++i) {
      const double off = state[2 * handle.first + i] - p.targets[h].numbers[i];
      energy += 0.5 * p.targets[h].stiffness * WeightOf(handle, i) * off * off;
    }
  }
  return energy;
}

}  // namespace

double FrictionLength(double y, double slip) noexcept {
  return y < slip ? y * y / slip * (1 - y / (3 * slip)) : y - slip / 3;
}

double FrictionSlope(double y, double slip) noexcept { return y < slip ? y / slip * (2 - y / slip) : 1; }

void PositionOf(const SparseRows& rows, int row, const double* state, double* x, double* y) noexcept {
  double sum_x = 0, sum_y = 0;
  for (uint32_t i = rows.starts[row]; i < rows.starts[row + 1]; ++i) {
    const double* Q = state + 2 * rows.basis[i];
    sum_x += rows.values[i] * Q[0];
    sum_y += rows.values[i] * Q[1];
  }
  *x = sum_x;
  *y = sum_y;
}

double ElasticEnergy(const ObjectTable& object, const Dents* dents, const double* state) noexcept {
  const SparseRows elements = object.elements();
  const runtime::NeoHookean material = MaterialOf(object);
  double energy = 0;
  for (int e = 0; e < object.element_count(); ++e) {
    PlaneMatrix F = DeformationOf(elements, e, state);
    if (dents != nullptr) dents->AddDeformation(e, &F);
    energy += object.areas()[e] * runtime::PlaneEnergy(material, F);
  }
  return energy;
}

double IncrementalPotential::Energy(const double* state) const noexcept {
  if (dents != nullptr) dents->Evaluate(colliders, state, false);
  const double energy = InertialEnergy(*this, state) + ElasticEnergy(*object, dents, state) +
                        PointEnergy(*this, state) + SpringEnergy(*this, state);
  return dents != nullptr ? energy + InertiaOfDents(*this).Energy(state) : energy;
}

void IncrementalPotential::Gradient(const double* state, double* gradient) const noexcept {
  AddAll(*this, state, gradient, nullptr);
}

void IncrementalPotential::GradientAndHessian(const double* state, double* gradient, double* hessian) const noexcept {
  AddAll(*this, state, gradient, hessian);
}

}  // namespace sinew::dynamics
