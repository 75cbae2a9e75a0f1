#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/inspect/character_report.h"
#include "sinew/offline/inspect/report_text.h"
#include "sinew/offline/inspect/wording.h"

namespace sinew::inspect {
namespace {

constexpr double kDegrees = 180 / 3.14159265358979323846;
// Largest number of rows of the table of roles: a robot can have hundreds of parts. JSON has all.
constexpr size_t kMaxRoleRows = 12;

std::string SurfaceKind(const SurfaceInspection& surface) {
  std::string kind = surface.watertight ? "watertight" : "not watertight";
  kind += ", " + Counted(surface.islands, "island");
  if (surface.genus) kind += fmt::format(", genus {}", *surface.genus);
  return kind;
}

std::string SurfaceFaults(const SurfaceInspection& surface) {
  return fmt::format("{}, {} non-manifold, {}, {}", Counted(surface.boundary_edges, "boundary edge"),
                     Grouped(surface.non_manifold_edges), Counted(surface.degenerate_triangles, "degenerate triangle"),
                     Counted(surface.unused_vertices, "unused vertex"));
}

std::string SurfaceFacts(const CharacterInspection& found) {
  const SurfaceInspection& surface = found.whole;
  std::string out = FactLine(
      "mesh",
      fmt::format("{} ({} welded), {}, in {}{}", Counted(surface.vertices, "vertex"), Grouped(surface.welded_vertices),
                  Counted(surface.triangles, "triangle"), Counted(found.meshes, "mesh"),
                  static_cast<int>(found.parts.size()) == found.meshes
                      ? ""
                      : fmt::format(" of {}", Counted(static_cast<int64_t>(found.parts.size()), "part"))));
  out += FactLine("surface", SurfaceKind(surface));
  out += FactLine("", SurfaceFaults(surface));
  if (surface.triangles == 0) return out;
  std::string measures = fmt::format("area {:.4g}", surface.area);
  if (surface.watertight) measures += fmt::format(", volume {:.4g}", surface.volume);
  measures +=
      fmt::format(", edges {:.3g} to {:.3g}, mean {:.3g}", surface.edges.min, surface.edges.max, surface.edges.mean);
  return out + FactLine("measures", measures);
}

std::string SpaceFacts(const CharacterInspection& found) {
  if (found.box.isEmpty()) return "";
  const Eigen::Vector3f size = found.box.sizes();
  // Rounding errors near 0 are shown as 0.
  const auto tidy = [&](float x) { return std::abs(x) < 1e-5f * size.maxCoeff() ? 0.0f : x; };
  const Eigen::Vector3f low = found.box.min().unaryExpr(tidy), high = found.box.max().unaryExpr(tidy);
  std::string out = FactLine(
      "size", fmt::format("{:.4g} x {:.4g} x {:.4g}, from ({:.4g} {:.4g} {:.4g}) to ({:.4g} {:.4g} {:.4g})", size.x(),
                          size.y(), size.z(), low.x(), low.y(), low.z(), high.x(), high.y(), high.z()));
  out += FactLine("unit", fmt::format("{} {}: {}", found.unit.known_size ? "likely" : "perhaps", found.unit.name,
                                      found.unit.reason));
  const AxesInspection& axes = found.axes;
  if (!axes.known) return out + FactLine("axes", "+Y up, as glTF says; no joint names tell more");
  std::string text = fmt::format("{} up, faces {}, its left is {}", axes.up, axes.forward, axes.left);
  if (axes.data_up != axes.up) text += fmt::format("; mesh data is {} up", axes.data_up);
  return out + FactLine("axes", text);
}

std::string RestPose(const BindComparison& compared) {
  if (compared.moved > 0) {
    return fmt::format("is not the bind pose: {} of {} joints differ, by up to {:.1f} degrees", compared.moved,
                       compared.joints, compared.largest_turn * kDegrees);
  }
  const double turn = WholeTurn(compared) * kDegrees, scale = WholeScale(compared);
  std::string text = "is the bind pose";
  if (turn > 0.1) text += fmt::format(", turned as a whole by {:.0f} degrees", turn);
  if (std::abs(scale - 1) > 1e-3) text += fmt::format(", scaled as a whole by {:.4g}", scale);
  return text;
}

std::string SkeletonFacts(const CharacterInspection& found) {
  const SkeletonInspection& skeleton = found.skeleton;
  if (skeleton.joints == 0 && skeleton.helpers == 0) return FactLine("skeleton", "none");
  std::string text = fmt::format("{} in {}", Counted(skeleton.joints, "joint"), Counted(found.skins, "skin"));
  if (skeleton.helpers > 0) text += fmt::format(", {}", Counted(skeleton.helpers, "helper node"));
  text += fmt::format(", {} known by name{}", skeleton.named, skeleton.quadruped ? ", on four legs" : "");
  std::string out = FactLine("skeleton", text);
  out += FactLine(
      "", fmt::format("{} without weight, {}", skeleton.without_weight.size(),
                      skeleton.inside_tested ? fmt::format("{} outside the surface", skeleton.outside_skin.size())
                                             : std::string("not tested for being inside: the surface is open")));
  for (const BindInspection& bind : found.bind) out += FactLine("rest pose", RestPose(bind.comparison));
  return out;
}

std::string WeightFacts(const WeightInspection& weights) {
  if (weights.vertices == 0) return "";
  std::string text = fmt::format("{:.2f} influences a vertex;", weights.mean_influences);
  for (size_t k = 1; k < weights.histogram.size(); ++k) {
    text += fmt::format("{} {}: {:.0f}%", k == 1 ? "" : ",", k, 100.0 * weights.histogram[k] / weights.vertices);
  }
  std::string out = FactLine("weights", text);
  const WeightRepairs& repairs = weights.repairs;
  const bool sound = repairs.rescaled + repairs.unweighted + repairs.cut == 0;
  return out + FactLine("", sound ? "all sum to 1"
                                  : fmt::format("in the file {} did not sum to 1, {} had none, {} had too many",
                                                Counted(repairs.rescaled, "vertex"), Grouped(repairs.unweighted),
                                                Grouped(repairs.cut)));
}

std::string RoleFacts(const CharacterInspection& found) {
  if (!found.roles) return "";
  const RolesInspection& roles = *found.roles;
  std::string text;
  for (int r = 0; r < kRoles; ++r) {
    const double percent = 100 * roles.shares[r];
    if (percent == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", NameOf(static_cast<Role>(r)),
                        percent < 0.5 ? "below 1%" : fmt::format("{:.0f}%", percent));
  }
  std::string out = FactLine("roles", text);
  if (roles.patches) out += FactLine("", "the skin is in patches, which are flesh together");
  if (roles.shares[static_cast<int>(Role::kFlesh)] > 0) return out;
  return out + FactLine("",
                        "Nothing of it is flesh: skinning is already exact, and correctives would have nothing to "
                        "correct.");
}

std::string DeepFacts(const DeepInspection& deep) {
  std::string out =
      FactLine("crossings", (deep.more_intersections ? "more than " : "") +
                                Counted(static_cast<int64_t>(deep.intersections.size()), "intersecting pair") +
                                (deep.intersections.empty() ? "" : " of triangles"));
  out += FactLine("clearance", deep.clearance ? fmt::format("{:.4g} from {} to {}", deep.clearance->distance,
                                                            deep.clearance_from, deep.clearance_to)
                                              : std::string("no narrow gap"));
  const TriangleQuality& quality = deep.quality;
  out += FactLine("triangles",
                  fmt::format("smallest angle {:.2g} degrees, mean {:.0f}; {:.1f}% below 10 degrees; aspect {:.2f} "
                              "(median) to {:.3g}",
                              quality.worst_min_angle * kDegrees, quality.mean_min_angle * kDegrees,
                              100 * quality.share_below_10, quality.median_aspect, quality.worst_aspect));
  for (const auto& [part, inside_of, share] : deep.containment) {
    out += FactLine("inside", fmt::format("{:.0f}% of {} is inside {}", 100 * share, part, inside_of));
  }
  return out;
}

std::string PartsTable(const std::vector<PartInspection>& parts) {
  if (parts.size() < 2) return "";
  std::vector<std::vector<std::string>> rows = {
      {"part", "vertices", "welded", "triangles", "islands", "boundary", "non-manifold", "degenerate", "moves"}};
  for (const PartInspection& part : parts) {
    const SurfaceInspection& s = part.surface;
    rows.push_back({part.name, Grouped(s.vertices), Grouped(s.welded_vertices), Grouped(s.triangles),
                    Grouped(s.islands), Grouped(s.boundary_edges), Grouped(s.non_manifold_edges),
                    Grouped(s.degenerate_triangles),
                    part.skinned    ? "by weights"
                    : part.attached ? "with a joint"
                                    : "not"});
  }
  return "Parts\n" + TextTable(rows);
}

std::string RolesTable(const std::optional<RolesInspection>& roles) {
  if (!roles) return "";
  int islands = 0;
  for (const RoleRow& row : roles->rows) islands += row.islands;
  if (islands < 2) return "";
  std::vector<std::vector<std::string>> rows = {{"part", "role", "islands", "points"}};
  std::vector<std::string> reasons = {"reason, of the largest island"};
  // A line about a single row is no shorter than the row.
  const size_t shown =
      roles->rows.size() == kMaxRoleRows + 1 ? kMaxRoleRows + 1 : std::min(roles->rows.size(), kMaxRoleRows);
  for (size_t i = 0; i < shown; ++i) {
    const RoleRow& row = roles->rows[i];
    rows.push_back({row.part, NameOf(row.role), Grouped(row.islands), Grouped(row.points)});
    reasons.push_back(row.reason);
  }
  std::string out = "Roles\n" + TextTable(rows, reasons);
  const auto left = static_cast<int64_t>(roles->rows.size() - shown);
  if (left > 0) out += fmt::format("  and {} with fewer points; --json lists all\n", Counted(left, "row"));
  return out;
}

std::string AnimationsTable(const std::vector<AnimationInspection>& animations) {
  if (animations.empty()) return "";
  std::vector<std::vector<std::string>> rows = {{"animation", "seconds", "joints", "curves", "keys"}};
  for (const AnimationInspection& animation : animations) {
    rows.push_back({animation.name.empty() ? "(no name)" : animation.name, fmt::format("{:.3g}", animation.duration),
                    Grouped(animation.joints), Grouped(animation.curves), Grouped(animation.keys)});
  }
  return "Animations\n" + TextTable(rows);
}

}  // namespace

std::string ToText(const CharacterInspection& found) {
  std::string out = fmt::format("Character {}\n", found.name);
  out += SurfaceFacts(found) + SpaceFacts(found) + SkeletonFacts(found) + WeightFacts(found.weights);
  out += RoleFacts(found);
  if (found.deep) out += DeepFacts(*found.deep);
  out += PartsTable(found.parts) + RolesTable(found.roles) + AnimationsTable(found.animations);
  return out + FindingsText(found.findings);
}

}  // namespace sinew::inspect
