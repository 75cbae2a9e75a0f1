#include "sinew/offline/io/obj.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/io/gltf/document.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/io/triangulate.h"

namespace sinew {
namespace {

Character Read(const std::string& text) { return ReadObj(std::as_bytes(std::span(text)), "x.obj"); }

std::string ErrorOf(const std::string& text) {
  try {
    Read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(Obj, TrianglesAndQuadsKeepTheOrderOfVertices) {
  const Character c = Read(kSquare + "f 1 2 3 4\n");
  ASSERT_EQ(c.parts.size(), 1);
  EXPECT_EQ(c.parts[0].name, "x");
  EXPECT_EQ(c.parts[0].mesh.positions.row(2), Eigen::RowVector3f(1, 1, 0));
  EXPECT_EQ(c.parts[0].mesh.triangles, (Triangles(2, 3) << 0, 1, 2, 0, 2, 3).finished());
  EXPECT_EQ(c.skeleton.joint_count(), 0);
}

TEST(Obj, NegativeIndicesCountFromTheEnd) {
  EXPECT_EQ(Read(kSquare + "f -4 -3 -2\n").parts[0].mesh.triangles, (Triangles(1, 3) << 0, 1, 2).finished());
}

TEST(Obj, SeamsSplitVerticesAndCopiesComeLast) {
  const Character c = Read(kSquare + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.25\nf 1/1 2/2 3/3\nf 1/4 3/3 4/1\n");
  const Part& part = c.parts[0];
  EXPECT_EQ(part.mesh.vertex_count(), 5);
  EXPECT_EQ(part.mesh.triangles, (Triangles(2, 3) << 0, 1, 2, 4, 2, 3).finished());
  EXPECT_EQ(part.mesh.positions.row(4), part.mesh.positions.row(0));
  ASSERT_EQ(part.attributes.size(), 1);
  EXPECT_EQ(part.attributes[0].values[8], 0.5f);
  EXPECT_EQ(part.attributes[0].values[9], 0.75f) << "v is counted from the top";
}

TEST(Obj, GroupsAndMaterialsArePartsWithTheirOwnVertices) {
  const Character c = Read(kSquare + "g a\nusemtl skin\nf 1 2 3\nusemtl cloth\nf 1 3 4\ng a\nusemtl skin\nf 2 3 4\n");
  ASSERT_EQ(c.parts.size(), 2);
  EXPECT_EQ(c.parts[0].mesh.triangle_count(), 2) << "the same group and material again is the same part";
  EXPECT_EQ(c.parts[0].mesh.vertex_count(), 4);
  EXPECT_EQ(c.parts[1].mesh.vertex_count(), 3);
  const Character glb = gltf::ReadGltf(gltf::EncodeGlb(c), "x.glb", "");
  EXPECT_EQ(glb.source->json["materials"][1]["name"], "cloth");
  EXPECT_EQ(glb.parts[1].material, 1);
}

TEST(Obj, ColoursContinuationsCommentsAndCarriageReturns) {
  const Character c =
      Read("v 0 0 0 1 0 .5\r\nv 1 0 \\\r\n0\nv 1 1 0 1.0 # a comment\nvn 0 0 2\nf 1//1 2//1 \\\n3//1\n");
  const Part& part = c.parts[0];
  ASSERT_EQ(part.attributes.size(), 1);
  EXPECT_EQ(part.attributes[0].name, "COLOR_0");
  EXPECT_EQ(part.attributes[0].values[2], 0.5f);
  EXPECT_EQ(part.attributes[0].values[3], 1) << "white where a vertex has none";
  EXPECT_EQ(part.normals.row(1), Eigen::RowVector3f(0, 0, 1)) << "normals have length 1";
}

TEST(Obj, ErrorsNameTheLine) {
  EXPECT_EQ(ErrorOf(""), "x.obj: has no vertices; check that it is an OBJ file");
  EXPECT_EQ(ErrorOf("v 0 0\n").find("x.obj: line 1: has 2 numbers where more are needed"), 0);
  EXPECT_EQ(ErrorOf("v 0 0 zero\n").find("x.obj: line 1: 'zero' is not a number"), 0);
  EXPECT_EQ(ErrorOf("\nv 0 nan 0\n").find("x.obj: line 2: 'nan' is not a finite number"), 0);
  EXPECT_EQ(ErrorOf("v 0 1e39 0\n").find("x.obj: line 1: '1e39' is not a finite number"), 0);
  EXPECT_EQ(ErrorOf("v 0 1e999 0\n").find("x.obj: line 1: '1e999' is not a number"), 0);
  EXPECT_EQ(ErrorOf(kSquare + "f 1 2\n").find("x.obj: line 5: is a face of 2 corners"), 0);
  EXPECT_EQ(ErrorOf(kSquare + "f 1 2 5\n").find("x.obj: line 5: names vertex 5, but there are 4 so far"), 0);
  EXPECT_EQ(ErrorOf(kSquare + "f 0 1 2\n").find("x.obj: line 5: names vertex 0, but"), 0);
  EXPECT_EQ(ErrorOf(kSquare + "f -5 1 2\n").find("x.obj: line 5: names vertex -5"), 0);
  EXPECT_EQ(ErrorOf(kSquare + "f 1/1 2 3\n").find("x.obj: line 5: names texture coordinate 1, but there are 0"), 0);
  EXPECT_EQ(ErrorOf(kSquare + "f 1//9 2 3\n").find("x.obj: line 5: names normal 9"), 0);
  EXPECT_EQ(ErrorOf(kSquare + "f 1/2/3/4 2 3\n").find("x.obj: line 5: "), 0);
  EXPECT_EQ(ErrorOf(kSquare + "f a b c\n").find("x.obj: line 5: 'a' is not an index"), 0);
  EXPECT_EQ(ErrorOf("solid cube\n").find("x.obj: line 1: 'solid' is not a keyword of OBJ"), 0);
}

TEST(Obj, EveryTruncationIsAnErrorOrAMesh) {
  const std::string whole = kSquare + "vt 0 0\nvn 0 0 1\ng part\nusemtl m\nf 1/1/1 2/1/1 3/1/1 4/1/1\n";
  for (size_t size = 0; size < whole.size(); ++size) ErrorOf(whole.substr(0, size));
}

TEST(Obj, WrittenAndReadAgainIsTheSame) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange(3, 30);
    Part part;
    part.name = "part";
    part.mesh.positions.resize(count, 3);
    for (Eigen::Index i = 0; i < part.mesh.positions.size(); ++i) {
      part.mesh.positions.data()[i] = static_cast<float>(*rc::gen::inRange(-1000000, 1000000)) * 0.00123f;
    }
    const auto triangles = *rc::gen::inRange(1, 40);
    part.mesh.triangles.resize(triangles, 3);
    for (Eigen::Index i = 0; i < part.mesh.triangles.size(); ++i) {
      part.mesh.triangles.data()[i] = *rc::gen::inRange(0, count);
    }
    Character character;
    character.parts.push_back(part);
    const Character again = Read(EncodeObj(character));
    RC_ASSERT(again.parts[0].mesh.positions == part.mesh.positions);
    RC_ASSERT(again.parts[0].mesh.triangles == part.mesh.triangles);
    RC_ASSERT(EncodeObj(again) == EncodeObj(character));
  }));
}

TEST(Obj, WritesNothingThatCannotBeRead) {
  EXPECT_THROW(EncodeObj(Character()), FailedError);
  Character far = Read(kSquare + "f 1 2 3\n");
  far.parts[0].model_from_mesh.scale(1e30f);
  EXPECT_NO_THROW(Read(EncodeObj(far)));
  far.parts[0].model_from_mesh.scale(1e30f);
  EXPECT_THROW(EncodeObj(far), FailedError);
}

double SignedArea(const std::vector<Eigen::Vector3f>& p, const std::array<int, 3>& t) {
  return 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).z();
}

