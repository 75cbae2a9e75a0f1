#include "sinew/offline/bundle/bundle_file.h"

#include <algorithm>
#include <cstring>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/io/npy.h"

namespace sinew::bundle {
namespace {

// The vertices and triangles of one part of a level.
struct PartRange {
  std::string name;
  int first_vertex = 0, vertices = 0, first_triangle = 0, triangles = 0;
};

// Returns the parts that the bundle's info lists; the whole level as one part if it lists none that fit.
std::vector<PartRange> PartsOf(const runtime::Bundle& bundle, int level) {
  const runtime::BundleLevel& of = bundle.level(level);
  std::vector<PartRange> parts;
  const Json info = Json::parse(bundle.info(), nullptr, false);
  int vertices = 0, triangles = 0;
  bool fits = info.is_object() && info.contains("levels") && info["levels"].is_array() &&
              static_cast<int>(info["levels"].size()) == bundle.level_count();
  if (fits) {
    const Json& listed = info["levels"][static_cast<size_t>(level) - 1];
    for (const Json& part : listed.value("parts", Json::array())) {
      PartRange range{part.value("name", ""), vertices, part.value("vertices", 0), triangles,
                      part.value("triangles", 0)};
      fits = fits && range.vertices >= 0 && range.triangles >= 0 && range.vertices <= of.vertex_count - vertices &&
             range.triangles <= of.triangle_count - triangles;
      if (!fits) break;
      vertices += range.vertices;
      triangles += range.triangles;
      parts.push_back(range);
    }
  }
  if (fits && vertices == of.vertex_count && triangles == of.triangle_count) return parts;
  return {{"mesh", 0, of.vertex_count, 0, of.triangle_count}};
}

Part PartOf(const runtime::BundleLevel& level, const PartRange& range, const Points& positions, const Points& normals) {
  Part part;
  part.name = range.name;
  part.mesh.positions = positions.middleRows(range.first_vertex, range.vertices);
  part.normals = normals.middleRows(range.first_vertex, range.vertices);
  part.mesh.triangles.resize(range.triangles, 3);
  for (int t = 0; t < range.triangles; ++t) {
    uint32_t corners[3];
    level.Triangle(range.first_triangle + t, corners);
    for (int c = 0; c < 3; ++c) part.mesh.triangles(t, c) = static_cast<int>(corners[c]) - range.first_vertex;
  }
  const bool inside =
      range.triangles == 0 || (part.mesh.triangles.minCoeff() >= 0 && part.mesh.triangles.maxCoeff() < range.vertices);
  if (!inside) throw InputError("the bundle", range.name, "has triangles of other parts", "bake it again");
  if (level.texcoords != nullptr) {
    VertexAttribute uv{.name = "TEXCOORD_0", .components = 2, .values = {}};
    for (int v = 0; v < range.vertices; ++v) {
      float of_vertex[2];
      level.Texcoord(range.first_vertex + v, of_vertex);
      uv.values.insert(uv.values.end(), of_vertex, of_vertex + 2);
    }
    part.attributes.push_back(std::move(uv));
  }
  return part;
}

}  // namespace

LoadedBundle ReadBundle(const std::filesystem::path& path) {
  constexpr char kAdvice[] = "give a .sinew file that `sinew bake` wrote, or bake it again";
  LoadedBundle loaded;
  if (!loaded.file.Open(path.string().c_str())) {
    ReadFile(path);  // says what is wrong with a file that cannot be read
    throw InputError(path.string(), "", "is empty", kAdvice);
  }
  const char* problem = nullptr;
  const runtime::Status status = runtime::Bundle::Open(loaded.file.bytes(), &loaded.bundle, &problem);
  if (status != runtime::Status::kOk) {
    throw InputError(
        path.string(), "", problem,
        status == runtime::Status::kUnsupported ? "use the version that made it, or bake it again" : kAdvice);
  }
  return loaded;
}

Skeleton SkeletonOf(const runtime::Bundle& bundle) {
  Skeleton skeleton;
  const std::span<const int16_t> references = bundle.references();
  for (int j = 0; j < bundle.joint_count(); ++j) {
    skeleton.joints.push_back({.name = std::string(bundle.joint_name(j)),
                               .parent = std::max<int>(-1, bundle.parents()[j]),
                               .rest = bundle.rest_pose()[j],
                               .carrier = references.empty() ? -1 : std::max<int>(-1, references[j])});
  }
  return skeleton;
}

Character MeshOf(const runtime::Bundle& bundle, int level, const Points& positions, const Points& normals) {
  Character character;
  for (const PartRange& range : PartsOf(bundle, level)) {
    character.parts.push_back(PartOf(bundle.level(level), range, positions, normals));
  }
  return character;
}

void WriteDeformedArray(const runtime::Bundle& bundle, const std::vector<Pose>& poses, int level, bool skin_only,
                        const std::filesystem::path& path, int* outside, std::span<const runtime::Collider> colliders) {
  const int frames = static_cast<int>(poses.size()), vertices = bundle.level(level).vertex_count;
  std::vector<float> values(static_cast<size_t>(frames) * vertices * 3);
  std::vector<char> faded(poses.size(), 0);
  Progress progress("deforming", frames, "frames");
  ParallelFor(frames, 1, [&](int f) {
    const bake::DeformedLevel deformed = bake::Deform(bundle, poses[f], level, skin_only, colliders);
    std::copy_n(deformed.positions.data(), deformed.positions.size(),
                values.begin() + static_cast<std::ptrdiff_t>(f) * vertices * 3);
    faded[f] = (deformed.evaluation.flags & (runtime::kFaded | runtime::kContactBeyond)) != 0 ? 1 : 0;
    progress.Advance();
  });
  *outside = static_cast<int>(std::count(faded.begin(), faded.end(), 1));
  WriteNpy(path, MakeNpy(values, {frames, vertices, 3}));
}

}  // namespace sinew::bundle
