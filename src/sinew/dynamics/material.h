// The stable Neo-Hookean material in the plane (plane strain) and in space under the same names.
#ifndef SINEW_DYNAMICS_MATERIAL_H_
#define SINEW_DYNAMICS_MATERIAL_H_

#include "sinew/runtime/kernels/plane_neo_hookean.h"
#include "sinew/runtime/kernels/solid_neo_hookean.h"
#include "sinew/runtime/kernels/square_matrix.h"

namespace sinew::dynamics {

// Projected Hessian by F as blocks between the columns of dF: columns[c][d] belongs to columns c and d.
template <int D>
struct ColumnBlocks {
  runtime::SquareMatrix<D> columns[D][D];
};

inline runtime::PlaneMatrix ToPlane(const runtime::SquareMatrix<2>& F) {
  return {F.at[0][0], F.at[0][1], F.at[1][0], F.at[1][1]};
}
inline runtime::SquareMatrix<2> FromPlane(const runtime::PlaneMatrix& F) { return {{{F.xx, F.xy}, {F.yx, F.yy}}}; }

inline double EnergyDensity(const runtime::NeoHookean& material, const runtime::SquareMatrix<2>& F) {
  return runtime::PlaneEnergy(material, ToPlane(F));
}
inline double EnergyDensity(const runtime::NeoHookean& material, const runtime::SquareMatrix<3>& F) {
  return runtime::SolidEnergy(material, F);
}

inline runtime::SquareMatrix<2> StressOf(const runtime::NeoHookean& material, const runtime::SquareMatrix<2>& F) {
  return FromPlane(runtime::PlaneStress(material, ToPlane(F)));
}
inline runtime::SquareMatrix<3> StressOf(const runtime::NeoHookean& material, const runtime::SquareMatrix<3>& F) {
  return runtime::SolidStress(material, F);
}

inline auto SpectrumOf(const runtime::NeoHookean& material, const runtime::SquareMatrix<2>& F) {
  return runtime::PlaneProject(material, ToPlane(F));
}
inline auto SpectrumOf(const runtime::NeoHookean& material, const runtime::SquareMatrix<3>& F) {
  return runtime::SolidProject(material, F);
}

// Block between axes c and d.
inline runtime::SquareMatrix<2> AxisBlock(const runtime::PlaneSpectrum& s, int c, int d) {
  const runtime::SquareMatrix<2> V = FromPlane(s.V);
  return FromPlane(runtime::PlaneBlock(s, V.at[c][0], V.at[c][1], V.at[d][0], V.at[d][1]));
}
inline runtime::SquareMatrix<3> AxisBlock(const runtime::SolidSpectrum& s, int c, int d) {
  return runtime::SolidBlock(s, s.V.at[c], s.V.at[d]);
}

// Blocks times `measure`, the area or volume that they stand for.
template <int D>
ColumnBlocks<D> BlocksOf(const runtime::NeoHookean& material, const runtime::SquareMatrix<D>& F, double measure) {
  const auto spectrum = SpectrumOf(material, F);
  ColumnBlocks<D> blocks;
  for (int c = 0; c < D; ++c) {
    for (int d = c; d < D; ++d) {
      runtime::SquareMatrix<D> block = AxisBlock(spectrum, c, d);
      for (auto& row : block.at) {
        for (double& entry : row) entry *= measure;
      }
      blocks.columns[c][d] = block;
      if (d > c) blocks.columns[d][c] = Transpose(block);
    }
  }
  return blocks;
}

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_MATERIAL_H_
