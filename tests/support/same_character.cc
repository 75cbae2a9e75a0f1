#include "tests/support/same_character.h"

#include <fmt/format.h>

#include "sinew/offline/io/gltf/same.h"

namespace sinew::testing {
namespace {

void ExplainParts(const Part& a, const Part& b, const std::string& place, std::vector<std::string>& out) {
  const auto check = [&](bool same, const char* what) {
    if (!same) out.push_back(place + what);
  };
  check(a.name == b.name, "name");
  check(gltf::SameMatrix(a.mesh.positions, b.mesh.positions), "positions");
  check(gltf::SameMatrix(a.mesh.triangles, b.mesh.triangles), "triangles");
  check(gltf::SameMatrix(a.normals, b.normals), "normals");
  check(gltf::SameMatrix(a.tangents, b.tangents), "tangents");
  check(gltf::SameList(a.attributes, b.attributes), "attributes");
  check(gltf::SameList(a.morphs, b.morphs), "morph targets");
  check(gltf::Same(a.weights, b.weights), "weights");
  check(a.skin == b.skin, "skin");
  check(a.material == b.material, "material");
  check(a.role == b.role, "role");
  check(gltf::SameMatrix(a.model_from_mesh.matrix(), b.model_from_mesh.matrix()), "place");
}

}  // namespace

std::vector<std::string> Differences(const Character& a, const Character& b) {
  std::vector<std::string> out;
  const auto check = [&](bool same, const std::string& what) {
    if (!same) out.push_back(what);
    return same;
  };
  check(a.name == b.name, "name");
  check(a.extras == b.extras, "extras");
  if (check(a.skeleton.joint_count() == b.skeleton.joint_count(), "number of joints")) {
    for (int j = 0; j < a.skeleton.joint_count(); ++j) {
      const Joint &x = a.skeleton.joints[j], &y = b.skeleton.joints[j];
      const std::string place = fmt::format("joint {}, ", j);
      check(x.name == y.name, place + "name");
      check(x.parent == y.parent, place + "parent");
      check(x.helper == y.helper, place + "helper");
      check(gltf::Same(x.rest, y.rest), place + "rest");
    }
  }
  check(gltf::SameList(a.skins, b.skins), "skins");
  check(gltf::SameList(a.animations, b.animations), "animations");
  if (check(a.parts.size() == b.parts.size(), "number of parts")) {
    for (size_t p = 0; p < a.parts.size(); ++p) {
      ExplainParts(a.parts[p], b.parts[p], fmt::format("part {}, ", p), out);
    }
  }
  return out;
}

}  // namespace sinew::testing
