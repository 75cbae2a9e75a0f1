#include "sinew/offline/lod/hierarchy_file.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skinned_mesh.h"
#include "tests/support/temporary_folder.h"

namespace sinew::lod {
namespace {

using testing::TemporaryFolder;

Hierarchy SmallHierarchy() {
  return BuildHierarchy(testing::SkinnedMesh(testing::Sphere(8, 6)), "sphere.glb", {.points = {16}, .regions = 6});
}

TEST(HierarchyFile, ComesBackAsItWas) {
  const TemporaryFolder folder;
  const Hierarchy written = SmallHierarchy();
  WriteHierarchy(folder.path() / "sphere.lod", written);
  WriteHierarchy(folder.path() / "sphere.lod", written);
  const Hierarchy read = ReadHierarchy(folder.path() / "sphere.lod");
  ASSERT_EQ(read.level_count(), 2);
  for (int i = 1; i <= 2; ++i) {
    EXPECT_EQ(gltf::EncodeGlb(read.level(i).character), gltf::EncodeGlb(written.level(i).character));
    EXPECT_EQ(read.level(i).point_of_vertex, written.level(i).point_of_vertex);
    EXPECT_EQ(read.level(i).point_count, written.level(i).point_count);
    EXPECT_EQ(read.U[i - 1].corners, written.U[i - 1].corners);
    EXPECT_EQ(read.U[i - 1].weights, written.U[i - 1].weights);
  }
}

TEST(HierarchyFile, ReplacesNothingButAHierarchy) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "photos");
  WriteFileAtomic(folder.path() / "photos" / "cat.txt", std::string_view("cat"));
  EXPECT_THROW(WriteHierarchy(folder.path() / "photos", SmallHierarchy()), Error);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "photos" / "cat.txt"));
}

TEST(HierarchyFile, RefusesALevelThatIsAnother) {
  const TemporaryFolder folder;
  WriteHierarchy(folder.path() / "h", SmallHierarchy());
  std::filesystem::copy_file(folder.path() / "h" / "level_2.glb", folder.path() / "h" / "level_1.glb",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THROW(ReadHierarchy(folder.path() / "h"), InputError);
}

Bytes SmallOperators() {
  const TemporaryFolder folder;
  WriteHierarchy(folder.path() / "h", SmallHierarchy());
  return ReadFile(folder.path() / "h" / "operators.bin");
}

TEST(Operators, EveryTruncationIsAnError) {
  const Bytes bytes = SmallOperators();
  for (size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(ParseOperators(std::span(bytes).first(n), "operators.bin"), InputError) << n;
  }
  Bytes longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW(ParseOperators(longer, "operators.bin"), InputError);
}

TEST(Operators, EveryChangedByteIsAnError) {
  const Bytes bytes = SmallOperators();
  for (size_t n = 0; n < bytes.size(); ++n) {
    Bytes changed = bytes;
    changed[n] ^= std::byte{0x10};
    EXPECT_THROW(ParseOperators(changed, "operators.bin"), InputError) << n;
  }
}

TEST(Operators, SaysWhatIsWrong) {
  const auto message = [](Operators operators) -> std::string {
    try {
      ParseOperators(FormatOperators(operators), "operators.bin");
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  const Operators good = ParseOperators(SmallOperators(), "operators.bin");
  EXPECT_EQ(message(good), "no error");
  Operators bad = good;
  bad.U[0].corners[3][1] = 1000;
  EXPECT_EQ(message(bad), "operators.bin: U_0, entry 10: names point 1000 of 6; build the hierarchy again");
  bad = good;
  bad.U[1].weights[2] = {0.5f, 0.7f, -0.2f};
  EXPECT_EQ(message(bad),
            "operators.bin: U_1, row 2: has weights that are negative or do not sum to 1; build the hierarchy again");
  bad = good;
  bad.U[1].corners[2] = {4, 5, 4};
  EXPECT_EQ(message(bad), "operators.bin: U_1, row 2: names one point twice; build the hierarchy again");
}

}  // namespace
}  // namespace sinew::lod
