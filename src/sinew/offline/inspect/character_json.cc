#include <cmath>

#include "sinew/offline/inspect/character_report.h"
#include "sinew/offline/inspect/report_text.h"

namespace sinew::inspect {
namespace {

constexpr double kDegrees = 180 / 3.14159265358979323846;
// Largest number of intersecting pairs listed, since a broken mesh can have hundreds of thousands; all are counted.
constexpr size_t kMaxPairs = 1000;

Json VectorJson(const Eigen::Vector3f& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json SurfaceJson(const SurfaceInspection& surface) {
  return {{"vertices", surface.vertices},
          {"welded_vertices", surface.welded_vertices},
          {"triangles", surface.triangles},
          {"unused_vertices", surface.unused_vertices},
          {"islands", surface.islands},
          {"boundary_edges", surface.boundary_edges},
          {"boundary_loops", surface.boundary_loops},
          {"non_manifold_edges", surface.non_manifold_edges},
          {"non_manifold_vertices", surface.non_manifold_vertices},
          {"flipped_edges", surface.flipped_edges},
          {"degenerate_triangles", surface.degenerate_triangles},
          {"duplicate_triangles", surface.duplicate_triangles},
          {"euler_characteristic", surface.euler_characteristic},
          {"genus", surface.genus ? Json(*surface.genus) : Json()},
          {"orientable", surface.orientable},
          {"watertight", surface.watertight},
          {"area", surface.area},
          {"volume", surface.volume},
          {"edge_length", {{"min", surface.edges.min}, {"mean", surface.edges.mean}, {"max", surface.edges.max}}}};
}

Json PartJson(const PartInspection& part) {
  return {{"name", part.name},
          {"skinned", part.skinned},
          {"attached", part.attached},
          {"role", part.role.empty() ? Json() : Json(part.role)},
          {"normals", part.normals},
          {"tangents", part.tangents},
          {"texture_coordinates", part.texture_coordinates},
          {"morphs", part.morphs},
          {"surface", SurfaceJson(part.surface)}};
}

Json SkeletonJson(const SkeletonInspection& skeleton) {
  return {{"joints", skeleton.joints},
          {"helpers", skeleton.helpers},
          {"roots", skeleton.roots},
          {"named", skeleton.named},
          {"quadruped", skeleton.quadruped},
          {"without_weight", skeleton.without_weight},
          {"inside_tested", skeleton.inside_tested},
          {"outside_skin", skeleton.outside_skin},
          {"scaled", skeleton.scaled}};
}

Json WeightsJson(const WeightInspection& weights) {
  return {{"vertices", weights.vertices},
          {"influences", weights.histogram},
          {"mean_influences", weights.mean_influences},
          {"repaired",
           {{"not_summing_to_1", weights.repairs.rescaled},
            {"without_weight", weights.repairs.unweighted},
            {"too_many_influences", weights.repairs.cut}}}};
}

Json BindJson(const BindInspection& bind) {
  return {{"skin", bind.skin},
          {"joints", bind.comparison.joints},
          {"rest_is_bind", bind.comparison.moved == 0},
          {"moved_joints", bind.comparison.moved},
          {"singular_joints", bind.comparison.singular},
          {"largest_turn_degrees", bind.comparison.largest_turn * kDegrees},
          {"largest_shift", bind.comparison.largest_shift},
          {"furthest_joint", bind.furthest_joint},
          {"whole_turn_degrees", WholeTurn(bind.comparison) * kDegrees},
          {"whole_scale", WholeScale(bind.comparison)}};
}

Json RoleRowJson(const RoleRow& row) {
  return {{"part", row.part},
          {"role", NameOf(row.role)},
          {"islands", row.islands},
          {"points", row.points},
          {"reason", row.reason}};
}

Json AnimationJson(const AnimationInspection& animation) {
  return {{"name", animation.name},
          {"duration", animation.duration},
          {"curves", animation.curves},
          {"keys", animation.keys},
          {"joints", animation.joints}};
}

Json UnusedAnimationJson(const gltf::OtherAnimation& animation) {
  return {{"name", animation.name}, {"nodes", animation.nodes}, {"morphs", animation.morphs}};
}

Json ClearanceJson(const DeepInspection& deep) {
  if (!deep.clearance) return {};
  return {{"distance", deep.clearance->distance}, {"from", deep.clearance_from}, {"to", deep.clearance_to}};
}

Json QualityJson(const TriangleQuality& quality) {
  return {{"triangles", quality.triangles},
          {"worst_min_angle_degrees", quality.worst_min_angle * kDegrees},
          {"mean_min_angle_degrees", quality.mean_min_angle * kDegrees},
          {"share_below_10_degrees", quality.share_below_10},
          {"share_above_120_degrees", quality.share_above_120},
          {"median_aspect", quality.median_aspect},
          {"worst_aspect", quality.worst_aspect}};
}

Json DeepJson(const DeepInspection& deep) {
  Json by_joint = Json::array(), pairs = Json::array(), containment = Json::array();
  for (const auto& [joint, count] : deep.intersections_by_joint)
    by_joint.push_back({{"joint", joint}, {"pairs", count}});
  for (size_t i = 0; i < std::min(deep.intersections.size(), kMaxPairs); ++i) pairs.push_back(deep.intersections[i]);
  for (const auto& [part, inside_of, share] : deep.containment) {
    containment.push_back({{"part", part}, {"inside_of", inside_of}, {"share", share}});
  }
  Json json = {{"self_intersections", deep.intersections.size()},
               {"self_intersections_by_joint", by_joint},
               {"self_intersection_pairs", pairs},
               {"clearance", ClearanceJson(deep)},
               {"quality", QualityJson(deep.quality)},
               {"containment", containment}};
  if (deep.more_intersections) json["self_intersections_more"] = true;
  return json;
}

Json BoxJson(const Box& box) {
  if (box.isEmpty()) return {};
  return {{"min", VectorJson(box.min())}, {"max", VectorJson(box.max())}, {"size", VectorJson(box.sizes())}};
}

template <typename Items, typename ToItem>
Json ListJson(const Items& items, const ToItem& to_item) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(to_item(item));
  return list;
}

Json RolesJson(const RolesInspection& roles) {
  Json shares = Json::object();
  for (int r = 0; r < kRoles; ++r) shares[NameOf(static_cast<Role>(r))] = roles.shares[r];
  return {{"shares", shares}, {"patches", roles.patches}, {"rows", ListJson(roles.rows, RoleRowJson)}};
}

}  // namespace

Json ToJson(const CharacterInspection& found) {
  Json json = {{"kind", "character"}, {"name", found.name}, {"meshes", found.meshes}, {"skins", found.skins}};
  json["surface"] = SurfaceJson(found.whole);
  json["parts"] = ListJson(found.parts, PartJson);
  json["box"] = BoxJson(found.box);
  json["unit"] = {{"name", found.unit.name},
                  {"metres", found.unit.metres},
                  {"known_size", found.unit.known_size},
                  {"reason", found.unit.reason}};
  json["axes"] = {{"known", found.axes.known},
                  {"up", found.axes.up},
                  {"forward", found.axes.forward},
                  {"left", found.axes.left},
                  {"data_up", found.axes.data_up}};
  json["skeleton"] = SkeletonJson(found.skeleton);
  json["weights"] = WeightsJson(found.weights);
  json["bind"] = ListJson(found.bind, BindJson);
  json["roles"] = found.roles ? RolesJson(*found.roles) : Json();
  json["animations"] = ListJson(found.animations, AnimationJson);
  json["unused_animations"] = ListJson(found.unused_animations, UnusedAnimationJson);
  if (found.deep) json["deep"] = DeepJson(*found.deep);
  json["findings"] = FindingsJson(found.findings);
  return json;
}

}  // namespace sinew::inspect
