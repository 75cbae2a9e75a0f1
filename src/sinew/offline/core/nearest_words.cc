#include "sinew/offline/core/nearest_words.h"

#include <algorithm>
#include <numeric>

namespace sinew {
namespace {

// Edit distance by the algorithm of Wagner and Fischer 1974, keeping one row of its table at a time.
size_t EditDistance(std::string_view word, std::string_view name) {
  std::vector<size_t> row(name.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < word.size(); ++i) {
    size_t corner = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < name.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, corner + (word[i] == name[j] ? 0 : 1)});
      corner = above;
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> NearestWords(std::string_view word, const std::vector<std::string>& known, size_t count) {
  std::vector<std::pair<size_t, size_t>> ranked;  // distance, index
  for (size_t i = 0; i < known.size(); ++i) ranked.emplace_back(EditDistance(word, known[i]), i);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> nearest;
  for (size_t i = 0; i < std::min(count, ranked.size()); ++i) nearest.push_back(known[ranked[i].second]);
  return nearest;
}

std::string Nearest(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string> nearest = NearestWords(word, known, 1);
  return nearest.empty() ? "" : nearest[0];
}

}  // namespace sinew
