#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/offline/core/json.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/render/image.h"
#include "tests/support/mesh_families.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_assets.h"
#include "tests/support/temporary_folder.h"

namespace sinew {
namespace {

using testing::ProgramResult;
using testing::RunSinew;

class RenderCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    const TriMesh ball = testing::Moved(testing::Sphere(16, 8), {0, 1, 0});
    std::string text;
    for (int v = 0; v < ball.vertex_count(); ++v) {
      text += fmt::format("v {} {} {}\n", ball.positions(v, 0), ball.positions(v, 1), ball.positions(v, 2));
    }
    for (int t = 0; t < ball.triangle_count(); ++t) {
      text += fmt::format("f {} {} {}\n", ball.triangles(t, 0) + 1, ball.triangles(t, 1) + 1, ball.triangles(t, 2) + 1);
    }
    WriteFileAtomic(folder_ / "ball.obj", text);
    vertices_ = ball.vertex_count();
  }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // Expects an error: its exit code, that all the words are in its one sentence, and that nothing was written.
  void ExpectError(const std::string& arguments, int code, const std::vector<std::string>& words,
                   const std::string& environment = "") {
    const ProgramResult result = RunSinew("render " + arguments + " -o " + Path("none.png"), environment);
    EXPECT_EQ(result.code, code) << arguments << "\n" << result.errors;
    for (const std::string& word : words) {
      EXPECT_NE(result.errors.find(word), std::string::npos) << arguments << "\n" << result.errors;
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "none.png"));
  }

  testing::TemporaryFolder folder_;
  int vertices_ = 0;
};

TEST_F(RenderCommand, DrawsAndReports) {
  const ProgramResult result = RunSinew(
      fmt::format("render --view front,side {} -o {} --size 100x120 --json", Path("ball.obj"), Path("ball.png")));
  ASSERT_EQ(result.code, 0) << result.errors;
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["width"], 200);
  EXPECT_EQ(json["height"], 120);
  EXPECT_EQ(json["frames"], 1);
  EXPECT_EQ(json["inputs"][0]["vertices"], vertices_);
  const render::Image image = render::DecodeImage(ReadFile(folder_ / "ball.png"), "ball.png", "");
  EXPECT_EQ(image.width, 200);
  EXPECT_EQ(image.height, 120);
}

TEST_F(RenderCommand, SameCallSameBytesWhateverTheThreads) {
  for (const char* threads : {"1", "2", "3"}) {
    const ProgramResult result =
        RunSinew(fmt::format("render {} -o {} --size 150 --threads {}", Path("ball.obj"), Path(threads), threads));
    ASSERT_EQ(result.code, 0) << result.errors;
  }
  EXPECT_EQ(ReadFile(folder_ / "1"), ReadFile(folder_ / "2"));
  EXPECT_EQ(ReadFile(folder_ / "1"), ReadFile(folder_ / "3"));
}

TEST_F(RenderCommand, ColoursByArraysFrameByFrame) {
  std::vector<float> values(3 * static_cast<size_t>(vertices_));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  WriteNpy(folder_ / "heat.npy", MakeNpy(values, {3, vertices_}));
  const std::string call =
      fmt::format("render {0} --heat {1} --size 100x100 --json -o ", Path("ball.obj"), Path("heat.npy"));
  const ProgramResult all = RunSinew(call + Path("all.png"));
  ASSERT_EQ(all.code, 0) << all.errors;
  EXPECT_EQ(Json::parse(all.output)["frames"], 3);
  EXPECT_EQ(Json::parse(all.output)["inputs"][0]["heat"]["max"], 3.0 * vertices_ - 1);
  const ProgramResult one = RunSinew(call + Path("one.png") + " --frame 1");
  ASSERT_EQ(one.code, 0) << one.errors;
  EXPECT_EQ(Json::parse(one.output)["frames"], 1);
  EXPECT_EQ(Json::parse(one.output)["inputs"][0]["heat"]["max"], 2.0 * vertices_ - 1);
}

