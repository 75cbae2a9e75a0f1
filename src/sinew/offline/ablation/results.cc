#include "sinew/offline/ablation/results.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/json_text.h"

namespace sinew::ablation {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy = "remove it, and call `sinew learn ablate` again";
constexpr int64_t kMany = int64_t{1} << 40, kManyBodies = 1 << 24, kManyFrames = 1 << 30;

PartFigures PartOf(const char* kind, const survey::Row& row, size_t method) {
  return {kind, row.name, row.bodies, row.frames, row.methods[method]};
}

Json JsonOf(const PartFigures& part) {
  const survey::Figures& figures = part.figures;
  Json json = {{"kind", part.kind},       {"name", part.name},     {"bodies", part.bodies}, {"frames", part.frames},
               {"mean_mm", figures.mean}, {"rms_mm", figures.rms}, {"p99_mm", figures.p99}, {"max_mm", figures.max}};
  if (figures.share) json["share"] = *figures.share;
  return json;
}

PartFigures PartOf(const Json& json, const std::string& file) {
  const JsonFields fields(json, file, "parts", kRemedy);
  PartFigures part{.kind = fields.String("kind"),
                   .name = fields.String("name"),
                   .bodies = static_cast<int>(fields.Integer("bodies", 1, kManyBodies)),
                   .frames = static_cast<int>(fields.Integer("frames", 1, kManyFrames)),
                   .figures = {.mean = fields.Double("mean_mm"),
                               .rms = fields.Double("rms_mm"),
                               .p99 = fields.Double("p99_mm"),
                               .max = fields.Double("max_mm"),
                               .share = std::nullopt}};
  if (fields.Has("share")) part.figures.share = fields.Double("share");
  return part;
}

std::vector<MethodResult> MethodsOf(const JsonFields& fields, const std::string& file) {
  std::vector<MethodResult> methods;
  for (const Json& json : fields.List("methods")) {
    const JsonFields method(json, file, "methods", kRemedy);
    methods.push_back({method.String("method"), {}});
    for (const Json& part : method.List("parts")) methods.back().parts.push_back(PartOf(part, file));
    if (methods.back().parts.empty()) method.Fail("\"parts\" is empty");
  }
  return methods;
}

Json JsonOf(const std::vector<MethodResult>& methods) {
  Json json = Json::array();
  for (const MethodResult& method : methods) json.push_back(JsonOf(method));
  return json;
}

Json ParseObject(std::string_view text, const std::string& file) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw InputError(file, "", "is no JSON object", kRemedy);
  return json;
}

}  // namespace

std::vector<MethodResult> ResultsOf(const survey::Survey& survey) {
  const survey::Row all = survey::AllBodies(survey);
  const std::vector<survey::Row> families = survey::ByFamily(survey), regions = survey::ByRegion(survey);
  std::vector<MethodResult> results;
  for (size_t m = 0; m < survey.methods.size(); ++m) {
    MethodResult result{survey.methods[m], {PartOf("all", all, m)}};
    for (const survey::Row& family : families) result.parts.push_back(PartOf("family", family, m));
    for (const survey::Row& region : regions) result.parts.push_back(PartOf("region", region, m));
    results.push_back(std::move(result));
  }
  return results;
}

Json JsonOf(const MethodResult& result) {
  Json parts = Json::array();
  for (const PartFigures& part : result.parts) parts.push_back(JsonOf(part));
  return {{"method", result.method}, {"parts", parts}};
}

Json JsonOf(const RowResult& result) {
  Json tried = Json::array();
  for (const auto& [rate, error] : result.tried) tried.push_back({{"rate", rate}, {"validation_mm", error}});
  return {{"name", result.name},
          {"about", result.about},
          {"model", result.model.string()},
          {"parameters", result.parameters},
          {"bodies", result.bodies},
          {"frames", result.frames},
          {"rate", result.rate},
          {"best_step", result.best_step},
          {"validation_mm", result.validation},
          {"tried", tried},
          {"test", result.test},
          {"methods", JsonOf(result.methods)}};
}

Json JsonOf(const SkinningResult& result) { return {{"test", result.test}, {"methods", JsonOf(result.methods)}}; }

RowResult ParseRowResult(std::string_view text, const std::string& file) {
  const Json json = ParseObject(text, file);
  const JsonFields fields(json, file, "", kRemedy);
  RowResult result{.name = fields.String("name"),
                   .about = fields.String("about"),
                   .model = fields.String("model"),
                   .rate = fields.Double("rate"),
                   .validation = fields.Double("validation_mm"),
                   .parameters = fields.Integer("parameters", 0, kMany),
                   .best_step = fields.Integer("best_step", 0, kMany),
                   .bodies = static_cast<int>(fields.Integer("bodies", 1, kManyBodies)),
                   .frames = static_cast<int>(fields.Integer("frames", 1, kManyFrames)),
                   .test = fields.String("test"),
                   .methods = MethodsOf(fields, file)};
  for (const Json& one : fields.List("tried")) {
    const JsonFields tried(one, file, "tried", kRemedy);
    result.tried.emplace_back(tried.Double("rate"), tried.Double("validation_mm"));
  }
  if (result.test.empty() != result.methods.empty()) fields.Fail("\"test\" and \"methods\" do not go together");
  return result;
}

SkinningResult ParseSkinningResult(std::string_view text, const std::string& file) {
  const Json json = ParseObject(text, file);
  const JsonFields fields(json, file, "", kRemedy);
  SkinningResult result{fields.String("test"), MethodsOf(fields, file)};
  if (result.methods.empty()) fields.Fail("\"methods\" is empty");
  return result;
}

void WriteResult(const RowResult& result, const fs::path& file) {
  WriteFileAtomic(file, JsonText(JsonOf(result), 1) + "\n");
}

void WriteResult(const SkinningResult& result, const fs::path& file) {
  WriteFileAtomic(file, JsonText(JsonOf(result), 1) + "\n");
}

std::optional<RowResult> ReadRowResult(const fs::path& file) {
  if (!fs::exists(file)) return std::nullopt;
  return ParseRowResult(ReadTextFile(file), file.string());
}

std::optional<SkinningResult> ReadSkinningResult(const fs::path& file) {
  if (!fs::exists(file)) return std::nullopt;
  return ParseSkinningResult(ReadTextFile(file), file.string());
}

}  // namespace sinew::ablation
