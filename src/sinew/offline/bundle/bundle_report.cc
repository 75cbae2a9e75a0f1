#include "sinew/offline/bundle/bundle_report.h"

#include <fmt/format.h>

#include "sinew/offline/inspect/report_text.h"
#include "sinew/offline/measure/bundle_timing.h"
#include "sinew/offline/tables/names.h"
#include "sinew/runtime/frame/evaluate.h"

namespace sinew::bundle {
namespace {

using runtime::Bundle;
using runtime::BundleLevel;

Json InfoOf(const Bundle& bundle) {
  const Json info = Json::parse(bundle.info(), nullptr, false);
  return info.is_object() ? info : Json::object();
}

size_t AllBytes(const measure::BundleMemory& m) {
  return m.networks + m.bases + m.upsampling + m.skin + m.rest + m.normals + m.others;
}

std::string Kilobytes(size_t bytes) { return fmt::format("{:.1f}", static_cast<double>(bytes) / 1e3); }

inspect::Findings FindingsOf(const Bundle& bundle) {
  inspect::Findings findings;
  for (int i = 1; i <= bundle.level_count(); ++i) {
    if (bundle.level(i).coefficient_count() > 0) continue;
    findings.push_back({inspect::Severity::kNote, "no-correctives", fmt::format("level {}", i),
                        "adds nothing to what the coarser levels do", "train with a smaller epsilon if it should"});
  }
  if (bundle.ranges().test_count() == 0) {
    findings.push_back(
        {inspect::Severity::kNote, "no-ranges", "bundle", "does not know which poses were trained", "train it again"});
  }
  return findings;
}

size_t TextureBytes(const Bundle& bundle) {
  size_t bytes = 0;
  for (const runtime::format::SectionEntry& entry : bundle.sections()) {
    if (entry.type == static_cast<uint32_t>(runtime::format::SectionType::kTextures)) bytes += entry.bytes;
  }
  return bytes;
}

std::string ContactNames(const Bundle& bundle) {
  std::string names;
  for (int i = 0; i < bundle.contact().field_count(); ++i) {
    const runtime::ContactTable::Field& field = bundle.contact().field(i);
    names += fmt::format("{}{} ({} hidden units, {} joints, window {:.3g})", i == 0 ? "" : ", ",
                         bundle.contact().name(i), field.width, field.handle_count, field.window * field.unit);
  }
  return names;
}

}  // namespace

Json BundleJson(const Bundle& bundle, size_t file_bytes) {
  // The whole character.
  const Json info = InfoOf(bundle);
  Json json = {{"kind", "bundle"},
               {"name", info.value("name", "")},
               {"bytes", file_bytes},
               {"texture_bytes", TextureBytes(bundle)},
               {"precision", info.value("precision", "")},
               {"method", bundle.incremental() ? "multi-resolution" : "single-level"},
               {"features", tables::NameOf(bundle.features())},
               {"height", bundle.height()},
               {"joints", bundle.joint_count()},
               {"range_tests", bundle.ranges().test_count()},
               {"trained_frames", bundle.trained_frames().size() / 16},
               {"scratch_bytes", runtime::ScratchBytes(bundle)}};
  // Each level, with its bytes by purpose.
  json["levels"] = Json::array();
  const std::vector<measure::BundleMemory> memory = measure::MemoryOf(bundle);
  for (int i = 1; i <= bundle.level_count(); ++i) {
    const BundleLevel& level = bundle.level(i);
    const measure::BundleMemory& m = memory[i];
    json["levels"].push_back({{"level", i},
                              {"vertices", level.vertex_count},
                              {"triangles", level.triangle_count},
                              {"networks", level.networks.network_count()},
                              {"coefficients", level.coefficient_count()},
                              {"order", level.order.empty() ? "file" : "internal"},
                              {"bytes",
                               {{"networks", m.networks},
                                {"bases", m.bases},
                                {"upsampling", m.upsampling},
                                {"skin", m.skin},
                                {"rest", m.rest},
                                {"normals", m.normals},
                                {"others", m.others}}}});
  }
  json["contact"] = Json::array();
  for (int i = 0; i < bundle.contact().field_count(); ++i) {
    const runtime::ContactTable::Field& field = bundle.contact().field(i);
    json["contact"].push_back({{"collider", std::string(bundle.contact().name(i))},
                               {"hidden_units", field.width},
                               {"joints", field.handle_count},
                               {"window", field.window * field.unit},
                               {"depth", field.depth * field.unit}});
  }
  json["settings"] = info.value("settings", Json::object());
  json["findings"] = inspect::FindingsJson(FindingsOf(bundle));
  return json;
}

std::string BundleText(const Bundle& bundle, size_t file_bytes) {
  const Json info = InfoOf(bundle);
  std::string out = "Bundle\n";
  out += inspect::FactLine("name", info.value("name", ""));
  const size_t textures = TextureBytes(bundle);
  out += inspect::FactLine(
      "size",
      fmt::format("{:.2f} MB{}; {:.2f} MB of scratch an instance", static_cast<double>(file_bytes) / 1e6,
                  textures > 0 ? fmt::format(", {:.2f} MB of them textures", static_cast<double>(textures) / 1e6) : "",
                  static_cast<double>(runtime::ScratchBytes(bundle)) / 1e6));
  out += inspect::FactLine("precision", info.value("precision", "unknown"));
  out += inspect::FactLine("method", bundle.incremental() ? "levels that add to each other" : "every level by itself");
  out += inspect::FactLine("joints",
                           fmt::format("{}, seen as {}", bundle.joint_count(), tables::NameOf(bundle.features())));
  out += inspect::FactLine("range", fmt::format("{} tests; trained on {} frames", bundle.ranges().test_count(),
                                                bundle.trained_frames().size() / 16));
  if (bundle.contact().field_count() > 0) out += inspect::FactLine("contact", ContactNames(bundle));
  std::vector<std::vector<std::string>> rows = {{"level", "vertices", "networks", "modes", "KB: networks", "bases",
                                                 "upsampling", "skin", "rest", "normals", "all"}};
  const std::vector<measure::BundleMemory> memory = measure::MemoryOf(bundle);
  for (int i = 1; i <= bundle.level_count(); ++i) {
    const BundleLevel& level = bundle.level(i);
    const measure::BundleMemory& m = memory[i];
    rows.push_back({std::to_string(i), std::to_string(level.vertex_count),
                    std::to_string(level.networks.network_count()), std::to_string(level.coefficient_count()),
                    Kilobytes(m.networks), Kilobytes(m.bases), Kilobytes(m.upsampling), Kilobytes(m.skin),
                    Kilobytes(m.rest), Kilobytes(m.normals), Kilobytes(AllBytes(m))});
  }
  return out + inspect::TextTable(rows) + inspect::FindingsText(FindingsOf(bundle));
}

}  // namespace sinew::bundle
