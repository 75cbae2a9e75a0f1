#include "sinew/dynamics/incremental_potential.h"

#include <cmath>
#include <cstring>

#include "sinew/dynamics/cell_hessian.h"
#include "sinew/dynamics/dented_terms.h"
#include "sinew/dynamics/material.h"

namespace sinew::dynamics {
namespace {

using runtime::SquareMatrix;

runtime::NeoHookean MaterialOf(const ObjectTable& object) { return {object.header().mu, object.header().lambda}; }

// Numbers of a handle's state, and by what each is weighed in W_springs.
template <int D>
int CountOf(const ObjectTable::Handle& handle) {
  return handle.kind == HandleKind::kFrame ? D * (D + 1) : D;
}
template <int D>
double WeightOf(const ObjectTable::Handle& handle, int number) {
  const bool is_matrix = handle.kind == HandleKind::kFrame && number < D * D;
  return is_matrix ? handle.radius * handle.radius : 1;
}

template <int D>
SquareMatrix<D> DeformationOf(const SparseRows& elements, int e, const double* state) {
  SquareMatrix<D> F;
  for (uint32_t i = elements.starts[e]; i < elements.starts[e + 1]; ++i) {
    const double* Q = state + D * elements.basis[i];
    const double* g = elements.values + D * static_cast<size_t>(i);
    for (int r = 0; r < D; ++r) {
      for (int c = 0; c < D; ++c) F.at[r][c] += Q[r] * g[c];
    }
  }
  return F;
}

// Adds what dents add to F of a cubature triangle.
void AddDents(const Dents& dents, int e, SquareMatrix<2>* F) {
  runtime::PlaneMatrix plane = ToPlane(*F);
  dents.AddDeformation(e, &plane);
  *F = FromPlane(plane);
}

// Position x of a contact point, with its dent.
template <int D>
void PointAt(const IncrementalPotentialOf<D>& p, int i, const double* state, double* x) {
  PositionOf<D>(p.object->points(), i, state, x);
  if constexpr (D == 2) {
    if (p.dents != nullptr) p.dents->AddToPoint(i, &x[0], &x[1]);
  }
}

DentInertia InertiaOfDents(const IncrementalPotential& p) {
  return {.object = p.object, .dents = p.dents, .start = p.start, .dents_start = p.dents_start, .seconds = p.seconds};
}

template <int D>
void AddInertia(const IncrementalPotentialOf<D>& p, const double* state, double* gradient, double* hessian) {
  const int count = p.object->basis_count(), n = D * count;
  const double scale = 1 / (p.seconds * p.seconds);
  for (int k = 0; k < count; ++k) {
    const double* mass = p.object->mass() + static_cast<size_t>(k) * count;
    for (int r = 0; r < D; ++r) {
      double sum = 0;
      for (int l = 0; l < count; ++l) sum += mass[l] * (state[D * l + r] - p.start[D * l + r]);
      gradient[D * k + r] += scale * sum;
      if (hessian == nullptr) continue;
      double* row = hessian + static_cast<size_t>(D * k + r) * n;
      for (int l = 0; l <= k; ++l) row[D * l + r] += scale * mass[l];
    }
  }
}

template <int D>
void AddElasticHessian(const SparseRows& elements, int e, const ColumnBlocks<D>& C, int n, double* hessian) {
  const uint32_t begin = elements.starts[e], end = elements.starts[e + 1];
  CellHessian<D> cell;
  cell.C = C;
  cell.first = elements.basis[begin];
  cell.count = elements.basis[end - 1] - cell.first + 1;
  std::memset(cell.gradients, 0, D * (cell.count + cell.kBeyond) * sizeof(double));
  for (uint32_t i = begin; i < end; ++i) {
    std::memcpy(cell.gradients + D * (elements.basis[i] - cell.first), elements.values + D * size_t{i},
                D * sizeof(double));
  }
  AddCellHessian(cell, static_cast<size_t>(n), hessian);
}

// A triangle whose corners dents move.
void AddMoved(const IncrementalPotential& p, const runtime::NeoHookean& material, int e, const SquareMatrix<2>& F,
              double* gradient, double* hessian) {
  const double area = p.object->element_measures()[e];
  SquareMatrix<2> P = StressOf(material, F);
  for (auto& row : P.at) {
    for (double& entry : row) entry *= area;
  }
  ColumnBlocks<2> blocks;
  if (hessian != nullptr) blocks = BlocksOf(material, F, area);
  AddDentedElement(*p.object, *p.dents, e, P, &blocks, gradient, hessian);
}

template <int D>
void AddElastic(const IncrementalPotentialOf<D>& p, const double* state, double* gradient, double* hessian) {
  const ObjectTable& object = *p.object;
  const SparseRows elements = object.elements();
  const runtime::NeoHookean material = MaterialOf(object);
  for (int e = 0; e < object.element_count(); ++e) {
    SquareMatrix<D> F = DeformationOf<D>(elements, e, state);
    const double measure = object.element_measures()[e];
    if constexpr (D == 2) {
      if (p.dents != nullptr && p.dents->moves_element(e)) {
        AddDents(*p.dents, e, &F);
        AddMoved(p, material, e, F, gradient, hessian);
        continue;
      }
    }
    const SquareMatrix<D> P = StressOf(material, F);
    for (uint32_t i = elements.starts[e]; i < elements.starts[e + 1]; ++i) {
      const double* g = elements.values + D * static_cast<size_t>(i);
      for (int r = 0; r < D; ++r) {
        double sum = 0;
        for (int c = 0; c < D; ++c) sum += P.at[r][c] * g[c];
        gradient[D * elements.basis[i] + r] += measure * sum;
      }
    }
    if (hessian != nullptr) {
      AddElasticHessian(elements, e, BlocksOf(material, F, measure), object.state_size(), hessian);
    }
  }
}

// Second derivatives of contact points, added as soon as there are as many as a cell has columns, and at the end.
template <int D>
class PointHessians {
 public:
  PointHessians(const ObjectTable& object, double* hessian)
      : points_(object.points()), size_(static_cast<size_t>(object.state_size())), hessian_(hessian) {
    cell_.count = static_cast<size_t>(object.basis_count());
    Clear();
  }

