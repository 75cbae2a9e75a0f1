#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "sinew/offline/core/file.h"
#include "sinew/offline/inspect/character_report.h"
#include "sinew/offline/inspect/inspect_array.h"
#include "sinew/offline/inspect/inspect_clip.h"
#include "sinew/offline/inspect/inspect_joints.h"
#include "sinew/offline/inspect/wording.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/hard_meshes.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skinned_mesh.h"
#include "tests/support/test_character.h"

namespace sinew::inspect {
namespace {

using testing::TestCharacter;

bool Has(const Findings& findings, const std::string& code) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
}

TEST(InspectCharacter, ASoundCharacterHasNothingWrong) {
  const CharacterInspection found = InspectCharacter(TestCharacter(), {.deep = true});
  for (const Finding& finding : found.findings) ADD_FAILURE() << finding.code << ": " << finding.problem;
  EXPECT_TRUE(found.whole.watertight);
  EXPECT_EQ(found.whole.genus, 0);
  EXPECT_EQ(found.skeleton.joints, 24);
  EXPECT_TRUE(found.skeleton.inside_tested);
  EXPECT_EQ(found.weights.histogram.back(), found.whole.vertices);
  EXPECT_EQ(found.axes.up, "+Y");
  EXPECT_EQ(found.axes.forward, "+Z");
  EXPECT_EQ(found.unit.name, "m");
  EXPECT_TRUE(found.unit.known_size);
  EXPECT_EQ(found.unit.of_person, 1);
  EXPECT_TRUE(found.deep->intersections.empty());
}

TEST(InspectJoints, SaysOfEveryJointWhatItMovesAndWhoLimitsIt) {
  Character character = TestCharacter();
  JointLimits limits(character.skeleton.joints.size());
  limits[2].origin = LimitOrigin::kNames;
  limits[2].known_as = "spine";
  character.skeleton.joints.push_back({.name = "tip", .parent = 2, .rest = {}, .helper = true});
  limits.emplace_back();
  SkinWeights& weights = character.parts[0].weights;
  const int vertices = character.parts[0].mesh.vertex_count();
  std::fill(weights.weights.begin(), weights.weights.end(), 0.0f);
  for (int v = 0; v < vertices; ++v) {
    weights.joints[v * weights.influences] = v < 7 ? 1 : 2;
    weights.weights[v * weights.influences] = 1;
  }
  const std::vector<JointInspection> joints = InspectJoints(character, limits);
  ASSERT_EQ(joints.size(), character.skeleton.joints.size());
  EXPECT_EQ(joints[0].vertices, 0);
  EXPECT_EQ(joints[1].vertices, 7);
  EXPECT_EQ(joints[2].vertices, vertices - 7);
  EXPECT_EQ(joints.back().depth, joints[2].depth + 1);
  const Json json = ToJson(joints);
  EXPECT_EQ(json[2].at("limits"), "names");
  EXPECT_EQ(json[2].at("known_as"), "spine");
  EXPECT_EQ(json.back().at("parent"), 2);
  EXPECT_EQ(json.back().at("helper"), true);
  const std::string text = ToText(joints);
  const std::string indented = std::string(2 * joints.back().depth, ' ') + "tip ";
  EXPECT_NE(text.find("\n  " + indented), std::string::npos) << text;
  // Children stand below their own parent, though the tip is the skeleton's last joint.
  int sibling = 3;
  while (joints[sibling].parent != joints[1].parent) ++sibling;
  const size_t parent = text.find(" " + joints[2].name + " "), tip = text.find(" tip "),
               next = text.find(" " + joints[sibling].name + " ");
  EXPECT_LT(parent, tip);
  EXPECT_LT(tip, next);
  EXPECT_EQ(ToText(std::vector<JointInspection>()), "");
}

TEST(InspectCharacter, StopsCountingCrossingsAtALimit) {
  const CharacterInspection sound = InspectCharacter(TestCharacter(), {.deep = true});
  EXPECT_FALSE(sound.deep->more_intersections);
  EXPECT_FALSE(ToJson(sound)["deep"].contains("self_intersections_more"));
  // 500 copies have 124,750 pairs.
  const Character copies = testing::SkinnedMesh(testing::CopiesOfOneTriangle(500));
  const CharacterInspection found = InspectCharacter(copies, {.deep = true});
  EXPECT_EQ(found.deep->intersections.size(), static_cast<size_t>(kMaxIntersections));
  EXPECT_TRUE(found.deep->more_intersections);
  EXPECT_NE(ToText(found).find("more than 100,000 intersecting pairs of triangles"), std::string::npos);
  EXPECT_NE(ToText(found).find("more than 100,000 pairs of triangles intersect"), std::string::npos);
  EXPECT_EQ(ToJson(found)["deep"]["self_intersections_more"], true);
}

// What can be wrong: how to break the sound character, and the finding that must then appear.
struct Fault {
  std::string code;
  std::function<void(Character&)> make;
  bool deep = false;
};

Character ZUpCharacter() {
  testing::RigOptions options;
  options.z_up = true;
  return TestCharacter(options);
}

Part& Skin0(Character& character) { return character.parts[0]; }

void AddTriangle(Character& character, int a, int b, int c) {
  Triangles& triangles = Skin0(character).mesh.triangles;
  triangles.conservativeResize(triangles.rows() + 1, 3);
  triangles.row(triangles.rows() - 1) << a, b, c;
}

// A vertex that copies another's everything but its position.
void AddVertex(Character& character, const Eigen::RowVector3f& at) {
  Part& part = Skin0(character);
  part.mesh.positions.conservativeResize(part.mesh.vertex_count() + 1, 3);
  part.mesh.positions.row(part.mesh.vertex_count() - 1) = at;
  part.normals = VertexNormals(part.mesh);
  for (int k = 0; k < 2; ++k) {
    part.weights.joints.push_back(part.weights.joints[k]);
    part.weights.weights.push_back(part.weights.weights[k]);
  }
}

void SpreadWeights(Character& character) {
  SkinWeights& weights = Skin0(character).weights;
  const int vertices = Skin0(character).mesh.vertex_count();
  weights = {.influences = 5, .joints = {}, .weights = std::vector<float>(vertices * 5, 0.2f)};
  for (int i = 0; i < vertices * 5; ++i) weights.joints.push_back(static_cast<uint16_t>(i % 5));
}

// A character from a file in which one animation turns a joint, one a camera, and one blends morph targets.
Character WithUnusedAnimations() {
  testing::GltfBuilder builder = testing::MorphedRig();
  const int camera = builder.Root({{"name", "camera"}});
  const Json walk = builder.json["animations"][0];
  const auto add = [&](const char* name, int channel, int node) {
    Json animation = walk;
    animation["name"] = name;
    animation["channels"] = Json::array({walk["channels"][channel]});
    animation["channels"][0]["target"]["node"] = node;
    builder.Add("animations", std::move(animation));
  };
  add("orbit", 0, camera);
  add("blink", 1, 2);
  return gltf::ReadGltf(builder.Glb(), "x.glb", "");
}

std::vector<Fault> Faults() {
  return {
      {"no-surface", [](Character& c) { c.parts.clear(); }},
      {"no-triangles", [](Character& c) { Skin0(c).mesh.triangles.resize(0, 3); }},
      {"open", [](Character& c) { Skin0(c).mesh.triangles.conservativeResize(200, 3); }},
      {"inside-out", [](Character& c) { Skin0(c).mesh = testing::InsideOut(Skin0(c).mesh); }},
      {"flipped-triangles", [](Character& c) { Skin0(c).mesh.triangles.row(9).reverseInPlace(); }},
      {"degenerate-triangles", [](Character& c) { AddTriangle(c, 4, 4, 5); }},
      {"duplicate-triangles",
       [](Character& c) {
         const Eigen::RowVector3i first = Skin0(c).mesh.triangles.row(0);
         AddTriangle(c, first[1], first[2], first[0]);
       }},
      {"unused-vertices",
       [](Character& c) {
         AddVertex(c, {0, 1, 0});
       }},
      {"non-manifold-edges",
       [](Character& c) {
         AddVertex(c, {0, 5, 0});
         AddTriangle(c, Skin0(c).mesh.triangles(0, 0), Skin0(c).mesh.triangles(0, 1), Skin0(c).mesh.vertex_count() - 1);
       }},
      {"non-manifold-vertices",
       [](Character& c) {
         AddVertex(c, {0, 5, 0});
         AddVertex(c, {0, 5, 1});
         AddTriangle(c, 7, Skin0(c).mesh.vertex_count() - 1, Skin0(c).mesh.vertex_count() - 2);
       }},
      {"not-orientable",
       [](Character& c) {
         Skin0(c).mesh = testing::MoebiusStrip();
         Skin0(c).normals = VertexNormals(Skin0(c).mesh);
         Skin0(c).weights = {.influences = 1,
                             .joints = std::vector<uint16_t>(Skin0(c).mesh.vertex_count(), 0),
                             .weights = std::vector<float>(Skin0(c).mesh.vertex_count(), 1)};
       }},
      {"no-skeleton",
       [](Character& c) {
         c.skeleton = {};
         c.skins.clear();
         Skin0(c).weights = {};
         Skin0(c).skin = -1;
       }},
      {"not-skinned",
       [](Character& c) {
         Skin0(c).weights = {};
         Skin0(c).skin = -1;
       }},
      {"joints-without-weight",
       [](Character& c) {
         for (uint16_t& joint : Skin0(c).weights.joints) joint = joint == 5 ? 0 : joint;
       }},
      {"joints-outside-skin",
       [](Character& c) { c.skins[0].inverse_bind[5] = Eigen::Affine3f(Eigen::Translation3f(-3, 0, 0)); }},
      {"idle-joints-outside-skin",
       [](Character& c) {
         c.skins[0].inverse_bind[5] = Eigen::Affine3f(Eigen::Translation3f(-3, 0, 0));
         for (uint16_t& joint : Skin0(c).weights.joints) joint = joint == 5 ? 0 : joint;
       }},
      {"scaled-joints",
       [](Character& c) {
         c.skeleton.joints[3].rest.scale = {2, 2, 2};
       }},
      {"more-than-4-influences", SpreadWeights},
      {"unknown-role", [](Character& c) { Skin0(c).role = "cloth"; }},
      {"singular-bind-matrix", [](Character& c) { c.skins[0].inverse_bind[2].linear().setZero(); }},
      {"rest-is-not-bind",
       [](Character& c) {
         const Eigen::Quaternionf turn(Eigen::AngleAxisf(0.3f, Eigen::Vector3f::UnitX()));
         c.skeleton.joints[c.skeleton.Find("left_elbow")].rest.rotation = ToQuaternion(turn);
       }},
      {"not-y-up", [](Character& c) { c = ZUpCharacter(); }},
      {"not-facing-z",
       [](Character& c) {
         const Eigen::Quaternionf turn(Eigen::AngleAxisf(1.5707963f, Eigen::Vector3f::UnitY()));
         c.skeleton.joints[0].rest.rotation = ToQuaternion(turn);
       }},
      {"data-turned",
       [](Character& c) {
         c = ZUpCharacter();
         Joint root{.name = "armature", .parent = -1, .rest = {}, .helper = true};
         root.rest.rotation =
             ToQuaternion(Eigen::Quaternionf(Eigen::AngleAxisf(-1.5707963f, Eigen::Vector3f::UnitX())));
         c.skeleton.joints.insert(c.skeleton.joints.begin(), root);
         for (size_t j = 1; j < c.skeleton.joints.size(); ++j) ++c.skeleton.joints[j].parent;
         c.skins[0].inverse_bind.insert(c.skins[0].inverse_bind.begin(), Eigen::Affine3f::Identity());
         c.skins[0].has_joint.insert(c.skins[0].has_joint.begin(), false);
         for (uint16_t& joint : Skin0(c).weights.joints) ++joint;
       }},
      {"not-metres",
       [](Character& c) {
         testing::RigOptions options;
         options.height = 170;
         c = TestCharacter(options);
       }},
      {"still-animation", [](Character& c) { c.animations.push_back({.name = "nothing", .curves = {}}); }},
      {"unused-animations", [](Character& c) { c = WithUnusedAnimations(); }},
      {"self-intersections",
       [](Character& c) {
         Part eye = Skin0(c);
         eye.mesh.positions.col(0).array() += 0.3f;
         c.parts.push_back(eye);
       },
       true},
      {"thin-triangles", [](Character& c) { Skin0(c).mesh.positions.col(1) *= 1e-3f; }, true},
  };
}

TEST(InspectCharacter, EveryFaultIsFoundAndNamed) {
  for (const Fault& fault : Faults()) {
    SCOPED_TRACE(fault.code);
    Character character = TestCharacter();
    EXPECT_FALSE(Has(InspectCharacter(character, {.deep = fault.deep}).findings, fault.code));
    fault.make(character);
    const CharacterInspection found = InspectCharacter(character, {.deep = fault.deep});
    EXPECT_TRUE(Has(found.findings, fault.code));
    EXPECT_NE(ToText(found).find(fmt::format("[{}]", fault.code)), std::string::npos) << ToText(found);
    for (const Finding& finding : found.findings) {
      EXPECT_FALSE(finding.where.empty() || finding.problem.empty() || finding.remedy.empty()) << finding.code;
    }
  }
}

TEST(InspectCharacter, AnimationsThatMoveNoJointAreNotLostSilently) {
  const CharacterInspection found = InspectCharacter(WithUnusedAnimations());
  ASSERT_EQ(found.animations.size(), 1);
  const auto note = std::find_if(found.findings.begin(), found.findings.end(),
                                 [](const Finding& finding) { return finding.code == "unused-animations"; });
  ASSERT_NE(note, found.findings.end());
  EXPECT_EQ(note->severity, Severity::kNote);
  EXPECT_EQ(note->where, "orbit, blink");
  EXPECT_EQ(note->problem, "2 animations move no joint of this skeleton, only 1 other node (camera) and morph targets");
  EXPECT_EQ(ToJson(found)["unused_animations"], Json::parse(R"([{"name": "orbit", "nodes": ["camera"], "morphs": false},
                            {"name": "blink", "nodes": [], "morphs": true}])"));
}

TEST(InspectCharacter, PartsThatAreOpenMayCloseEachOther) {
  Character character = TestCharacter();
  Part half = Skin0(character);
  const Triangles all = half.mesh.triangles;
  Skin0(character).mesh.triangles = all.topRows(300);
  half.mesh.triangles = all.bottomRows(all.rows() - 300);
  half.name = "other half";
  character.parts.push_back(half);
  const CharacterInspection found = InspectCharacter(character);
  EXPECT_FALSE(found.parts[0].surface.watertight);
  EXPECT_FALSE(found.parts[1].surface.watertight);
  EXPECT_TRUE(found.whole.watertight);
  EXPECT_TRUE(found.skeleton.inside_tested);
  EXPECT_FALSE(Has(found.findings, "open"));
}

TEST(InspectCharacter, MeasuresAreInModelUnitsWhateverTheDataIsIn) {
  const SurfaceInspection plain = InspectCharacter(TestCharacter()).whole;
  Character character = TestCharacter();
  // The same body with its mesh data in centimetres.
  Skin0(character).mesh.positions *= 100;
  for (Eigen::Affine3f& inverse_bind : character.skins[0].inverse_bind) inverse_bind.scale(0.01f);
  const CharacterInspection found = InspectCharacter(character);
  EXPECT_NEAR(found.whole.area, plain.area, 1e-3 * plain.area);
  EXPECT_NEAR(found.whole.volume, plain.volume, 1e-3 * plain.volume);
  EXPECT_NEAR(found.whole.edges.mean, plain.edges.mean, 1e-3 * plain.edges.mean);
  EXPECT_FALSE(Has(found.findings, "rest-is-not-bind"));
}

TEST(InspectCharacter, APartInsideAnotherIsSeen) {
  Character character = TestCharacter();
  Part eye = Skin0(character);
  eye.name = "eye";
  eye.mesh.positions = (eye.mesh.positions * 0.05f).rowwise() + Eigen::RowVector3f(0, 1, 0);
  character.parts.push_back(eye);
  const CharacterInspection found = InspectCharacter(character, {.deep = true});
  ASSERT_EQ(found.deep->containment.size(), 1u);
  EXPECT_EQ(found.deep->containment[0].part, "eye");
  EXPECT_GT(found.deep->containment[0].share, 0.9);
}

TEST(InspectCharacter, WarningsOfTheReaderAreFindings) {
  const auto found = InspectCharacter(TestCharacter(), {.read_warnings = {"a.glb: mesh 0: was odd"}});
  ASSERT_TRUE(Has(found.findings, "read"));
  EXPECT_EQ(found.findings[0].problem, "a.glb: mesh 0: was odd");
}

TEST(InspectCharacter, AnEmptyCharacterIsNoCrash) {
  const CharacterInspection found = InspectCharacter({}, {.deep = true});
  EXPECT_TRUE(Has(found.findings, "no-surface"));
  EXPECT_TRUE(ToJson(found)["box"].is_null());
}

// Every key that a program may read, and every code, is explained.
void ExpectDocumented(const Json& json, const std::string& page) {
  for (const auto& [key, value] : json.items()) {
    if (json.is_object()) {
      EXPECT_NE(page.find(fmt::format("`{}`", key)), std::string::npos) << key;
    }
    if (value.is_structured()) ExpectDocumented(value, page);
  }
}

TEST(InspectDocumentation, NamesEveryKeyAndCode) {
  const std::string page = ReadTextFile(SINEW_SOURCE_DIR "/docs/inspect.md");
  Character character = TestCharacter();
  character.animations.push_back({.name = "nothing", .curves = {}});
  ExpectDocumented(ToJson(InspectCharacter(WithUnusedAnimations())), page);
  Part eye = Skin0(character);
  eye.mesh.positions.col(0).array() += 0.3f;
  character.parts.push_back(eye);
  ExpectDocumented(ToJson(InspectCharacter(character, {.deep = true})), page);
  const Clip clip{.skeleton = character.skeleton,
                  .motion = {.name = "", .frames_per_second = 30, .joints = {}, .frames = {}},
                  .sources = {},
                  .origins = {}};
  ExpectDocumented(ToJson(InspectClip(clip)), page);
  ExpectDocumented(ToJson(InspectArray(MakeNpy(std::vector<float>{1}, {1}))), page);
  for (const Fault& fault : Faults())
    EXPECT_NE(page.find(fmt::format("`{}`", fault.code)), std::string::npos) << fault.code;
}

Clip MakeClip(int frames) {
  Clip clip;
  clip.skeleton = testing::MakeRig({});
  clip.motion.name = "walk";
  clip.motion.frames_per_second = 30;
  clip.motion.joints = JointNames(clip.skeleton);
  clip.motion.frames.assign(frames, clip.skeleton.RestPose());
  return clip;
}

TEST(InspectClip, CountsFramesAndFindsTheJump) {
  Clip clip = MakeClip(31);
  EXPECT_TRUE(Has(InspectClip(clip).findings, "still"));
  const int knee = clip.skeleton.Find("left_knee");
  for (int f = 0; f < 31; ++f) {
    const float angle = f < 20 ? 0.01f * static_cast<float>(f) : 2.5f;
    clip.motion.frames[f][knee].rotation =
        ToQuaternion(Eigen::Quaternionf(Eigen::AngleAxisf(angle, Eigen::Vector3f::UnitX())));
  }
  const ClipInspection found = InspectClip(clip);
  EXPECT_EQ(found.frames, 31);
  EXPECT_NEAR(found.duration, 1, 1e-6);
  EXPECT_EQ(found.moving, 1);
  EXPECT_EQ(found.largest_step_joint, "left_knee");
  EXPECT_EQ(found.largest_step_frame, 20);
  EXPECT_TRUE(Has(found.findings, "jump"));
  EXPECT_NE(ToText(found).find("[jump]"), std::string::npos);
  clip.motion.frames_per_second = 0;
  EXPECT_FALSE(Has(InspectClip(clip).findings, "jump")) << "samples follow no time";
}

TEST(InspectClip, FindsNoFramesUnknownNamesAndNumbersThatAreNone) {
  EXPECT_TRUE(Has(InspectClip(MakeClip(0)).findings, "no-frames"));
  Clip clip = MakeClip(2);
  clip.motion.frames[1][3].translation.y = std::nanf("");
  EXPECT_EQ(InspectClip(clip).not_finite, 1);
  EXPECT_TRUE(Has(InspectClip(clip).findings, "not-finite"));
  for (Joint& joint : clip.skeleton.joints) joint.name = fmt::format("q{}", joint.name.front());
  EXPECT_TRUE(Has(InspectClip(clip).findings, "unknown-names"));
}

TEST(InspectArray, CountsWhatIsNotFinite) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const ArrayInspection found = InspectArray(MakeNpy(std::vector<float>{2, nan, -3, infinity, 4, nan}, {2, 3}));
  EXPECT_EQ(found.nans, 2);
  EXPECT_EQ(found.infinities, 1);
  EXPECT_EQ(found.min, -3);
  EXPECT_EQ(found.max, 4);
  EXPECT_EQ(found.mean, 1);
  EXPECT_EQ(found.type, "f4");
  EXPECT_TRUE(Has(found.findings, "not-finite"));
  EXPECT_NE(ToText(found).find("2 x 3"), std::string::npos);
  EXPECT_TRUE(Has(InspectArray(MakeNpy(std::vector<float>{}, {0, 3})).findings, "empty"));
}

TEST(Wording, ReadsAsEnglish) {
  EXPECT_EQ(Grouped(26756), "26,756");
  EXPECT_EQ(Grouped(-1234567), "-1,234,567");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Counted(1, "unused vertex"), "1 unused vertex");
  EXPECT_EQ(Counted(2, "unused vertex"), "2 unused vertices");
  EXPECT_EQ(Have(3, "mesh"), "3 meshes have");
  EXPECT_EQ(List({"a", "b", "c"}, 1), "a and 2 more");
  EXPECT_EQ(List({"a", "b"}, 1), "a, b") << "'and 1 more' is no shorter";
}

}  // namespace
}  // namespace sinew::inspect
