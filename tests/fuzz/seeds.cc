// fuzz_seeds FOLDER: writes small valid files into FOLDER/<target>/, made by our own writers and builders.
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "sinew/offline/ablation/results.h"
#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/corpus/load_pack.h"
#include "sinew/offline/corpus/rig_pack.h"
#include "sinew/offline/dataset/manifest.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/distance_grid_file.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/obj.h"
#include "sinew/offline/io/ply.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/learn/layers/described_network.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/pipeline/config.h"
#include "sinew/offline/scenes/embedded_scenes.h"
#include "sinew/offline/scenes/solid_scene.h"
#include "sinew/offline/skincells/field_file.h"
#include "tests/offline/corpus/manifests.h"
#include "tests/offline/corpus/packed_bodies.h"
#include "tests/offline/corpus/rig_topologies.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/point_caches.h"
#include "tests/support/rigs.h"
#include "tests/support/skin_fields.h"
#include "tests/support/small_contact_shard.h"
#include "tests/support/small_deformer.h"
#include "tests/support/small_dents.h"
#include "tests/support/small_model.h"
#include "tests/support/small_presses.h"
#include "tests/support/small_recipes.h"
#include "tests/support/small_training_state.h"
#include "tests/support/truths.h"

namespace {

using namespace sinew;
namespace fs = std::filesystem;

// A script with every key.
constexpr std::string_view kSceneSeed =
    R"({"object": "worm", "seconds": 1, "step": 0.02, "gravity": [0, -1], "position": [0, 2], "angle": 0.5, "velocity":
[1, 0], "colliders": [{"shape": "plane", "friction": 0.5}, {"shape": "circle", "radius": 0.25, "keys": [{"position":
[1, 1]}, {"seconds": 2, "position": [3, 1], "angle": 1}]}, {"shape": "polygon", "corners": [[0, 0], [1, 0], [0, 1]],
"rounding": 0.1}], "handles": [{"handle": 2, "stiffness": 100, "keys": [{"position": [0, 1]}]}]})";

void WriteGltfSeeds(const fs::path& folder) {
  fs::create_directories(folder);
  testing::GltfBuilder builder = testing::SmallRig();
  WriteFileAtomic(folder / "rig.glb", builder.Glb());
  WriteFileAtomic(folder / "rig.gltf", builder.Gltf());
  testing::GltfBuilder undefined = builder;
  undefined.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] =
      undefined.Accessor({1, 0, 0, 0, NAN, NAN, NAN, NAN, 0.5f, 0.5f, 0, 0, 0, NAN, 0, 0}, 4);
  WriteFileAtomic(folder / "nan_weights.glb", undefined.Glb());
  Json& primitive = builder.json["meshes"][0]["primitives"][0];
  primitive["targets"] =
      Json::array({{{"POSITION", builder.Accessor(std::vector<float>(12, 1), 3, {.sparse = true})}}});
  primitive["attributes"]["COLOR_0"] =
      builder.Accessor(std::vector<float>(16, 1), 4, {.component_type = 5121, .normalized = true});
  primitive["mode"] = 5;
  builder.json["nodes"][0]["matrix"] = {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1};
  builder.json["nodes"][0].erase("translation");
  builder.json["animations"][0]["samplers"][0]["interpolation"] = "STEP";
  WriteFileAtomic(folder / "more.glb", builder.Glb());
  WriteFileAtomic(folder / "more.gltf", builder.Gltf());
  Character character = gltf::ReadGltf(builder.Glb(), "seed.glb", "");
  character.source = nullptr;
  for (Part& part : character.parts) part.source_node = part.source_mesh = part.source_primitive = -1;
  WriteFileAtomic(folder / "written.glb", gltf::EncodeGlb(character));
}

// Two levels of four points each, everything upsampled from its own corner.
void WriteOperatorSeeds(const fs::path& folder) {
  fs::create_directories(folder);
  lod::Operators operators;
  operators.point_counts = {4, 4, 4};
  lod::Upsampling U{.coarse_count = 4, .corners = {}, .weights = {}};
  for (int p = 0; p < 4; ++p) {
    U.corners.push_back({p, (p + 1) % 4, (p + 2) % 4});
    U.weights.push_back({0.5f, 0.25f, 0.25f});
  }
  for (int i = 0; i < 2; ++i) {
    operators.level_hashes.emplace_back(32, '0');
    operators.point_of_vertex.push_back({0, 1, 2, 3, 3});
    operators.U.push_back(U);
  }
  WriteFileAtomic(folder / "two_levels.bin", lod::FormatOperators(operators));
}

