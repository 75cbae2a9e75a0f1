// Roles of parts as `sinew inspect` shows them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "sinew/offline/core/error.h"
#include "sinew/offline/inspect/character_report.h"
#include "tests/support/mesh_families.h"
#include "tests/support/test_character.h"

namespace sinew::inspect {
namespace {

// Adds a part with the weights of the nearest joints, or of the first joint alone.
void AddPart(Character& character, const std::string& name, const TriMesh& mesh, bool rigid) {
  Part part;
  part.name = name;
  part.mesh = mesh;
  part.normals = VertexNormals(mesh);
  part.skin = 0;
  part.weights =
      testing::NearestWeights(mesh.positions, LocalToModel(character.skeleton, character.skeleton.RestPose()));
  if (rigid) {
    part.weights = {.influences = 1,
                    .joints = std::vector<uint16_t>(mesh.vertex_count(), 0),
                    .weights = std::vector<float>(mesh.vertex_count(), 1)};
  }
  character.parts.push_back(part);
}

// An egg with a shirt around its middle, a helmet beside it and a veil above it.
Character DressedEgg() {
  Character character = testing::TestCharacter();
  const Eigen::RowVector3f centre(0, 0.85f, 0);
  TriMesh shirt = character.parts[0].mesh;
  shirt.positions = ((shirt.positions.rowwise() - centre) * 1.03f).rowwise() + centre;
  shirt.triangles = Triangles(shirt.triangles.middleRows(shirt.triangle_count() / 4, shirt.triangle_count() / 2));
  AddPart(character, "shirt", shirt, false);
  AddPart(character, "helmet", testing::Moved(testing::Sphere(), {4, 0, 0}, 0.3f), true);
  AddPart(character, "veil", testing::Moved(testing::Grid(), {-0.5f, 3, 0}), false);
  return character;
}

const RoleRow* Find(const CharacterInspection& found, const std::string& part) {
  for (const RoleRow& row : found.roles->rows) {
    if (row.part == part) return &row;
  }
  return nullptr;
}

TEST(InspectRoles, EveryPartOfADressedCharacterHasItsRole) {
  const CharacterInspection found = InspectCharacter(DressedEgg());
  ASSERT_TRUE(found.roles);
  EXPECT_FALSE(found.roles->patches);
  ASSERT_EQ(found.roles->rows.size(), 4u);
  double sum = 0;
  for (const double share : found.roles->shares) sum += share;
  EXPECT_NEAR(sum, 1, 1e-9);
  const std::map<std::string, Role> expected = {
      {"skin", Role::kFlesh}, {"shirt", Role::kLayer}, {"helmet", Role::kRigid}, {"veil", Role::kThin}};
  for (const auto& [part, role] : expected) {
    SCOPED_TRACE(part);
    const RoleRow* row = Find(found, part);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->role, role) << NameOf(row->role) << ": " << row->reason;
    EXPECT_EQ(row->islands, 1);
    EXPECT_FALSE(row->reason.empty());
  }
  for (size_t i = 1; i < found.roles->rows.size(); ++i) {
    EXPECT_GE(found.roles->rows[i - 1].points, found.roles->rows[i].points);
  }
}

TEST(InspectRoles, TextAndJsonSayTheSame) {
  const CharacterInspection found = InspectCharacter(DressedEgg());
  const std::string text = ToText(found);
  const Json json = ToJson(found)["roles"];
  EXPECT_NE(text.find("\nRoles\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("Nothing of it is flesh"), std::string::npos) << text;
  std::string shares;
  for (const char* role : {"flesh", "layer", "thin", "rigid"}) {
    const double share = json["shares"][role];
    EXPECT_GT(share, 0) << role;
    shares += fmt::format("{}{} {:.0f}%", shares.empty() ? "" : ", ", role, 100 * share);
  }
  EXPECT_NE(text.find("  roles       " + shares + "\n"), std::string::npos) << text;
  ASSERT_EQ(json["rows"].size(), 4u);
  for (const Json& row : json["rows"]) {
    EXPECT_NE(text.find(row["reason"].get<std::string>()), std::string::npos) << text << row;
    EXPECT_GT(row["points"].get<int>(), 0);
    EXPECT_EQ(row["islands"], 1);
    EXPECT_NE(row["role"], Json());
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(InspectRoles, OnePieceNeedsNoTable) {
  const std::string text = ToText(InspectCharacter(testing::TestCharacter()));
  EXPECT_NE(text.find("  roles       flesh 100%\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("\nRoles\n"), std::string::npos) << text;
}

TEST(InspectRoles, ARobotIsAFewRowsAndHasNoFlesh) {
  Character robot = testing::TestCharacter();
  robot.parts.clear();
  AddPart(robot, "plates", testing::ManyIslands(20), true);
  CharacterInspection found = InspectCharacter(robot);
  ASSERT_TRUE(found.roles);
  ASSERT_EQ(found.roles->rows.size(), 1u);
  EXPECT_EQ(found.roles->rows[0].islands, 400);
  EXPECT_EQ(found.roles->rows[0].points, found.whole.welded_vertices);
  std::string text = ToText(found);
  EXPECT_NE(text.find("  roles       rigid 100%\n              Nothing of it is flesh: "), std::string::npos) << text;
  EXPECT_NE(text.find("\nRoles\n"), std::string::npos) << text;

  for (int i = 0; i < 19; ++i) {
    const Eigen::Vector3f at(0, 100, 2 * static_cast<float>(i));
    AddPart(robot, fmt::format("bolt {}", i), testing::Moved(testing::Cuboid(), at), true);
  }
  found = InspectCharacter(robot);
  EXPECT_EQ(found.roles->rows.size(), 20u);
  EXPECT_EQ(ToJson(found)["roles"]["rows"].size(), 20u);
  text = ToText(found);
  EXPECT_NE(text.find("\n  and 8 rows with fewer points; --json lists all\n"), std::string::npos) << text;
}

TEST(InspectRoles, GivenRolesReplaceThoseThatAreFound) {
  const CharacterInspection found =
      InspectCharacter(DressedEgg(), {.roles = {{"helmet", Role::kThin}, {"shirt", Role::kRigid}}});
  EXPECT_EQ(Find(found, "helmet")->role, Role::kThin);
  EXPECT_EQ(Find(found, "shirt")->role, Role::kRigid);
  EXPECT_EQ(Find(found, "skin")->role, Role::kFlesh);
  try {
    InspectCharacter(DressedEgg(), {.roles = {{"hat", Role::kThin}}});
    ADD_FAILURE() << "took a part that is not there";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("\"hat\""), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("helmet"), std::string::npos) << error.what();
  }
}

TEST(InspectRoles, TheFilesRolesAreTakenAndUnknownOnesAreAFinding) {
  Character character = DressedEgg();
  character.parts[2].role = "layer";
  CharacterInspection found = InspectCharacter(character);
  EXPECT_EQ(Find(found, "helmet")->role, Role::kLayer);
  EXPECT_EQ(ToJson(found)["parts"][2]["role"], "layer");
  EXPECT_TRUE(ToJson(found)["parts"][0]["role"].is_null());
  character.parts[2].role = "cloth";
  found = InspectCharacter(character);
  EXPECT_FALSE(found.roles);
  const auto wrong = std::find_if(found.findings.begin(), found.findings.end(),
                                  [](const Finding& finding) { return finding.code == "unknown-role"; });
  ASSERT_NE(wrong, found.findings.end());
  EXPECT_EQ(wrong->where, "helmet");
  EXPECT_NE(wrong->problem.find("'cloth'"), std::string::npos) << wrong->problem;
}

TEST(InspectRoles, AreLeftOutWhereNothingCanBeSaid) {
  Character unbound = testing::TestCharacter(), empty = unbound, broken = unbound;
  unbound.parts[0].weights = {};
  unbound.parts[0].skin = -1;
  empty.parts[0].mesh.triangles.resize(0, 3);
  broken.parts[0].mesh.positions(3, 1) = std::nanf("");
  for (const Character& character : {unbound, empty, broken}) {
    const CharacterInspection found = InspectCharacter(character);
    EXPECT_FALSE(found.roles);
    EXPECT_TRUE(ToJson(found)["roles"].is_null());
    EXPECT_EQ(ToText(found).find("roles "), std::string::npos) << ToText(found);
    EXPECT_THROW(InspectCharacter(character, {.roles = {{"skin", Role::kFlesh}}}), UsageError);
  }
}

}  // namespace
}  // namespace sinew::inspect
