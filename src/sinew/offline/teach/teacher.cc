#include "sinew/offline/teach/teacher.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"

namespace sinew::teach {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAgreement = "agreement";  // in a model's settings

Member ReadMember(const fs::path& file, Json& agreement) {
  const Bytes bytes = ReadFile(file);
  const learn::Model model = learn::DecodeModel(bytes, file.string());
  agreement = (*model.settings).value(kAgreement, Json::object());
  graphnet::Predictor predictor(model, file.string());
  const int columns = predictor.network().inputs();
  std::string weights = HashHex(std::as_bytes(std::span(predictor.parameters())));
  return {file.filename().string(), HashHex(bytes), std::move(weights), std::move(predictor),
          graphnet::TakeFamiliarity(model, columns, file.string())};
}

// Throws UsageError if two networks cannot teach together.
void RequirePeers(const Member& a, const fs::path& a_file, const Member& b, const fs::path& b_file) {
  if (a.hash == b.hash) {
    throw UsageError(fmt::format("{} and {} are the same network, which would agree with itself; give each once",
                                 a_file.string(), b_file.string()));
  }
  if (a.predictor.body_options() == b.predictor.body_options()) return;
  throw UsageError(
      fmt::format("{} and {} cannot teach together, for they see bodies in different ways; give networks that were "
                  "trained with the same --network, --features, --answers and --working-edge",
                  a_file.string(), b_file.string()));
}

}  // namespace

Teacher::Teacher(const std::vector<fs::path>& files) {
  std::vector<Json> agreements;
  for (const fs::path& file : files) {
    Member member = ReadMember(file, agreements.emplace_back());
    for (size_t m = 0; m < members_.size(); ++m) RequirePeers(members_[m], files[m], member, file);
    members_.push_back(std::move(member));
  }
  if (members_.empty()) throw UsageError("there is no network to teach with; name one with --model");
  for (const Json& agreement : agreements) {
    const Json limit = agreement.is_object() ? agreement.value("limit", Json()) : Json();
    if (!limit.is_number() || !(limit > 0) || members_.size() < 2) continue;
    if (AgreementJson(limit) == agreement) agreement_ = limit.get<double>();
  }
}

Json Teacher::AgreementJson(double limit) const {
  std::vector<std::string> weights;
  for (const Member& member : members_) weights.push_back(member.weights);
  std::sort(weights.begin(), weights.end());
  return {{"members", weights}, {"limit", limit}};
}

bool Teacher::knows_its_limits() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.familiarity.has_value(); });
}

Json Teacher::Description() const {
  Json models = Json::array();
  for (const Member& member : members_) models.push_back({{"file", member.file}, {"hash", member.hash}});
  std::string score = knows_its_limits() ? "feature distance" : "";
  if (agreement_) score += score.empty() ? "disagreement" : " and disagreement";
  return {{"models", models}, {"score", score.empty() ? "none" : score}};
}

std::vector<fs::path> MembersBeside(const fs::path& first) {
  std::vector<fs::path> members = {first};
  while (true) {
    fs::path next = first;
    next.replace_filename(
        fmt::format("{}_{}{}", first.stem().string(), members.size() + 1, first.extension().string()));
    if (!fs::is_regular_file(next)) return members;
    members.push_back(std::move(next));
  }
}

void RecordAgreement(const Teacher& teacher, double limit, learn::Model& model) {
  Json settings = *model.settings;
  settings[kAgreement] = teacher.AgreementJson(limit);
  model.settings = JsonBox(settings);
}

}  // namespace sinew::teach