  void Add(int i, const PointTermOf<D>& term) {
    for (uint32_t a = points_.starts[i]; a < points_.starts[i + 1]; ++a) {
      cell_.gradients[D * points_.basis[a] + filled_] = points_.values[a];
    }
    std::memcpy(cell_.C.columns[filled_][filled_].at, term.curvature, sizeof(term.curvature));
    if (++filled_ == D) Finish();
  }

  void Finish() {
    if (filled_ == 0) return;
    AddCellHessian(cell_, size_, hessian_);
    Clear();
  }

 private:
  void Clear() {
    std::memset(cell_.gradients, 0, D * (cell_.count + cell_.kBeyond) * sizeof(double));
    cell_.C = {};
    filled_ = 0;
  }

  SparseRows points_;
  size_t size_;
  double* hessian_;
  int filled_ = 0;
  CellHessian<D> cell_;
};

// A contact point that acts, and that no dent moves.
template <int D>
void AddPointGradient(const SparseRows& points, int i, const PointTermOf<D>& term, double* gradient) {
  for (uint32_t a = points.starts[i]; a < points.starts[i + 1]; ++a) {
    const int k = points.basis[a];
    for (int r = 0; r < D; ++r) gradient[D * k + r] += points.values[a] * term.slope[r];
  }
}

template <int D>
void AddPoints(const IncrementalPotentialOf<D>& p, const double* state, double* gradient, double* hessian) {
  if (p.colliders.empty() && p.friction.empty()) return;
  const SparseRows points = p.object->points();
  PointHessians<D> hessians(*p.object, hessian);
  for (int i = 0; i < p.object->point_count(); ++i) {
    double x[D];
    PointAt(p, i, state, x);
    PointTermOf<D> term;
    AddContact<D>(p.colliders, p.object->header().contact_stiffness * p.object->point_measures()[i], x, term);
    if (!p.friction.empty()) AddFriction<D>(p.friction[i], p.slip, x, term);
    if (!term.acts) continue;
    if constexpr (D == 2) {
      if (p.dents != nullptr && p.dents->moves_point(i)) {
        AddDentedPoint(*p.object, *p.dents, i, term, gradient, hessian);
        continue;
      }
    }
    AddPointGradient(points, i, term, gradient);
    if (hessian != nullptr) hessians.Add(i, term);
  }
  hessians.Finish();
}

template <int D>
void AddSprings(const IncrementalPotentialOf<D>& p, const double* state, double* gradient, double* hessian) {
  const int n = p.object->state_size();
  for (size_t h = 0; h < p.targets.size(); ++h) {
    const TargetOf<D>& target = p.targets[h];
    const ObjectTable::Handle& handle = p.object->handle(static_cast<int>(h));
    for (int i = 0; i < CountOf<D>(handle); ++i) {
      const int at = D * static_cast<int>(handle.first) + i;
      const double stiffness = target.stiffness * WeightOf<D>(handle, i);
      gradient[at] += stiffness * (state[at] - target.numbers[i]);
      if (hessian != nullptr) hessian[static_cast<size_t>(at) * n + at] += stiffness;
    }
  }
}

template <int D>
void AddAll(const IncrementalPotentialOf<D>& p, const double* state, double* gradient, double* hessian) {
  const auto n = static_cast<size_t>(p.object->state_size());
  for (size_t i = 0; i < n; ++i) gradient[i] = 0;
  for (size_t i = 0; hessian != nullptr && i < n * n; ++i) hessian[i] = 0;
  AddInertia(p, state, gradient, hessian);
  if constexpr (D == 2) {
    if (p.dents != nullptr) {
      p.dents->Evaluate(p.colliders, state, true);
      InertiaOfDents(p).Add(state, p.convex, gradient, hessian);
    }
  }
  AddElastic(p, state, gradient, hessian);
  AddPoints(p, state, gradient, hessian);
  AddSprings(p, state, gradient, hessian);
}

template <int D>
double InertialEnergy(const IncrementalPotentialOf<D>& p, const double* state) {
  const int count = p.object->basis_count();
  double energy = 0;
  for (int k = 0; k < count; ++k) {
    const double* mass = p.object->mass() + static_cast<size_t>(k) * count;
    for (int r = 0; r < D; ++r) {
      double sum = 0;
      for (int l = 0; l < count; ++l) sum += mass[l] * (state[D * l + r] - p.start[D * l + r]);
      energy += (state[D * k + r] - p.start[D * k + r]) * sum;
    }
  }
  return energy / (2 * p.seconds * p.seconds);
}

template <int D>
double PointEnergy(const IncrementalPotentialOf<D>& p, const double* state) {
  if (p.colliders.empty() && p.friction.empty()) return 0;
  double energy = 0;
  for (int i = 0; i < p.object->point_count(); ++i) {
    double x[D];
    PointAt(p, i, state, x);
    energy += ContactEnergy<D>(p.colliders, p.object->header().contact_stiffness * p.object->point_measures()[i], x);
    if (!p.friction.empty()) energy += FrictionEnergy<D>(p.friction[i], p.slip, x);
  }
  return energy;
}

template <int D>
double SpringEnergy(const IncrementalPotentialOf<D>& p, const double* state) {
  double energy = 0;
  for (size_t h = 0; h < p.targets.size(); ++h) {
    const ObjectTable::Handle& handle = p.object->handle(static_cast<int>(h));
    for (int i = 0; i < CountOf<D>(handle); ++i) {
      const double off = state[D * static_cast<int>(handle.first) + i] - p.targets[h].numbers[i];
      energy += 0.5 * p.targets[h].stiffness * WeightOf<D>(handle, i) * off * off;
    }
  }
  return energy;
}

}  // namespace

template <int D>
double ElasticEnergy(const ObjectTable& object, const Dents* dents, const double* state) noexcept {
  const SparseRows elements = object.elements();
  const runtime::NeoHookean material = MaterialOf(object);
  double energy = 0;
  for (int e = 0; e < object.element_count(); ++e) {
    SquareMatrix<D> F = DeformationOf<D>(elements, e, state);
    if constexpr (D == 2) {
      if (dents != nullptr) AddDents(*dents, e, &F);
    }
    energy += object.element_measures()[e] * EnergyDensity(material, F);
  }
  return energy;
}

template <int D>
double IncrementalPotentialOf<D>::Energy(const double* state) const noexcept {
  if constexpr (D == 2) {
    if (dents != nullptr) dents->Evaluate(colliders, state, false);
  }
  double energy = InertialEnergy(*this, state) + ElasticEnergy<D>(*object, dents, state) + PointEnergy(*this, state) +
                  SpringEnergy(*this, state);
  if constexpr (D == 2) {
    if (dents != nullptr) energy += InertiaOfDents(*this).Energy(state);
  }
  return energy;
}

template <int D>
void IncrementalPotentialOf<D>::Gradient(const double* state, double* gradient) const noexcept {
  AddAll(*this, state, gradient, nullptr);
}

template <int D>
void IncrementalPotentialOf<D>::GradientAndHessian(const double* state, double* gradient,
                                                   double* hessian) const noexcept {
  AddAll(*this, state, gradient, hessian);
}

template struct IncrementalPotentialOf<2>;
template struct IncrementalPotentialOf<3>;
template double ElasticEnergy<2>(const ObjectTable&, const Dents*, const double*) noexcept;
template double ElasticEnergy<3>(const ObjectTable&, const Dents*, const double*) noexcept;

}  // namespace sinew::dynamics