TEST_F(RenderCommand, ComparesInMillimetres) {
  std::string moved = ReadTextFile(folder_ / "ball.obj");
  moved.replace(moved.find("v "), moved.find('\n') - moved.find("v "), "v 0 1 -1.25");
  WriteFileAtomic(folder_ / "moved.obj", moved);
  const ProgramResult result = RunSinew(fmt::format("render {} --compare {} --size 100x100 --json -o {}",
                                                    Path("moved.obj"), Path("ball.obj"), Path("distance.png")));
  ASSERT_EQ(result.code, 0) << result.errors;
  const Json heat = Json::parse(result.output)["inputs"][0]["heat"];
  EXPECT_NEAR(heat["max"].get<double>(), 250, 0.01);
  EXPECT_NEAR(heat["mean"].get<double>(), 250.0 / vertices_, 0.01);
  EXPECT_EQ(heat["unit"], "mm");
}

TEST_F(RenderCommand, SaysWhatIsWrongWithTheCall) {
  const std::string ball = Path("ball.obj");
  ExpectError(ball + " --view below", 2, {"below", "three-quarter"});
  ExpectError(ball + " --view front,turntable", 2, {"turntable"});
  ExpectError(ball + " --size big", 2, {"--size big", "900x1000"});
  ExpectError(ball + " --size 10x10", 2, {"64"});
  ExpectError(ball + " --heat-range 5:1", 2, {"5:1", "LOW:HIGH"});
  ExpectError(ball + " --frame 3", 2, {"--poses"});
  ExpectError(ball + " --all", 2, {"--poses"});
  ExpectError(ball + " --weights", 2, {"no weights"});
  ExpectError(ball + " --weights --compare " + ball, 2, {"--weights", "--compare"});
  ExpectError(ball + " --labels a,b", 2, {"2 labels for 1 files"});
  ExpectError(ball + " --focus hand", 2, {"'hand'", "no skeleton"});
  ExpectError(ball + " --animation walk", 3, {"ball.obj", "walk"});
  ExpectError("", 2, {"FILE"});
}

TEST_F(RenderCommand, SaysWhatIsWrongWithAFile) {
  ExpectError(Path("missing.glb"), 3, {"missing.glb"});
  WriteNpy(folder_ / "short.npy", MakeNpy(std::vector<float>{1, 2, 3}, {3}));
  ExpectError(Path("ball.obj") + " --heat " + Path("short.npy"), 3, {"short.npy", "(3)", std::to_string(vertices_)});
  WriteFileAtomic(folder_ / "small.obj", std::string_view("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
  ExpectError(Path("ball.obj") + " --compare " + Path("small.obj"), 3, {"small.obj", "vertices"});
}

TEST_F(RenderCommand, SaysWhichPackagesOpenGlNeeds) {
  ExpectError(Path("ball.obj"), 4, {"libegl-mesa0", "libgl1-mesa-dri"},
              "__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json ");
}

TEST_F(RenderCommand, DrawsRealCharacters) {
  SINEW_REQUIRE_ASSETS();
  const std::string assets = testing::AssetsFolder().string();
  const std::string fox = assets + "/gltf/Fox.glb", man = assets + "/gltf/CesiumMan.glb";
  for (const std::string& call : {fox + " --skeleton --wireframe", man + " --weights --skeleton",
                                  man + " --joint Skeleton_arm_joint_L__4_", fox + " " + man + " --common-scale",
                                  man + " --animation 0 --frame 10 --method dqs", fox + " --animation Run --fps 6",
                                  assets + "/makehuman/base.glb --poses " + assets + "/motion/walk.bvh --frame 9"}) {
    const ProgramResult result = RunSinew("render " + call + " --size 120x120 -o " + Path("real.png"));
    EXPECT_EQ(result.code, 0) << call << "\n" << result.errors;
  }
}

TEST_F(RenderCommand, TexturesAreShownUnlessTold) {
  SINEW_REQUIRE_ASSETS();
  const auto blue = [&](const std::string& options) {
    const ProgramResult result =
        RunSinew(fmt::format("render {}/gltf/CesiumMan.glb --size 200x200 --view front -o {} {}",
                             testing::AssetsFolder().string(), Path("man.png"), options));
    EXPECT_EQ(result.code, 0) << result.errors;
    const render::Image image = render::DecodeImage(ReadFile(folder_ / "man.png"), "man.png", "");
    return std::count_if(image.pixels.begin(), image.pixels.end(),
                         [](const render::Pixel& p) { return p[2] > p[0] + 50; });
  };
  EXPECT_GT(blue(""), 300);
  EXPECT_EQ(blue("--no-textures"), 0);
}

}  // namespace
}  // namespace sinew
