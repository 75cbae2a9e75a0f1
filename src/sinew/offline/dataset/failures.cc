#include "sinew/offline/dataset/failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace sinew::dataset {
namespace {

// Sentence split into text, number, text, number, ..., text.
struct Parts {
  std::vector<std::string> texts;
  std::vector<std::string> numbers;
};

Parts TakeApart(const std::string& sentence) {
  Parts parts;
  parts.texts.emplace_back();
  const auto digit = [&](size_t i) {
    return i < sentence.size() && std::isdigit(static_cast<unsigned char>(sentence[i]));
  };
  for (size_t i = 0; i < sentence.size();) {
    if (!digit(i)) {
      parts.texts.back() += sentence[i++];
      continue;
    }
    size_t end = i;
    while (digit(end) || (sentence[end] == '.' && digit(end + 1))) ++end;
    parts.numbers.push_back(sentence.substr(i, end - i));
    parts.texts.emplace_back();
    i = end;
  }
  return parts;
}

// Smallest and largest of some numbers, compared by value and kept as written.
struct Range {
  std::string low, high;

  void Add(const std::string& number) {
    const double value = std::stod(number);
    if (low.empty() || value < std::stod(low)) low = number;
    if (high.empty() || value > std::stod(high)) high = number;
  }
  std::string Text() const { return low == high ? low : fmt::format("{} to {}", low, high); }
};

}  // namespace

Json JsonOf(const Failures& failures) {
  Json json = Json::array();
  for (const auto& [reason, frames] : failures) json.push_back({{"reason", reason}, {"frames", frames}});
  return json;
}

std::vector<FailureKind> KindsOf(const Failures& failures) {
  struct Sum {
    std::vector<Range> ranges;
    std::vector<int> frames;
  };
  std::map<std::vector<std::string>, Sum> sums;
  for (const auto& [reason, frames] : failures) {
    const Parts parts = TakeApart(reason);
    Sum& sum = sums[parts.texts];
    sum.ranges.resize(parts.numbers.size());
    for (size_t i = 0; i < parts.numbers.size(); ++i) sum.ranges[i].Add(parts.numbers[i]);
    sum.frames.insert(sum.frames.end(), frames.begin(), frames.end());
  }
  std::vector<FailureKind> kinds;
  kinds.reserve(sums.size());
  for (auto& [texts, sum] : sums) {
    FailureKind kind{.reason = texts[0], .frames = std::move(sum.frames)};
    for (size_t i = 0; i < sum.ranges.size(); ++i) kind.reason += sum.ranges[i].Text() + texts[i + 1];
    std::sort(kind.frames.begin(), kind.frames.end());
    kinds.push_back(std::move(kind));
  }
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const FailureKind& a, const FailureKind& b) { return a.frames.size() > b.frames.size(); });
  return kinds;
}

}  // namespace sinew::dataset
