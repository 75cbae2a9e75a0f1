#include "sinew/offline/inspect/inspect_character.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/offline/inspect/character_findings.h"
#include "sinew/offline/inspect/inspect_deep.h"
#include "sinew/offline/inspect/inspect_rig.h"
#include "sinew/offline/inspect/inspect_roles.h"

namespace sinew::inspect {
namespace {

// Converts areas, volumes and lengths into model units. volume_scale: determinant of the transform into model space.
void Scale(double volume_scale, SurfaceInspection& surface) {
  const double length = std::cbrt(std::abs(volume_scale));
  surface.area *= length * length;
  surface.volume *= volume_scale;
  surface.edges = {surface.edges.min * length, surface.edges.mean * length, surface.edges.max * length};
}

PartInspection InspectPart(const Character& character, const RestPlacement& placement, const Part& part) {
  PartInspection found;
  found.name = part.name;
  found.surface = InspectSurface(part.mesh);
  Scale(placement.ModelFromMesh(part).linear().determinant(), found.surface);
  found.attached = part.skin >= 0 && character.skins[part.skin].attached;
  found.skinned = !part.weights.empty() && !found.attached;
  found.role = part.role;
  found.normals = part.normals.rows() > 0;
  found.tangents = part.tangents.rows() > 0;
  found.texture_coordinates =
      std::any_of(part.attributes.begin(), part.attributes.end(),
                  [](const VertexAttribute& attribute) { return attribute.name.starts_with("TEXCOORD_"); });
  found.morphs = static_cast<int>(part.morphs.size());
  return found;
}

int CountMeshes(const Character& character) {
  std::set<int> meshes;
  int without_source = 0;
  for (const Part& part : character.parts) {
    if (part.source_mesh >= 0) {
      meshes.insert(part.source_mesh);
    } else {
      ++without_source;
    }
  }
  return static_cast<int>(meshes.size()) + without_source;
}

}  // namespace

CharacterInspection InspectCharacter(const Character& character, const InspectOptions& options) {
  CharacterInspection found;
  found.name = character.name;
  found.meshes = CountMeshes(character);
  found.skins = static_cast<int>(
      std::count_if(character.skins.begin(), character.skins.end(), [](const Skin& skin) { return !skin.attached; }));
  const RestSurface whole = CollectRestSurface(character);
  for (const Part& part : character.parts) found.parts.push_back(InspectPart(character, whole.placement, part));
  const PosedCharacter displayed = PoseCharacter(character, character.skeleton.RestPose());
  found.box = displayed.box;
  const double volume_scale = whole.placement.model_from_bind.linear().determinant();
  if (found.parts.size() == 1) {
    found.whole = found.parts[0].surface;
  } else {
    found.whole = InspectSurface(whole.mesh, whole.welded);
    Scale(volume_scale, found.whole);
  }
  const RestBody body = MeasureRest(character.skeleton);
  found.unit = GuessUnit(body, found.box);
  found.axes = InspectAxes(character, body);
  found.skeleton = InspectSkeleton(character, body, found.parts);
  found.weights = InspectWeights(character);
  found.bind = InspectBind(character, found.box.isEmpty() ? 1 : found.box.diagonal().norm());
  found.roles = InspectRoles(character, whole, options.roles);
  found.animations = InspectAnimations(character);
  found.unused_animations = gltf::OtherAnimations(character);
  if (options.deep) {
    found.deep = InspectDeep(character, found.parts, displayed, whole, std::cbrt(std::abs(volume_scale)));
  }
  found.findings = CharacterFindings(found, options.read_warnings);
  return found;
}

}  // namespace sinew::inspect
