#include "sinew/offline/teach/teacher.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"

namespace sinew::teach {
namespace {

namespace fs = std::filesystem;

Member ReadMember(const fs::path& file) {
  const Bytes bytes = ReadFile(file);
  const learn::Model model = learn::DecodeModel(bytes, file.string());
  graphnet::Predictor predictor(model, file.string());
  const int columns = predictor.network().inputs();
  return {file.filename().string(), HashHex(bytes), std::move(predictor),
          graphnet::TakeFamiliarity(model, columns, file.string())};
}

}  // namespace

Teacher::Teacher(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    Member member = ReadMember(file);
    for (const Member& other : members_) {
      if (other.hash != member.hash) continue;
      throw UsageError(fmt::format("{} and {} are the same network, which would agree with itself; give each once",
                                   other.file, file.string()));
    }
    members_.push_back(std::move(member));
  }
  if (members_.empty()) throw UsageError("there is no network to teach with; name one with --model");
}

bool Teacher::knows_its_limits() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.familiarity.has_value(); });
}

Json Teacher::Description() const {
  Json models = Json::array();
  for (const Member& member : members_) models.push_back({{"file", member.file}, {"hash", member.hash}});
  return {{"models", models}, {"score", knows_its_limits() ? "feature distance" : "none"}};
}

}  // namespace sinew::teach
