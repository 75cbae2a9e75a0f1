#include "sinew/offline/inspect/character_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

#include "sinew/offline/inspect/inspect_roles.h"
#include "sinew/offline/inspect/wording.h"

namespace sinew::inspect {
namespace {

constexpr double kDegrees = 180 / 3.14159265358979323846;

class Writer {
 public:
  void Add(Severity severity, const std::string& code, const std::string& where, const std::string& problem,
           const std::string& remedy) {
    findings_.push_back({severity, code, where, problem, remedy});
  }
  void Error(const char* code, const std::string& where, const std::string& problem, const std::string& remedy) {
    Add(Severity::kError, code, where, problem, remedy);
  }
  void Warning(const char* code, const std::string& where, const std::string& problem, const std::string& remedy) {
    Add(Severity::kWarning, code, where, problem, remedy);
  }
  void Note(const char* code, const std::string& where, const std::string& problem, const std::string& remedy) {
    Add(Severity::kNote, code, where, problem, remedy);
  }
  Findings Take() {
    SortFindings(findings_);
    return std::move(findings_);
  }

 private:
  Findings findings_;
};

// Reports faults of a single part that cannot disappear by joining it with others.
void TellBrokenTriangles(const SurfaceInspection& surface, const std::string& where, Writer& out) {
  if (surface.triangles == 0) {
    out.Error("no-triangles", where, "has no triangles", "export the mesh with its faces");
    return;
  }
  if (surface.degenerate_triangles > 0) {
    out.Warning("degenerate-triangles", where,
                fmt::format("{} no area", Have(surface.degenerate_triangles, "triangle")),
                "remove them or merge their vertices: normals and solvers cannot use them");
  }
  if (surface.duplicate_triangles > 0) {
    out.Warning("duplicate-triangles", where,
                fmt::format("{} there twice", Are(surface.duplicate_triangles, "triangle")), "remove the second ones");
  }
  if (surface.unused_vertices > 0) {
    out.Note("unused-vertices", where, fmt::format("{} in no triangle", Are(surface.unused_vertices, "vertex")),
             "they cost memory and do no harm; remove them when exporting");
  }
}

// Reports faults of all parts together, since parts that are open by themselves may close each other.
void TellTopology(const SurfaceInspection& surface, Writer& out) {
  const std::string where = "surface";
  if (surface.non_manifold_edges > 0) {
    out.Warning("non-manifold-edges", where,
                fmt::format("{} more than two triangles", Have(surface.non_manifold_edges, "edge")),
                "separate the sheets that meet there: levels of detail and elasticity need a manifold");
  }
  if (surface.non_manifold_vertices > 0) {
    out.Warning("non-manifold-vertices", where,
                fmt::format("{} several fans of triangles by a point only",
                            Verb(surface.non_manifold_vertices, "vertex", "joins", "join")),
                "give each fan a vertex of its own");
  }
  if (!surface.orientable) {
    out.Warning("not-orientable", where, "has no inside and outside: it is one-sided like a Moebius strip",
                "cut it open");
  } else if (surface.flipped_edges > 0) {
    out.Warning("flipped-triangles", where,
                fmt::format("{} between triangles that face opposite ways", Are(surface.flipped_edges, "edge")),
                "recalculate the normals so that all triangles face outwards");
  }
  if (surface.volume < 0) {
    out.Warning("inside-out", where, "is closed but faces inwards", "flip all triangles");
  }
  if (surface.boundary_edges > 0) {
    out.Note("open", where,
             fmt::format("is open: {} in {}", Counted(surface.boundary_edges, "boundary edge"),
                         Counted(surface.boundary_loops, "loop")),
             "right for clothes and hair; a body that is to be filled with flesh must be closed");
  }
}

void TellSkeleton(const CharacterInspection& found, Writer& out) {
  const SkeletonInspection& skeleton = found.skeleton;
  if (skeleton.joints == 0) {
    out.Note("no-skeleton", "skeleton", "there are no joints", "rig it before it can be posed");
    return;
  }
  if (!skeleton.without_weight.empty()) {
    out.Note("joints-without-weight", List(skeleton.without_weight),
             fmt::format("{} no vertex", Verb(skeleton.without_weight.size(), "joint", "moves", "move")),
             "usual for tips and roots; otherwise paint weights or remove them from the skin");
  }
  std::vector<std::string> moving, still;
  for (const std::string& joint : skeleton.outside_skin) {
    const auto& idle = skeleton.without_weight;
    (std::find(idle.begin(), idle.end(), joint) == idle.end() ? moving : still).push_back(joint);
  }
  if (!moving.empty()) {
    out.Warning("joints-outside-skin", List(moving),
                fmt::format("{} outside the surface that {}", Verb(moving.size(), "joint", "stands", "stand"),
                            moving.size() == 1 ? "it moves" : "they move"),
                "a joint that turns a limb belongs inside it");
  }
  if (!still.empty()) {
    out.Note("idle-joints-outside-skin", List(still),
             fmt::format("{} outside the surface and without weight", Verb(still.size(), "joint", "stands", "stand")),
             "usual for roots and tips");
  }
  if (!skeleton.scaled.empty()) {
    out.Note("scaled-joints", List(skeleton.scaled),
             fmt::format("{} a rest scale other than 1", Have(skeleton.scaled.size(), "joint")),
             "apply the scale before exporting if lengths come out wrong");
  }
}

void TellWeights(const CharacterInspection& found, Writer& out) {
  for (const PartInspection& part : found.parts) {
    if (found.skeleton.joints > 0 && !part.skinned && !part.attached) {
      out.Warning("not-skinned", part.name, "has no weights and hangs below no joint: it will not move",
                  "bind it to the skeleton");
    }
  }
  const auto& histogram = found.weights.histogram;
  int more_than_4 = 0;
  for (size_t k = 5; k < histogram.size(); ++k) more_than_4 += histogram[k];
  if (more_than_4 > 0) {
    out.Note("more-than-4-influences", "weights", fmt::format("{} more than 4 influences", Have(more_than_4, "vertex")),
             "Sinew uses up to 8; many engines cut to 4");
  }
}

void TellRoles(const CharacterInspection& found, Writer& out) {
  for (const PartInspection& part : found.parts) {
    if (const std::string refusal = RefusalOfRole(part.role); !refusal.empty()) {
      out.Error("unknown-role", part.name, refusal, "change \"sinew_role\" in its extras, or leave it away");
    }
  }
}

void TellPose(const CharacterInspection& found, Writer& out) {
  for (const BindInspection& bind : found.bind) {
    const BindComparison& compared = bind.comparison;
    if (compared.singular > 0) {
      out.Error("singular-bind-matrix", bind.skin,
                fmt::format("{} an inverse bind matrix that flattens everything", Have(compared.singular, "joint")),
                "bind the mesh again and export");
    }
    if (compared.moved > 0) {
      out.Note("rest-is-not-bind", bind.skin,
               fmt::format("the rest pose is not the bind pose: {} by up to {:.1f} degrees and {:.3g} units ({} most)",
                           Verb(compared.moved, "joint", "differs", "differ"), compared.largest_turn * kDegrees,
                           compared.largest_shift, bind.furthest_joint),
               "nothing, if it is meant; the mesh data shows the bind pose, viewers show the rest pose");
    }
  }
}

void TellSpace(const CharacterInspection& found, Writer& out) {
  if (found.axes.known && found.axes.up != "+Y") {
    out.Warning("not-y-up", "axes", fmt::format("stands along {}, but glTF is +Y up", found.axes.up),
                "turn it when exporting");
  }
  if (found.axes.known && found.axes.up == "+Y" && found.axes.forward != "+Z") {
    out.Note("not-facing-z", "axes", fmt::format("faces {}, but glTF characters face +Z", found.axes.forward),
             "turn it when exporting if tools disagree about its front");
  }
  if (found.axes.known && found.axes.data_up != found.axes.up) {
    out.Note(
        "data-turned", "axes",
        fmt::format("the mesh data stands along {} and its root turns it to {}", found.axes.data_up, found.axes.up),
        "nothing: it is displayed right");
  }
  if (found.unit.metres != 1) {
    out.Note("not-metres", "unit", fmt::format("is probably in {}: it {}", found.unit.name, found.unit.reason),
             fmt::format("give --unit {} where a command takes it, if that is right", found.unit.name));
  }
}

void TellAnimations(const CharacterInspection& found, Writer& out) {
  for (const AnimationInspection& animation : found.animations) {
    if (animation.curves > 0 && animation.duration > 0) continue;
    out.Note("still-animation", animation.name.empty() ? "animation" : animation.name,
             animation.curves == 0 ? "moves no joint of this skeleton" : "lasts no time", "remove it");
  }
}

void TellUnusedAnimations(const std::vector<gltf::OtherAnimation>& animations, Writer& out) {
  if (animations.empty()) return;
  std::vector<std::string> names, moved;
  std::unordered_set<std::string> seen;
  bool morphs = false;
  for (const gltf::OtherAnimation& animation : animations) {
    names.push_back(animation.name);
    morphs = morphs || animation.morphs;
    for (const std::string& node : animation.nodes) {
      if (seen.insert(node).second) moved.push_back(node);
    }
  }
  std::vector<std::string> what;
  if (!moved.empty()) what.push_back(fmt::format("{} ({})", Counted(std::ssize(moved), "other node"), List(moved)));
  if (morphs) what.emplace_back("morph targets");
  std::string problem = Verb(std::ssize(names), "animation", "moves", "move") + " no joint of this skeleton";
  if (!what.empty()) problem += fmt::format(", only {}", fmt::join(what, " and "));
  out.Note("unused-animations", List(names), problem,
           "the file keeps them, and Sinew does not play them; bind what they move to a joint if it is to move");
}

void TellDeep(const CharacterInspection& found, Writer& out) {
  if (!found.deep) return;
  if (const size_t pairs = found.deep->intersections.size(); pairs > 0) {
    std::vector<std::string> joints;
    for (const auto& [joint, count] : found.deep->intersections_by_joint) {
      joints.push_back(fmt::format("{} {}", joint.empty() ? "unskinned" : joint, count));
    }
    out.Warning("self-intersections", List(joints),
                pairs == 1 ? "1 pair of triangles intersects"
                           : fmt::format("{}{} pairs of triangles intersect",
                                         found.deep->more_intersections ? "more than " : "", Grouped(pairs)),
                "pull the surfaces apart there: simulation starts from a shape that does not touch itself");
  }
  const TriangleQuality& quality = found.deep->quality;
  if (quality.share_below_10 > 0.05) {
    out.Note("thin-triangles", "surface",
             fmt::format("{:.0f}% of the triangles have an angle below 10 degrees", 100 * quality.share_below_10),
             "remesh it before simulating");
  }
}

}  // namespace

Findings CharacterFindings(const CharacterInspection& found, const std::vector<std::string>& read_warnings) {
  Writer out;
  for (const std::string& warning : read_warnings) {
    out.Warning("read", "file", warning, "it was read so; export it again if that is not what was meant");
  }
  if (found.parts.empty()) out.Error("no-surface", "file", "there is no mesh", "export the character with its mesh");
  for (const PartInspection& part : found.parts) TellBrokenTriangles(part.surface, part.name, out);
  TellTopology(found.whole, out);
  TellSkeleton(found, out);
  TellWeights(found, out);
  TellRoles(found, out);
  TellPose(found, out);
  TellSpace(found, out);
  TellAnimations(found, out);
  TellUnusedAnimations(found.unused_animations, out);
  TellDeep(found, out);
  return out.Take();
}

}  // namespace sinew::inspect
