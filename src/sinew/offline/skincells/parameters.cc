#include "sinew/offline/skincells/parameters.h"

#include <algorithm>
#include <cmath>

namespace sinew::skincells {
namespace {

// Lower limit of r - 1, c and t before their logarithms are taken.
constexpr double kLeast = 1e-9;

double Log(double value) { return std::log(std::max(value, kLeast)); }

}  // namespace

Eigen::VectorXd ToParameters(const SkinField& field) {
  const int sites = static_cast<int>(field.cells[0].sites.size());
  Eigen::VectorXd out(static_cast<int>(field.cells.size()) * CellSize(sites));
  int at = 0;
  for (const SkinCell& cell : field.cells) {
    out[at++] = Log(cell.r - 1);
    out[at++] = Log(cell.c);
    for (const Site& site : cell.sites) {
      for (int i = 0; i < 3; ++i) out[at++] = site.p[i];
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column <= row; ++column) {
          out[at++] = row == column ? Log(site.F(row, row)) : site.F(row, column);
        }
      }
      out[at++] = Log(site.t);
    }
  }
  return out;
}

SkinField FromParameters(const Eigen::VectorXd& parameters, const SkinField& like) {
  SkinField field = like;
  int at = 0;
  for (SkinCell& cell : field.cells) {
    cell.r = 1 + std::exp(parameters[at++]);
    cell.c = std::exp(parameters[at++]);
    for (Site& site : cell.sites) {
      for (int i = 0; i < 3; ++i) site.p[i] = parameters[at++];
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column <= row; ++column) {
          const double value = parameters[at++];
          site.F(row, column) = row == column ? std::exp(value) : value;
        }
      }
      site.t = std::exp(parameters[at++]);
    }
  }
  return field;
}

}  // namespace sinew::skincells
