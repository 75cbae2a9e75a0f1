#include "sinew/offline/scenes/load_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/scenes/embedded_scenes.h"

namespace sinew::scenes {
namespace {

namespace fs = std::filesystem;

// Tetrahedra in the energy of an embedded object in space: what a step has time for on one core.
constexpr int kCubatureTets = 500;

void Take(BuiltObject built, const std::string& name, LoadedScene& loaded) {
  loaded.cubature_error = built.cubature_error;
  loaded.object = OpenObject(std::move(built.file), name);
}

void LoadObject(const fs::path& folder, int triangles, LoadedScene& loaded) {
  const std::string& name = loaded.scene.object;
  if (IsEmbedded(name)) {
    Take(BuildObject(MakeEmbeddedObject(name, triangles), {}), name, loaded);
  } else {
    loaded.object = ReadObject(folder / name);
  }
}

// An object of one's own, in the plane or in space.
void LoadFall(const std::string& file, LoadedScene& loaded) {
  loaded.object = ReadObject(file);
  const dynamics::ObjectTable& table = loaded.object.table;
  const int d = table.dimension();
  double lowest = table.rest()[1];
  for (int n = 0; n < table.node_count(); ++n) lowest = std::min(lowest, table.rest()[d * n + 1]);
  if (loaded.is_solid()) {
    loaded.solid = MakeSolidFall(file, lowest, table.header().size);
  } else {
    loaded.scene = MakeFall(file, lowest, table.header().size);
  }
}

void LoadScript(const fs::path& path, int triangles, LoadedScene& loaded) {
  loaded.scene = ParseScene(ReadTextFile(path), path.string());
  LoadObject(path.parent_path(), triangles, loaded);
  if (!loaded.is_solid()) return;
  throw UsageError(
      fmt::format("'{}' is an object in space, and scripts are for objects in the plane; give the object alone, which "
                  "then falls",
                  loaded.scene.object));
}

}  // namespace

bool IsScene(const std::string& name) {
  const std::string extension = LowerExtension(name);
  return IsEmbedded(name) || IsSolid(name) || extension == ".soft" || extension == ".json";
}

LoadedScene LoadScene(const std::string& name, const CellCounts& counts, const fs::path& field) {
  LoadedScene loaded;
  const fs::path path = name;
  if (IsEmbedded(name)) {
    loaded.scene = MakeEmbeddedScene(name);
    LoadObject({}, counts.triangles, loaded);
  } else if (IsSolid(name)) {
    loaded.solid = MakeSolidScene(name);
    Take(BuildObject(MakeSolidObject(name, counts.tets), {.cubature = kCubatureTets}), name, loaded);
  } else if (LowerExtension(path) == ".soft") {
    LoadFall(name, loaded);
  } else if (LowerExtension(path) == ".json") {
    LoadScript(path, counts.triangles, loaded);
  } else {
    throw UsageError(fmt::format("'{}' is no scene; give {}, {}, a script (.json) or an object (.soft)", name,
                                 fmt::join(EmbeddedNames(), ", "), fmt::join(SolidNames(), ", ")));
  }
  const fs::path named = loaded.scene.field;
  if (!field.empty()) {
    loaded.field = contact::ReadDent(field);
  } else if (!named.empty()) {
    loaded.field = contact::ReadDent(path.parent_path() / named);
  }
  return loaded;
}

}  // namespace sinew::scenes