void WriteObjSeeds(const fs::path& folder) {
  fs::create_directories(folder);
  WriteFileAtomic(folder / "written.obj", EncodeObj(gltf::ReadGltf(testing::SmallRig().Glb(), "seed.glb", "")));
  WriteFileAtomic(folder / "features.obj",
                  "# all that an OBJ says\nmtllib a.mtl\no box\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0\n"
                  "v .5 +.25 1e-3\nvt 0 0\nvt 1 0 0\nvt 1 1\nvn 0 0 1\nvn 0 1 0\ng left \\\nhand\nusemtl skin\ns 1\n"
                  "f 1/1/1 2/2/1 3/3/1 4//2\nf -1 -2 -3\nusemtl cloth\nf 1/1 2/2 5/3\nf 1 2 5 3 4\nl 1 2\np 1\n");
}

void WritePlySeeds(const fs::path& folder) {
  fs::create_directories(folder);
  PlyFile ply;
  ply.comments = {"comment three splats and a face", "obj_info of no use"};
  PlyElement vertices{.name = "vertex", .count = 3};
  const std::pair<const char*, PlyType> columns[] = {
      {"x", PlyType::kFloat},      {"y", PlyType::kFloat},   {"z", PlyType::kDouble},
      {"f_dc_0", PlyType::kFloat}, {"red", PlyType::kUint8}, {"a", PlyType::kInt8},
      {"b", PlyType::kInt16},      {"c", PlyType::kUint16},  {"d", PlyType::kUint32}};
  for (const auto& [name, type] : columns) {
    PlyProperty property{.name = name, .type = type};
    for (int v = 0; v < 3; ++v) property.Append(v + 0.5);
    vertices.properties.push_back(property);
  }
  PlyProperty corners{.name = "vertex_indices", .type = PlyType::kInt32, .list = true};
  corners.offsets = {0, 3};
  for (int v = 0; v < 3; ++v) corners.Append(v);
  ply.elements = {vertices, {.name = "face", .count = 1, .properties = {corners}}};
  const std::pair<const char*, PlyFormat> formats[] = {
      {"ascii.ply", PlyFormat::kAscii}, {"little.ply", PlyFormat::kLittleEndian}, {"big.ply", PlyFormat::kBigEndian}};
  for (const auto& [name, format] : formats) {
    ply.format = format;
    WriteFileAtomic(folder / name, FormatPly(ply));
  }
}

// Names and places of a rig's joints.
void WriteRigJoints(const fs::path& folder) {
  fs::create_directories(folder / "rig_joints");
  Json names = Json::object();
  for (const autorig::BipedJoint& joint : autorig::BipedJoints()) names[joint.name] = std::string("my_") + joint.name;
  WriteFileAtomic(folder / "rig_joints/names.json", names.dump());
  WriteFileAtomic(folder / "rig_joints/joints.json",
                  std::string_view(R"({"left_knee": [0.1, 0.49, 0.02], "head": [0, 1.6, 0]})"));
}

void WriteAblationSeeds(const fs::path& folder) {
  fs::create_directories(folder);
  const ablation::MethodResult method{"linear blend", {{"all", "all", 2, 20, {1.5, 2.5, 9, 12, 1.0}}}};
  WriteResult(ablation::SkinningResult{"0123", {method}}, folder / "skinning.json");
  WriteResult(ablation::RowResult{.name = "ours",
                                  .about = "our network",
                                  .model = "ours-0.003.model",
                                  .rate = 0.003,
                                  .tried = {{0.001, 2.5}, {0.003, 1.5}},
                                  .validation = 1.5,
                                  .bodies = 2,
                                  .frames = 20,
                                  .test = "0123",
                                  .methods = {method}},
              folder / "ours.json");
}

// Arrays, BVH, pose manifests and limits, all of one small body in two poses.
void WriteMotionSeeds(const fs::path& folder) {
  for (const char* target : {"npy", "bvh", "poses", "limits"}) fs::create_directories(folder / target);
  Clip clip;
  clip.skeleton = testing::MakeRig({.names = {}});
  clip.motion = {.name = "seed", .frames_per_second = 30, .joints = JointNames(clip.skeleton), .frames = {}};
  clip.motion.frames.assign(2, clip.skeleton.RestPose());
  WriteBvh(folder / "bvh/seed.bvh", clip);
  WritePoses(folder / "seed.poses", clip);
  WriteFileAtomic(folder / "poses/seed.json", ReadTextFile(folder / "seed.poses/poses.json"));
  WriteFileAtomic(folder / "npy/seed.npy", ReadFile(folder / "seed.poses/rotation.npy"));
  const JointLimits limits = FindLimits(clip.skeleton, {});
  WriteFileAtomic(folder / "limits/seed.json", LimitsToJson(clip.skeleton, limits).dump());
}

