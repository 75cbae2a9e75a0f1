#include "sinew/offline/bodies/put_on.h"

#include <gtest/gtest.h>

#include <memory>

#include "sinew/offline/bodies/remesh_character.h"
#include "sinew/offline/character/influences.h"
#include "sinew/offline/character/skeleton.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/gltf/images.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/sheets.h"
#include "tests/offline/bodies/small_biped.h"
#include "tests/support/same_character.h"

namespace sinew::bodies {
namespace {

constexpr float kOff = 0.012F;

// Shorts for the neutral biped: its skin around hips and thighs, a little off it; open at waist and knees.
Character Shorts() {
  Character shorts = SmallBiped();
  shorts.name = "shorts";
  shorts.extras = Json::object();
  shorts.animations.clear();
  Part& part = shorts.parts[0];
  part.mesh.positions += kOff * VertexNormals(part.mesh);
  std::vector<Eigen::Vector3i> kept;
  for (int t = 0; t < part.mesh.triangle_count(); ++t) {
    const Eigen::Vector3f middle =
        (part.mesh.positions.row(part.mesh.triangles(t, 0)) + part.mesh.positions.row(part.mesh.triangles(t, 1)) +
         part.mesh.positions.row(part.mesh.triangles(t, 2))) /
        3;
    if (middle.y() > 0.55F && middle.y() < 1.1F) kept.push_back(part.mesh.triangles.row(t).transpose());
  }
  part.mesh.triangles = ToRows(kept);
  return shorts;
}

Character Dressed(const Character& body, const Character& garment) { return PutOn(body, "body", garment, "shorts"); }

double Deepest(const TriMesh& body, const Points& cloth) {
  const SurfaceQuery query(body);
  const Points normals = VertexNormals(body);
  double deepest = 0;
  for (Eigen::Index v = 0; v < cloth.rows(); ++v) {
    const Eigen::Vector3f at = cloth.row(v).transpose();
    deepest = std::max(deepest, -SideOf(body, normals, *query.Closest(at), at.cast<double>()).distance);
  }
  return deepest;
}

TEST(PutOn, KeepsABodyAndAGarmentThatWasMadeForIt) {
  const Character body = SmallBiped(), shorts = Shorts();
  Character dressed = Dressed(body, shorts);
  ASSERT_EQ(dressed.parts.size(), 2u);
  const Part part = dressed.parts[1];
  EXPECT_EQ(part.role, "layer");
  EXPECT_EQ(part.name, "shorts") << "the body has a part of the same name";
  EXPECT_EQ(part.skin, 0);
  EXPECT_EQ(part.mesh.triangles, shorts.parts[0].mesh.triangles);
  EXPECT_LT((part.mesh.positions - shorts.parts[0].mesh.positions).cwiseAbs().maxCoeff(), 1e-6F);
  EXPECT_LT((part.normals - shorts.parts[0].normals).cwiseAbs().maxCoeff(), 1e-4F);
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    const Influences now = InfluencesOf(part.weights, v), then = InfluencesOf(shorts.parts[0].weights, v);
    ASSERT_EQ(now.count, then.count);
    for (int i = 0; i < now.count; ++i) {
      EXPECT_EQ(now.weights[i], then.weights[i]);
      EXPECT_EQ(body.skeleton.joints[now.joints[i]].name, shorts.skeleton.joints[then.joints[i]].name);
    }
  }
  dressed.parts.pop_back();
  EXPECT_EQ(testing::Differences(dressed, body), std::vector<std::string>());
}

TEST(PutOn, FitsAGarmentOfAnotherBody) {
  const Character shorts = Shorts();
  for (const uint64_t seed : {3, 7}) {
    const Character body = SmallBiped(seed);
    const Character dressed = Dressed(body, shorts);
    const double height = BoundingBox(body.parts[0].mesh.positions).sizes().y();
    EXPECT_LT(Deepest(body.parts[0].mesh, dressed.parts[1].mesh.positions), 0.003 * height);
    // The legs are as far down the thighs as on the body that they were made for.
    const auto hem = [](const Character& on, const Points& cloth, const Triangles& triangles) {
      const auto frames = LocalToModel(on.skeleton, on.skeleton.RestPose());
      const float hip = frames[on.skeleton.Find("left_hip")].translation().y();
      const float knee = frames[on.skeleton.Find("left_knee")].translation().y();
      float lowest = 10;
      for (Eigen::Index i = 0; i < triangles.size(); ++i) lowest = std::min(lowest, cloth(triangles.data()[i], 1));
      return (hip - lowest) / (hip - knee);
    };
    const Part& cloth = dressed.parts[1];
    EXPECT_NEAR(hem(body, cloth.mesh.positions, cloth.mesh.triangles),
                hem(SmallBiped(), shorts.parts[0].mesh.positions, cloth.mesh.triangles), 0.05);
  }
}

TEST(PutOn, IsTheSameWhateverTheThreads) {
  const Character body = SmallBiped(3);
  const Character one = Dressed(body, Shorts());
  SetThreads(1);
  const Character again = Dressed(body, Shorts());
  SetThreads(0);
  EXPECT_EQ(testing::Differences(one, again), std::vector<std::string>());
}

TEST(PutOn, TakesWeightsFromTheSkinWhereThereAreNone) {
  const Character body = SmallBiped();
  Character garment = Shorts();
  garment.skins.clear();
  garment.parts[0].skin = -1;
  garment.parts[0].weights = {};
  // A copy of the skin, a little off it, gets the skin's weights.
  garment.parts[0].mesh = body.parts[0].mesh;
  garment.parts[0].mesh.positions += 1e-4F * VertexNormals(body.parts[0].mesh);
  garment.parts[0].normals.resize(0, 3);
  const Part part = Dressed(body, garment).parts[1];
  for (int v = 0; v < part.mesh.vertex_count(); v += 7) {
    const Influences now = InfluencesOf(part.weights, v), below = InfluencesOf(body.parts[0].weights, v);
    EXPECT_GT(CommonWeight(now, below), 0.8) << v;
  }
}

TEST(PutOn, CanBeRemeshedAndReadAgain) {
  const Character dressed = Dressed(SmallBiped(), Shorts());
  const Character read = gltf::ReadGltf(gltf::EncodeGlb(dressed), "dressed.glb", "");
  ASSERT_EQ(read.parts.size(), 2u);
  EXPECT_EQ(read.parts[1].role, "layer");
  const RemeshRecipe recipe = DrawRemesh(PointCount(read, "dressed"), 2000, 3000, 5);
  const Character remeshed = RemeshCharacter(read, recipe, "dressed").character;
  ASSERT_EQ(remeshed.parts.size(), 2u);
  EXPECT_EQ(remeshed.parts[1].role, "layer");
}

TEST(PutOn, SaysWhichJointsAreMissing) {
  Character garment = Shorts();
  const int hip = garment.skeleton.Find("left_hip");
  ASSERT_GE(hip, 0);
  garment.skeleton.joints[hip].name = "cloth_7";
  try {
    Dressed(SmallBiped(), garment);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cloth_7"), std::string::npos) << error.what();
  }
  Character bare = SmallBiped();
  bare.skins.clear();
  bare.parts[0].skin = -1;
  bare.parts[0].weights = {};
  EXPECT_THROW(Dressed(bare, Shorts()), InputError);
  Character bad = Shorts();
  bad.parts[0].mesh.positions(3, 1) = NAN;
  EXPECT_THROW(Dressed(SmallBiped(), bad), InputError);
}

// Bytes that begin as those of a PNG do.
Bytes Picture(char last) {
  Bytes bytes;
  for (const char c : std::string("\x89PNG\r\n") + last) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

Character WithMaterial(Character character, const std::string& name, char picture) {
  auto document = std::make_shared<gltf::SourceDocument>();
  document->json["materials"] = Json::array(
      {{{"name", name}, {"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}, {"doubleSided", true}}});
  document->json["textures"] = Json::array({{{"source", 0}, {"sampler", 0}}});
  document->json["samplers"] = Json::array({{{"wrapS", picture == 'a' ? 33071 : 10497}}});
  document->json["images"] = Json::array({{{"uri", name + ".png"}}});
  document->images[0] = Picture(picture);
  character.source = document;
  for (Part& part : character.parts) part.material = 0;
  return character;
}

TEST(PutOn, KeepsMaterialsTexturesAndImages) {
  const Character body = WithMaterial(SmallBiped(), "skin", 'a'), garment = WithMaterial(Shorts(), "wool", 'b');
  for (const Character& dressed : {Dressed(body, garment), Dressed(SmallBiped(), garment)}) {
    const Character read = gltf::ReadGltf(gltf::EncodeGlb(dressed), "dressed.glb", "");
    ASSERT_EQ(read.parts.size(), 2u);
    const Json& json = read.source->json;
    const Json& material = json["materials"][read.parts[1].material];
    EXPECT_EQ(material["name"], "wool");
    const Json& texture = json["textures"][material["pbrMetallicRoughness"]["baseColorTexture"]["index"].get<int>()];
    EXPECT_EQ(json["samplers"][texture["sampler"].get<int>()]["wrapS"], 10497);
    EXPECT_EQ(gltf::ImageFile(*read.source, texture["source"]), Picture('b'));
    const int skin = read.parts[0].material;
    EXPECT_EQ(skin >= 0 ? json["materials"][skin]["name"] : Json("skin"), "skin");
  }
  Character wrong = garment;
  auto document = std::make_shared<gltf::SourceDocument>(*garment.source);
  document->json["textures"][0]["source"] = 9;
  wrong.source = document;
  EXPECT_THROW(Dressed(body, wrong), InputError);
}

}  // namespace
}  // namespace sinew::bodies
