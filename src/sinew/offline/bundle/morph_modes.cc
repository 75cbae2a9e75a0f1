#include "sinew/offline/bundle/morph_modes.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <utility>

#include "sinew/offline/core/parallel.h"

namespace sinew::bundle {
namespace {

// Modes that are weaker than this share of the strongest one are rounding.
constexpr double kRounding = 1e-10;

// Principal modes before they are scaled: orthonormal columns, strongest first, and their squared strengths.
struct Directions {
  Eigen::MatrixXf columns;
  Eigen::VectorXd strengths;
};

Directions DirectionsOf(const FrameMatrix& D, int most) {
  const Eigen::MatrixXd gram = (D * D.transpose()).cast<double>();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram);
  const Eigen::Index frames = D.rows();
  Eigen::Index count = 0;
  const double largest = std::max(eigen.eigenvalues().maxCoeff(), 0.0);
  while (count < std::min<Eigen::Index>(most, frames) &&
         eigen.eigenvalues()[frames - 1 - count] > kRounding * largest && largest > 0) {
    ++count;
  }
  return {eigen.eigenvectors().rightCols(count).rowwise().reverse().cast<float>(),
          eigen.eigenvalues().tail(count).reverse()};
}

void ScaleToOne(Modes& modes) {
  for (Eigen::Index m = 0; m < modes.modes.rows(); ++m) {
    const float longest = std::max(modes.modes.row(m).cwiseAbs().maxCoeff(), 1e-20f);
    modes.modes.row(m) /= longest;
    modes.weights.col(m) *= longest;
  }
}

// Vertices that one joint moves, and how much.
struct Window {
  std::vector<int> vertices;
  std::vector<float> shares;
};

// One window per joint, and a last one for vertices that no joint moves: shares of a vertex sum to 1.
std::vector<Window> WindowsOf(const Character& character) {
  std::vector<Window> windows(character.skeleton.joints.size() + 1);
  int vertex = 0;
  for (const Part& part : character.parts) {
    const int influences = part.skin < 0 ? 0 : part.weights.influences;
    for (int v = 0; v < part.mesh.vertex_count(); ++v, ++vertex) {
      float rest = 1;
      for (int k = 0; k < influences; ++k) {
        const size_t slot = static_cast<size_t>(v) * influences + k;
        if (!(part.weights.weights[slot] > 0)) continue;
        Window& window = windows[part.weights.joints[slot]];
        window.vertices.push_back(vertex);
        window.shares.push_back(part.weights.weights[slot]);
        rest = 0;
      }
      if (rest == 0) continue;
      windows.back().vertices.push_back(vertex);
      windows.back().shares.push_back(rest);
    }
  }
  return windows;
}

// D times a window, at its vertices alone.
FrameMatrix Through(const Window& window, const FrameMatrix& D) {
  FrameMatrix local(D.rows(), 3 * static_cast<Eigen::Index>(window.vertices.size()));
  for (size_t i = 0; i < window.vertices.size(); ++i) {
    local.middleCols<3>(3 * static_cast<Eigen::Index>(i)) =
        window.shares[i] * D.middleCols<3>(3 * static_cast<Eigen::Index>(window.vertices[i]));
  }
  return local;
}

// Puts the mode of a column of directions, through its window, into row m.
void SetLocalMode(const Window& window, const FrameMatrix& local, const Eigen::VectorXf& direction, Eigen::Index m,
                  Modes& modes) {
  const Eigen::RowVectorXf mode = direction.transpose() * local;
  for (size_t i = 0; i < window.vertices.size(); ++i) {
    const auto v = static_cast<Eigen::Index>(window.vertices[i]), from = static_cast<Eigen::Index>(i);
    modes.modes.row(m).segment<3>(3 * v) = mode.segment<3>(3 * from);
    modes.windows(m, v) = window.shares[i];
  }
  modes.weights.col(m) = direction;
}

}  // namespace

Modes StrongestModes(const FrameMatrix& D, int most) {
  const Directions directions = DirectionsOf(D, most);
  Modes modes;
  modes.modes = directions.columns.transpose() * D;
  modes.weights = directions.columns;
  ScaleToOne(modes);
  return modes;
}

Modes StrongestLocalModes(const FrameMatrix& D, const Character& character, int most) {
  const std::vector<Window> windows = WindowsOf(character);
  std::vector<Directions> directions(windows.size());
  ParallelFor(static_cast<int>(windows.size()), 1, [&](int w) {
    if (!windows[w].vertices.empty()) directions[w] = DirectionsOf(Through(windows[w], D), most);
  });
  // Choose the strongest of all windows.
  std::vector<std::pair<double, std::pair<int, int>>> candidates;  // strength, window and column
  for (int w = 0; w < static_cast<int>(windows.size()); ++w) {
    for (int c = 0; c < static_cast<int>(directions[w].strengths.size()); ++c) {
      candidates.push_back({directions[w].strengths[c], {w, c}});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (static_cast<int>(candidates.size()) > most) candidates.resize(most);
  const double largest = candidates.empty() ? 0 : candidates.front().first;
  std::erase_if(candidates, [&](const auto& candidate) { return !(candidate.first > kRounding * largest); });
  // Modes of a joint stand together, the joints in order.
  std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto count = static_cast<Eigen::Index>(candidates.size());
  Modes modes;
  modes.weights.resize(D.rows(), count);
  modes.modes = FrameMatrix::Zero(count, D.cols());
  modes.windows = FrameMatrix::Zero(count, D.cols() / 3);
  for (Eigen::Index m = 0; m < count;) {
    const int w = candidates[m].second.first;
    const FrameMatrix local = Through(windows[w], D);
    for (; m < count && candidates[m].second.first == w; ++m) {
      SetLocalMode(windows[w], local, directions[w].columns.col(candidates[m].second.second), m, modes);
    }
  }
  ScaleToOne(modes);
  return modes;
}

}  // namespace sinew::bundle