void WriteFieldSeeds(const fs::path& folder) {
  fs::create_directories(folder);
  WriteFileAtomic(folder / "small.field", skincells::EncodeField(testing::RandomField(1, 3, 2, 4)));
}

// As the target takes it: where the grid lies, a zero byte, the array.
void WriteGridSeeds(const fs::path& folder) {
  fs::create_directories(folder);
  DistanceGrid grid{.counts = {3, 2, 2}, .distances = std::vector<float>(12, 0)};
  grid.distances[4] = -0.5f;
  WriteDistanceGrid(folder / "seed.npy", grid);
  const Bytes array = ReadFile(folder / "seed.npy");
  std::string whole = ReadTextFile(folder / "seed.json") + '\0';
  whole.append(reinterpret_cast<const char*>(array.data()), array.size());
  WriteFileAtomic(folder / "seed.grid", whole);
  fs::remove(folder / "seed.npy");
  fs::remove(folder / "seed.json");
}

void WriteDatasetSeeds(const fs::path& folder) {
  fs::create_directories(folder);
  const std::string hash(32, '0');
  dataset::DatasetManifest manifest;
  manifest.settings = {{"maker", "seed"}};
  manifest.chunk_frames = 2;
  manifest.characters = {{.name = "body", .file = "characters/body.glb", .hash = hash, .vertices = 4, .joints = 2}};
  manifest.motions = {{.name = "walk", .file = "walk.bvh", .timed = true}, {.name = "samples", .file = "", .seed = 3}};
  manifest.poses = {{.name = "all.poses", .hash = hash, .frames = 5}};
  for (int i = 0; i < 3; ++i) {
    manifest.frames.push_back({.index = i, .motion = i % 2, .motion_frame = i, .failure = "", .hash = hash});
  }
  manifest.frames[1].failure = "did not converge";
  manifest.chunks = {{.first_frame = 0, .frame_count = 2, .arrays = {}},
                     {.first_frame = 2, .frame_count = 1, .arrays = {}}};
  for (dataset::DatasetChunk& chunk : manifest.chunks) {
    for (const char* name : {"pose", "shape", "forces"})
      chunk.arrays[name] = {std::string("chunks/") + name + ".npy", hash};
  }
  WriteFileAtomic(folder / "seed.json", dataset::FormatDatasetManifest(manifest));
}

void WriteCorpusSeeds(const fs::path& folder) {
  for (const char* target : {"corpus", "packed_body", "rig_topology"}) fs::create_directories(folder / target);
  const corpus::PackedBody packed = corpus::SmallPackedBody();
  corpus::PackManifest pack{.name = "small", .seed = 1, .recipe = "", .test_families = {}, .bodies = {{}}};
  pack.bodies[0].body = corpus::SmallManifest().bodies[0];
  pack.bodies[0].hash = corpus::TestHash('a');
  pack.bodies[0].bytes = pack.bodies[0].points = pack.bodies[0].frames = 3;
  WriteFileAtomic(folder / "packed_body/small.packed", corpus::FormatPackedBody(packed));
  const corpus::RigTopology topology = corpus::SmallTopology();
  WriteFileAtomic(folder / "rig_topology/small.shapes", corpus::FormatRigShapes(topology));
  WriteFileAtomic(folder / "rig_topology/small.maps", corpus::FormatRigMaps(topology));
  corpus::RigPackManifest rig{
      .name = "small", .seed = 1, .recipe = "", .test_families = {}, .bodies = {}, .topologies = {}, .dress = {}};
  rig.bodies = {corpus::SmallManifest().bodies[0]};
  rig.topologies = {{.name = "tet",
                     .shapes_hash = corpus::TestHash('a'),
                     .maps_hash = corpus::TestHash('b'),
                     .bytes = 3,
                     .points = 4,
                     .shapes = 1,
                     .training_maps = 1,
                     .test_maps = 1}};
  rig.dress = {{.side = dataset::Side::kTrain, .seed = 1, .recipe = "{}"}};
  WriteFileAtomic(folder / "corpus/rig.json", corpus::FormatRigPackManifest(rig));
  WriteFileAtomic(folder / "corpus/corpus.json", corpus::FormatCorpusManifest(corpus::SmallManifest()));
  WriteFileAtomic(folder / "corpus/pack.json", corpus::FormatPackManifest(pack));
  WriteFileAtomic(folder / "corpus/recipe.toml", corpus::SmallRecipe(4, "[splits]\ntest = 0.2\n"));
}

