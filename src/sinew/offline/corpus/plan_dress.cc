#include "sinew/offline/corpus/plan_dress.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/corpus/recipe_files.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;

// Streams of a body's seed, so that what is drawn for it is independent.
enum Stream : uint64_t { kDressStream = 101, kGarmentStream = 102 };

// First number and count of the dress recipes of a side.
std::pair<int, int> NumbersOf(const SplitRecipe& splits, Side side) {
  if (side == Side::kTest) return {0, splits.test_dresses};
  if (side == Side::kValidation) return {splits.test_dresses, splits.validation_dresses};
  return {splits.test_dresses + splits.validation_dresses, splits.train_dresses};
}

std::vector<fs::path> GarmentsOf(const BodyGroup& group, const std::string& file) {
  std::vector<fs::path> garments;
  for (const fs::path& path : group.garments) {
    if (LowerExtension(path) == ".glb") {
      if (!fs::is_regular_file(path)) {
        throw InputError(file, fmt::format("bodies \"{}\"", group.name),
                         fmt::format("names the garment {}, which is not there", path.string()),
                         "files are relative to the folder of the recipe");
      }
      garments.push_back(path);
    } else {
      const std::vector<fs::path> more = FilesIn(path, ".glb", file);
      garments.insert(garments.end(), more.begin(), more.end());
    }
  }
  std::set<std::string> names;
  for (const fs::path& path : garments) {
    if (names.insert(path.filename().string()).second) continue;
    throw InputError(file, fmt::format("bodies \"{}\"", group.name),
                     fmt::format("has two garments called {}", path.filename().string()), "rename one");
  }
  return garments;
}

// Draws garments for the bodies of one group.
class GarmentDealer {
 public:
  GarmentDealer(const BodyGroup& group, const std::vector<CorpusBody>& bodies, std::string file)
      : group_(group), file_(std::move(file)), garments_(GarmentsOf(group, file_)) {
    if (group.files.empty()) return;
    for (const CorpusBody& body : bodies) {
      if (body.group == group.name) numbers_.insert(NumberOf(body.source));
    }
    numbers_.erase("");
  }

  std::string Draw(const CorpusBody& body) const {
    if (garments_.empty()) return "";
    Random random(body.seed, kGarmentStream);
    if (!(random.Uniform() < group_.garment_share)) return "";
    const std::string number = group_.files.empty() ? "" : NumberOf(body.source);
    std::vector<fs::path> made, others;
    for (const fs::path& path : garments_) {
      const std::string own = NumberOf(path);
      if (!number.empty() && own == number) made.push_back(path);
      if (!numbers_.contains(own)) others.push_back(path);
    }
    const std::vector<fs::path>& from = made.empty() ? others : made;
    if (from.empty()) {
      throw InputError(file_, fmt::format("bodies \"{}\"", group_.name),
                       fmt::format("has no garment for {}: all are numbered for other bodies", body.source),
                       "add one with its number, or one without a number");
    }
    return from[random.Below(static_cast<uint32_t>(from.size()))].filename().string();
  }

 private:
  const BodyGroup& group_;
  std::string file_;
  std::vector<fs::path> garments_;
  std::set<std::string> numbers_;  // of the group's bodies
};

int DrawDressNumber(const Recipe& recipe, const CorpusBody& body) {
  Random random(body.seed, kDressStream);
  if (!(random.Uniform() < recipe.Group(body.group).dressed)) return -1;
  const auto [first, count] = NumbersOf(recipe.splits, body.side);
  return first + static_cast<int>(random.Below(static_cast<uint32_t>(count)));
}

}  // namespace

void PlanDress(const Recipe& recipe, const std::string& file, std::vector<CorpusBody>& bodies) {
  for (const BodyGroup& group : recipe.bodies) {
    const GarmentDealer dealer(group, bodies, file);
    for (CorpusBody& body : bodies) {
      if (body.group != group.name) continue;
      body.garment = dealer.Draw(body);
      if (body.garment.empty()) body.dress = DrawDressNumber(recipe, body);
    }
  }
}

bodies::DressRecipe DressOf(const Recipe& recipe, int number) {
  return bodies::DrawDress(recipe.SeedOf(fmt::format("dress/{}", number)));
}

fs::path GarmentFile(const Recipe& recipe, const CorpusBody& body) {
  for (const fs::path& path : recipe.Group(body.group).garments) {
    if (LowerExtension(path) != ".glb") {
      if (fs::exists(path / body.garment)) return path / body.garment;
    } else if (path.filename() == body.garment) {
      return path;
    }
  }
  return body.garment;
}

}  // namespace sinew::corpus