// A star-shaped polygon around the origin, usually not convex: its triangles must tile it.
TEST(Triangulate, TilesStarsWithoutOverlap) {
  EXPECT_TRUE(rc::check([] {
    const auto radii = *rc::gen::suchThat(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 100)),
                                          [](const auto& r) { return r.size() >= 4; });
    std::vector<Eigen::Vector3f> corners;
    for (size_t i = 0; i < radii.size(); ++i) {
      const double angle = 2 * M_PI * static_cast<double>(i) / static_cast<double>(radii.size());
      corners.emplace_back(radii[i] * std::cos(angle), radii[i] * std::sin(angle), 0);
    }
    double area = 0, sum = 0;
    for (size_t i = 0; i < corners.size(); ++i) {
      const Eigen::Vector3f &a = corners[i], &b = corners[(i + 1) % corners.size()];
      area += 0.5 * (static_cast<double>(a.x()) * b.y() - static_cast<double>(a.y()) * b.x());
    }
    const auto triangles = Triangulate(corners);
    RC_ASSERT(triangles.size() == corners.size() - 2);
    for (const auto& t : triangles) {
      RC_ASSERT(SignedArea(corners, t) >= -1e-3 * area);
      sum += SignedArea(corners, t);
    }
    RC_ASSERT(std::abs(sum - area) < 1e-4 * area);
  }));
}

}  // namespace
}  // namespace sinew