void WriteShapeSeeds(const fs::path& folder) {
  for (const char* target : {"point_cache", "morph_animation"}) fs::create_directories(folder / target);
  WriteFileAtomic(folder / "morph_animation/rig.glb", testing::MorphedRig().Glb());
  WriteFileAtomic(folder / "morph_animation/rig.gltf", testing::MorphedRig().Gltf());
  WriteFileAtomic(folder / "point_cache/two.pc2", testing::Pc2File(2, 3, std::vector<float>(18, 1)));
  WriteFileAtomic(folder / "point_cache/two.mdd", testing::MddFile(2, 3, std::vector<float>(18, 1)));
}

// A model whose layers change their rows: contracted, expanded, pooled to joints.
learn::Model PooledModel() {
  const layers::DescribedNetwork network(Json::parse(R"({"inputs": 3, "layers": [
        {"kind": "contract", "width": 2}, {"kind": "graph_attention", "heads": 1, "width": 2, "self": 1},
        {"name": "back", "kind": "expand"}, {"kind": "mesh_conv", "outputs": 4, "from": ["input", "back"]},
        {"kind": "channel_max", "channels": 1}, {"kind": "skinning_pool", "joints": 2}, {"kind": "softmax"}]})"),
                                         "seed");
  Random random(1);
  learn::Model model = testing::SmallModel();
  model.architecture = JsonBox(network.description());
  model.tensors = network.ToTensors(network.InitialParameters(random), learn::TensorPrecision::kFloat);
  return model;
}

void WriteLearnSeeds(const fs::path& folder) {
  for (const char* target : {"model", "training_state", "contact_samples", "presses", "soft_object", "dent", "scene"})
    fs::create_directories(folder / target);
  WriteFileAtomic(folder / "contact_samples/solid.contacts",
                  contact::EncodeShard(testing::SmallSolidShard(), testing::kSmallShardInputs));
  WriteFileAtomic(folder / "contact_samples/small.contacts",
                  contact::EncodeShard(testing::SmallContactShard(), testing::kSmallShardInputs));
  for (const std::string& name : scenes::EmbeddedNames()) {
    const scenes::ObjectOptions few{.cubature = 8, .contact_spacing = 0.1};
    WriteFileAtomic(folder / "soft_object" / (name + ".soft"),
                    scenes::BuildObject(scenes::MakeEmbeddedObject(name, 200), few).file.bytes());
  }
  WriteFileAtomic(
      folder / "soft_object/solid.soft",
      scenes::BuildObject(scenes::MakeSolidObject("jelly3d", 500), {.cubature = 8, .contact_spacing = 1}).file.bytes());
  for (const int layers : {1, 2}) {
    WriteFileAtomic(folder / "dent" / (std::to_string(layers) + ".dent"), testing::SmallDent(layers).file.bytes());
  }
  WriteFileAtomic(folder / "scene/all.json", kSceneSeed);
  WriteFileAtomic(folder / "presses/small.presses",
                  contact::EncodePresses(testing::SmallPresses(), testing::kSmallPressesInputs));
  WriteFileAtomic(folder / "model/small.model", learn::EncodeModel(testing::SmallModel()));
  WriteFileAtomic(folder / "model/pooled.model", learn::EncodeModel(PooledModel()));
  WriteFileAtomic(folder / "training_state/small.partial",
                  learn::EncodeTrainingState(testing::SmallTrainingState(), testing::kSmallStateInputs));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
    return 2;
  }
  WriteGltfSeeds(fs::path(argv[1]) / "gltf");
  WriteObjSeeds(fs::path(argv[1]) / "obj");
  WritePlySeeds(fs::path(argv[1]) / "ply");
  WriteOperatorSeeds(fs::path(argv[1]) / "operators");
  fs::create_directories(fs::path(argv[1]) / "deformer");
  WriteFileAtomic(fs::path(argv[1]) / "deformer" / "small.bin", deformer::FormatDeformer(testing::SmallDeformer()));
  WriteLearnSeeds(argv[1]);
  WriteMotionSeeds(argv[1]);
  WriteRigJoints(argv[1]);
  WriteAblationSeeds(fs::path(argv[1]) / "ablation");
  WriteFieldSeeds(fs::path(argv[1]) / "field");
  WriteGridSeeds(fs::path(argv[1]) / "distance_grid");
  WriteDatasetSeeds(fs::path(argv[1]) / "dataset");
  WriteCorpusSeeds(argv[1]);
  WriteShapeSeeds(argv[1]);
  fs::create_directories(fs::path(argv[1]) / "truth");
  WriteFileAtomic(fs::path(argv[1]) / "truth" / "small.truth", testing::MakeSmallTruth().File());
  fs::create_directories(fs::path(argv[1]) / "build_config");
  WriteFileAtomic(fs::path(argv[1]) / "build_config" / "good.toml", pipeline::Config(pipeline::Preset::kGood).Text());
  return 0;
}
