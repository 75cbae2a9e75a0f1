// Contact on tiles of vertices: kernels against plain loops, displacements against their definition, normals against
// differences of positions.
#include "sinew/runtime/contact/contact_tile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "sinew/offline/tables/skin_builder.h"
#include "sinew/runtime/contact/field_kernel.h"
#include "tests/runtime/skin/meshes.h"
#include "tests/runtime/targets.h"
#include "tests/support/contact_fields.h"

namespace sinew {
namespace {

using runtime::Affine;
using runtime::Collider;
using runtime::ContactStreams;
using runtime::ContactTable;
using runtime::FieldPoint;
using runtime::Float3;
using runtime::Float4;
using runtime::PosedField;
using testing::Generator;
using testing::SphereField;

// Fields that are posed over a few joints, one slot per joint.
class Scene {
 public:
  Scene(const std::vector<tables::RawContactField>& fields, int joints, uint32_t seed)
      : built_(tables::BuildContact(fields)), models_(joints), slots_(joints) {
    Generator generator(seed);
    for (int j = 0; j < joints; ++j) {
      models_[j] = generator.Joint(0);
      slots_[j] = static_cast<int16_t>(j);
    }
  }

  bool Add(const Collider& collider) {
    const size_t floats = runtime::PosedFieldFloats(built_.table, slots_.size());
    Block& memory = memory_.emplace_back(floats * sizeof(float));
    PosedField posed;
    const bool usable = runtime::PoseField(built_.table, collider, models_, slots_,
                                           reinterpret_cast<float*>(memory.bytes().data()), &posed);
    if (usable) fields_.push_back(posed);
    return usable;
  }

  // Gives the fields their touch by vertices of one tile. Returns whether it is beyond what was trained.
  bool Feel(const runtime::SkinTable& skin, std::span<const Float3> positions) {
    bool beyond = false;
    for (PosedField& field : fields_) {
      runtime::Touch touch;
      runtime::FeelTile({&field, 1}, skin, 0, positions, &touch);
      beyond |= runtime::SetTouch(touch, field);
    }
    return beyond;
  }

  const ContactTable& table() const { return built_.table; }
  std::vector<Affine>& models() { return models_; }
  const std::vector<PosedField>& fields() const { return fields_; }

 private:
  tables::BuiltContact built_;
  std::vector<Affine> models_;
  std::vector<int16_t> slots_;
  std::vector<Block> memory_;
  std::vector<PosedField> fields_;
};

Collider At(const Float3& place, const runtime::Quaternion& rotation = {}, int field = 0) {
  return {.field = field, .pose = runtime::ToAffine({.translation = place, .rotation = rotation})};
}

TEST(FieldKernel, EqualsPlainLoopsForAnyNumberOfInfluences) {
  for (const int width : {32, 96, 256}) {
    Generator generator(width);
    Scene scene({SphereField({.joints = 9, .width = width, .seed = 7})}, 9, 3);
    ASSERT_TRUE(scene.Add(At({0.1f, 0, 0}, generator.Rotation())));
    const PosedField& posed = scene.fields()[0];
    for (int k = 1; k <= runtime::kMaxInfluences; ++k) {
      FieldPoint point{};
      point.influences = k;
      for (float& x : point.x) x = generator.Uniform(-2, 2);
      for (int axis = 0; axis < 3; ++axis) point.slopes[axis][axis] = 1;
      for (int row = 3; row < 6; ++row) {
        for (float& slope : point.slopes[row]) slope = generator.Uniform(-1, 1);
      }
      for (int j = 0; j < k; ++j) {
        point.units[j] = posed.units_of(generator.Below(9));
        point.weights[j] = 1.0f / static_cast<float>(k);
      }
      float expected[3], slopes[9];
      runtime::EvaluateFieldReference(posed, point, expected, slopes);
      testing::ForEachTarget([&] {
        float r[3], jacobian[9], alone[3];
        runtime::EvaluateField(posed, point, r, jacobian);
        runtime::EvaluateField(posed, point, alone, nullptr);
        for (int c = 0; c < 3; ++c) {
          EXPECT_NEAR(r[c], expected[c], 2e-5);
          EXPECT_NEAR(alone[c], expected[c], 2e-5);
          for (int i = 0; i < 3; ++i) EXPECT_NEAR(jacobian[3 * c + i], slopes[3 * c + i], 2e-5);
        }
      });
      // The slopes are those of the field.
      for (int i = 0; i < 3; ++i) {
        constexpr float kStep = 1e-2f;
        FieldPoint less = point, more = point;
        for (int row = 0; row < 6; ++row) {
          less.x[row] -= kStep * point.slopes[row][i];
          more.x[row] += kStep * point.slopes[row][i];
        }
        float before[3], after[3];
        runtime::EvaluateFieldReference(posed, less, before, nullptr);
        runtime::EvaluateFieldReference(posed, more, after, nullptr);
        for (int c = 0; c < 3; ++c) {
          EXPECT_NEAR((after[c] - before[c]) / (2 * kStep), slopes[3 * c + i], 2e-3);
        }
      }
    }
  }
}

TEST(FieldKernel, MakesTheUnitsOfJointsAsPlainLoopsDo) {
  Scene scene({SphereField({.joints = 4, .width = 64})}, 4, 3);
  ASSERT_TRUE(scene.Add(At({0, 0, 0})));
  const PosedField& posed = scene.fields()[0];
  float numbers[12];
  for (int k = 0; k < 12; ++k) numbers[k] = std::sin(static_cast<float>(k));
  testing::ForEachTarget([&] {
    runtime::MakeUnitsReference(posed, 2, numbers);
    const std::vector<float> expected(posed.units + 2 * 64, posed.units + 3 * 64);
    runtime::MakeUnits(posed, 2, numbers);
    for (int i = 0; i < 64; ++i) EXPECT_NEAR(posed.units[2 * 64 + i], expected[i], 1e-5);
  });
}

using Vector = std::array<double, 3>;
double Dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Touch and field of contact_table.h by their definition, in doubles, from what the table was built of.
struct Definition {
  const tables::RawContactField& raw;  // as FieldsOf() gives it
  Affine T;
  const std::vector<Affine>& models;
  double D = 0;
  Vector center = {}, n = {};

  void Feel(const std::vector<Float3>& positions) {
    double sum = 0;
    Vector m = {};
    for (const Float3& position : positions) {
      const Vector z = Local(position);
      const double d = Distance(z);
      if (d >= 0) continue;
      D = std::max(D, -d);
      sum += d * d;
      for (int k = 0; k < 3; ++k) {
        Vector less = z, more = z;
        less[k] -= raw.spacing[k];
        more[k] += raw.spacing[k];
        center[k] += d * d * z[k];
        m[k] += d * d * (Distance(more) - Distance(less)) / (2 * raw.spacing[k]);
      }
    }
    for (int k = 0; k < 3; ++k) {
      center[k] /= sum;
      m[k] /= sum;
    }
    for (int k = 0; k < 3; ++k) n[k] = m[k] / std::sqrt(Dot(m, m) + 0.05 * 0.05);
  }

  std::array<double, 3> Local(const Float3& p) const {
    const double off[3] = {p.x - T.m[12], p.y - T.m[13], p.z - T.m[14]};
    std::array<double, 3> z{};
    for (int k = 0; k < 3; ++k) {
      for (int row = 0; row < 3; ++row) z[k] += T.m[4 * k + row] * off[row] / raw.unit;
    }
    return z;
  }
  double Distance(const std::array<double, 3>& z) const {
    int cell[3];
    double share[3];
    for (int k = 0; k < 3; ++k) {
      const double x = (z[k] - raw.origin[k]) / raw.spacing[k];
      if (x < 0 || x >= raw.counts[k] - 1) return 1e9;
      cell[k] = static_cast<int>(x);
      share[k] = x - cell[k];
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      int at[3];
      for (int k = 0; k < 3; ++k) {
        const int up = (corner >> k) & 1;
        at[k] = cell[k] + up;
        weight *= up != 0 ? share[k] : 1 - share[k];
      }
      sum += weight * raw.distances[(at[0] * raw.counts[1] + at[1]) * raw.counts[2] + at[2]];
    }
    return sum;
  }
  double Window(const Float3& p) const {
    const double d = Distance(Local(p)) / raw.window;
    const double s = d <= 0 ? 1 : d < 1 ? 1 - d : 0;
    return s * s * (3 - 2 * s);
  }
  // Without the window.
  Vector Displacement(const Float3& position, const std::vector<std::pair<int, float>>& influences) const {
    const Vector z = Local(position);
    const double height = Dot(n, z) - Dot(n, center);
    Vector e;
    for (int k = 0; k < 3; ++k) e[k] = z[k] - center[k] - height * n[k];
    const double radius = std::sqrt(Dot(e, e) + 0.05 * 0.05);
    for (double& x : e) x /= radius;
    const Vector t = {n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2], n[0] * e[1] - n[1] * e[0]};
    const double x[6] = {z[0], z[1], z[2], height, radius, Distance(z)};
    const double touch[7] = {D, center[0], center[1], center[2], n[0], n[1], n[2]};
    Vector y = {raw.c[0], raw.c[1], raw.c[2]};
    for (int i = 0; i < raw.width; ++i) {
      double sum = raw.b[i];
      for (int k = 0; k < 6; ++k) sum += raw.A[k * raw.width + i] * x[k];
      for (int k = 0; k < 7; ++k) sum += raw.C[k * raw.width + i] * touch[k];
      for (const auto& [joint, weight] : influences) {
        for (int column = 0; column < 4; ++column) {
          for (int k = 0; k < 3; ++k) {
            double number = 0;
            for (int row = 0; row < 3; ++row) {
              const double entry = models[joint].m[4 * column + row];
              number += T.m[4 * k + row] * (column < 3 ? entry : (entry - T.m[12 + row]) / raw.unit);
            }
            sum += weight * number * raw.handles[joint].B[(3 * column + k) * raw.width + i];
          }
        }
      }
      for (int c = 0; c < 3; ++c) y[c] += raw.W[c * raw.width + i] * std::tanh(sum);
    }
    Vector u{};
    for (int row = 0; row < 3; ++row) {
      for (int k = 0; k < 3; ++k) {
        u[row] += D / raw.depth * T.m[4 * k + row] * (y[0] * n[k] + y[1] * e[k] + y[2] * t[k]) * raw.output;
      }
    }
    return u;
  }
};

// Vertices in a cube, with random weights on the joints.
struct Cloud {
  Cloud(int count, int joint_count, uint32_t seed) {
    Generator generator(seed);
    skin = testing::MakeSkin(generator, count, joint_count, 4, false);
    table = tables::BuildSkin(skin.plain(), joint_count, "cloud");
    for (int v = 0; v < count; ++v) {
      const Float3 p = generator.Point();
      positions.push_back({0.6f * p.x, 0.6f * p.y, 0.6f * p.z});
      normals.push_back(generator.Direction());
    }
  }
  std::vector<std::pair<int, float>> Influences(size_t v) const {
    std::vector<std::pair<int, float>> list;
    for (int k = 0; k < skin.slots; ++k) {
      list.emplace_back(skin.joints[v * skin.slots + k], skin.weights[v * skin.slots + k]);
    }
    return list;
  }
  std::vector<Float3> Moved(Scene& scene, bool* beyond = nullptr) const {
    std::vector<Float3> moved = positions;
    const bool felt = scene.Feel(table.table, positions);
    const bool outside =
        runtime::ContactTile(scene.fields(), table.table, 0, {.positions = moved, .normals = {}, .tangents = {}});
    if (beyond != nullptr) *beyond = felt || outside;
    return moved;
  }
  testing::RandomSkin skin;
  tables::BuiltSkin table;
  std::vector<Float3> positions, normals;
};

bool SameBits(const Float3& a, const Float3& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

TEST(ContactTile, MovesVerticesByTheDefinitionAndNoOthers) {
  constexpr int kJoints = 5;
  const Cloud cloud(256, kJoints, 11);
  Scene scene({SphereField({.joints = kJoints, .width = 40, .seed = 9}),
               SphereField({.name = "second", .joints = kJoints, .radius = 0.22f, .seed = 10})},
              kJoints, 5);
  Generator generator(8);
  const std::vector<tables::RawContactField> raw = tables::FieldsOf(scene.table());
  const Collider colliders[2] = {At({0.1f, 0, -0.05f}, generator.Rotation()),
                                 At({-0.1f, 0.1f, 0.1f}, generator.Rotation(), 1)};
  std::vector<Definition> definitions;
  for (const Collider& collider : colliders) {
    ASSERT_TRUE(scene.Add(collider));
    definitions.push_back({raw[collider.field], collider.pose, scene.models()});
  }
  bool beyond = true;
  const std::vector<Float3> moved = cloud.Moved(scene, &beyond);
  EXPECT_FALSE(beyond);
  for (Definition& d : definitions) {
    d.Feel(cloud.positions);
    ASSERT_GT(d.D, 0.1);
  }
  int inside = 0, both = 0;
  for (size_t v = 0; v < moved.size(); ++v) {
    const Float3& p = cloud.positions[v];
    double u[3] = {}, cubes = 0;
    int seen = 0;
    for (const Definition& d : definitions) {
      cubes += std::pow(d.Window(p) * d.D / d.raw.depth, 3);
      seen += d.Window(p) > 1e-6 ? 1 : 0;
    }
    for (const Definition& d : definitions) {
      const double w = d.Window(p);
      if (w <= 1e-6) continue;
      const Vector of_field = d.Displacement(p, cloud.Influences(v));
      for (int c = 0; c < 3; ++c) u[c] += std::pow(w * d.D / d.raw.depth, 3) / cubes * w * of_field[c];
    }
    inside += seen > 0 ? 1 : 0;
    both += seen > 1 ? 1 : 0;
    if (seen == 0) {
      EXPECT_TRUE(SameBits(moved[v], p)) << v;
    } else {
      EXPECT_NEAR(moved[v].x - p.x, u[0], 2e-6);
      EXPECT_NEAR(moved[v].y - p.y, u[1], 2e-6);
      EXPECT_NEAR(moved[v].z - p.z, u[2], 2e-6);
    }
  }
  EXPECT_GT(inside, 40);
  EXPECT_LT(inside, 230);
  EXPECT_GT(both, 10);
}

TEST(ContactTile, FadesBeyondTheTrainedDepthAndTheTrainedJoints) {
  const Cloud cloud(200, 2, 3);
  const auto largest = [&](const tables::RawContactField& field, bool* beyond) {
    Scene scene({field}, 2, 1);
    EXPECT_TRUE(scene.Add(At({0, 0, 0})));
    const std::vector<Float3> moved = cloud.Moved(scene, beyond);
    float most = 0;
    for (size_t v = 0; v < moved.size(); ++v) most = std::max(most, std::abs(moved[v].x - cloud.positions[v].x));
    return most;
  };
  bool beyond = true;
  tables::RawContactField field = SphereField({.joints = 2, .bend = 0.1f});
  EXPECT_GT(largest(field, &beyond), 1e-3f);
  EXPECT_FALSE(beyond);
  tables::RawContactField shallow = field;
  Scene touched({field}, 2, 1);
  ASSERT_TRUE(touched.Add(At({0, 0, 0})));
  cloud.Moved(touched);
  shallow.depth = 0.7f * touched.fields()[0].deepest;
  EXPECT_GT(largest(shallow, &beyond), 0.0f);
  EXPECT_TRUE(beyond);
  tables::RawContactField elsewhere = field;
  for (tables::RawContactHandle& handle : elsewhere.handles) {
    handle.least.fill(50);
    handle.most.fill(60);
  }
  EXPECT_EQ(largest(elsewhere, &beyond), 0.0f);
  EXPECT_TRUE(beyond);
  tables::RawContactField without = field;
  without.handles.clear();
  EXPECT_EQ(largest(without, &beyond), 0.0f);
  EXPECT_TRUE(beyond);
  tables::RawContactField clamped = field;
  clamped.largest = 1e-3f;
  EXPECT_LE(largest(clamped, &beyond), 1.001e-3f * field.output);
}

// A second collider comes from far away: no vertex ever jumps.
TEST(ContactTile, OverlappingWindowsComeAndGoSmoothly) {
  const Cloud cloud(200, 2, 3);
  const tables::RawContactField field = SphereField({.joints = 2, .bend = 0.1f});
  std::vector<Float3> last;
  constexpr float kStep = 5e-4f;
  for (float x = 0.9f; x > 0; x -= kStep) {
    Scene scene({field}, 2, 1);
    ASSERT_TRUE(scene.Add(At({0, 0, 0})));
    ASSERT_TRUE(scene.Add(At({x, 0.02f, 0})));
    const std::vector<Float3> moved = cloud.Moved(scene);
    for (size_t v = 0; v < last.size(); ++v) {
      const float step = std::hypot(moved[v].x - last[v].x, moved[v].y - last[v].y, moved[v].z - last[v].z);
      ASSERT_LT(step, 1.5e-3f) << "at " << x;
    }
    last = moved;
  }
  // The same collider twice is as once.
  Scene once({field}, 2, 1), twice({field}, 2, 1);
  ASSERT_TRUE(once.Add(At({0, 0, 0})));
  ASSERT_TRUE(twice.Add(At({0, 0, 0})) && twice.Add(At({0, 0, 0})));
  const std::vector<Float3> a = cloud.Moved(once), b = cloud.Moved(twice);
  for (size_t v = 0; v < a.size(); ++v) EXPECT_NEAR(a[v].x, b[v].x, 1e-6);
}

// A collider that comes down on a plane: nothing moves until it touches, and then nothing jumps.
TEST(ContactTile, HoveringCollidersChangeNoBit) {
  constexpr int kSide = 15;
  const testing::RandomSkin skin{1, std::vector<uint16_t>(kSide * kSide, 0), std::vector<float>(kSide * kSide, 1)};
  const tables::BuiltSkin table = tables::BuildSkin(skin.plain(), 1, "plane");
  std::vector<Float3> plane;
  for (int i = 0; i < kSide * kSide; ++i) {
    plane.push_back({0.02f * static_cast<float>(i / kSide - kSide / 2), 0, 0.02f * static_cast<float>(i % kSide - 7)});
  }
  std::vector<Float3> last = plane;
  float moved_by = 0;
  for (float height = 0.24f; height > 0.12f; height -= 5e-4f) {
    Scene scene({SphereField({.joints = 1, .seed = 3})}, 1, 1);
    ASSERT_TRUE(scene.Add(At({0.003f, height, -0.002f})));
    scene.Feel(table.table, plane);
    std::vector<Float3> moved = plane;
    runtime::ContactTile(scene.fields(), table.table, 0, {.positions = moved, .normals = {}, .tangents = {}});
    for (size_t v = 0; v < moved.size(); ++v) {
      // The grid's interpolation makes the sphere a little smaller.
      if (height >= 0.2f) {
        ASSERT_TRUE(SameBits(moved[v], plane[v])) << height;
      }
      const float step = std::hypot(moved[v].x - last[v].x, moved[v].y - last[v].y, moved[v].z - last[v].z);
      ASSERT_LT(step, 1e-3f) << height;
      moved_by = std::max(moved_by, std::abs(moved[v].y));
    }
    last = moved;
  }
  EXPECT_GT(moved_by, 1e-3f);
}

TEST(ContactTile, PushesVerticesOutOfTheCollider) {
  const Cloud cloud(250, 2, 3);
  const tables::RawContactField field = SphereField({.joints = 2, .bend = 0.1f});
  Scene plain({field}, 2, 1), pushing({field}, 2, 1);
  Collider collider = At({0.02f, 0, 0});
  ASSERT_TRUE(plain.Add(collider));
  collider.push_out = true;
  ASSERT_TRUE(pushing.Add(collider));
  const std::vector<Float3> left = cloud.Moved(plain), pushed = cloud.Moved(pushing);
  int inside = 0;
  double before = 0, after = 0;
  for (size_t v = 0; v < left.size(); ++v) {
    const auto depth = [&](const Float3& p) {
      float z[3], distance = 0;
      runtime::CarryPoint(plain.fields()[0], p, z);
      return runtime::SampleDistance(plain.fields()[0], z, &distance, nullptr) && distance < 0 ? -distance : 0.0f;
    };
    if (depth(left[v]) == 0) {
      EXPECT_TRUE(SameBits(left[v], pushed[v])) << v;
      continue;
    }
    ++inside;
    before += depth(left[v]);
    after += depth(pushed[v]);
  }
  EXPECT_GT(inside, 3);
  EXPECT_LT(after, 0.15 * before);
}

// Gives a scene's fields the touch of one point.
void FeelPoint(Scene& scene, const Float3& point) {
  const testing::RandomSkin skin{1, {0}, {1}};
  const tables::BuiltSkin table = tables::BuildSkin(skin.plain(), 1, "point");
  scene.Feel(table.table, std::vector{point});
}

// A finely meshed plane under the sphere: turned normals are those of the moved plane.
TEST(ContactTile, TurnsNormalsAsTheSurfaceTurns) {
  constexpr int kSide = 15;
  constexpr float kStep = 2e-3f;
  const testing::RandomSkin skin{1, std::vector<uint16_t>(kSide * kSide, 0), std::vector<float>(kSide * kSide, 1)};
  const tables::BuiltSkin table = tables::BuildSkin(skin.plain(), 1, "plane");
  Scene scene({SphereField({.joints = 1, .output = 0.3f, .seed = 3}),
               SphereField({.name = "second", .joints = 1, .output = 0.3f, .seed = 5})},
              1, 1);
  Generator generator(4);
  ASSERT_TRUE(scene.Add(At({0.02f, 0.25f, 0.01f}, generator.Rotation())));
  std::vector<Float3> positions, normals;
  std::vector<Float4> tangents;
  for (int i = 0; i < kSide * kSide; ++i) {
    positions.push_back({kStep * static_cast<float>(i / kSide - kSide / 2), 0, kStep * static_cast<float>(i % kSide)});
    normals.push_back({0, 1, 0});
    tangents.push_back({1, 0, 0, -1});
  }
  FeelPoint(scene, {0.05f, 0.15f, 0});
  runtime::ContactTile(scene.fields(), table.table, 0,
                       {.positions = positions, .normals = normals, .tangents = tangents});
  float turned = 0;
  for (int x = 1; x + 1 < kSide; ++x) {
    for (int z = 1; z + 1 < kSide; ++z) {
      const int v = x * kSide + z;
      const Float3 &left = positions[v - kSide], &right = positions[v + kSide], &back = positions[v - 1],
                   &front = positions[v + 1];
      const double a[3] = {front.x - back.x, front.y - back.y, front.z - back.z};
      const double b[3] = {right.x - left.x, right.y - left.y, right.z - left.z};
      double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
      const double length = std::hypot(n[0], n[1], n[2]);
      const Float3& got = normals[v];
      EXPECT_NEAR(got.x, n[0] / length, 0.02);
      EXPECT_NEAR(got.y, n[1] / length, 0.02);
      EXPECT_NEAR(got.z, n[2] / length, 0.02);
      const Float4& t = tangents[v];
      EXPECT_NEAR(t.x * got.x + t.y * got.y + t.z * got.z, 0, 1e-5);
      EXPECT_NEAR(t.x * t.x + t.y * t.y + t.z * t.z, 1, 1e-5);
      EXPECT_EQ(t.w, -1);
      turned = std::max(turned, std::hypot(got.x, got.z));
    }
  }
  EXPECT_GT(turned, 0.1f);
}

// With all numbers of a place clamped, the displacement differs by the window and the direction from the axis alone.
TEST(ContactTile, ClampedPlacesDoNotTurnNormals) {
  tables::RawContactField field = SphereField({.joints = 1, .output = 0.3f, .seed = 3});
  const testing::RandomSkin skin{1, {0}, {1}};
  const tables::BuiltSkin table = tables::BuildSkin(skin.plain(), 1, "point");
  const auto normal = [&](float steepness, float height) {
    tables::RawContactField steep = field;
    // The field stays as it is at z-bar = 0, to which all places are clamped.
    for (float& a : steep.A) a *= steepness;
    steep.least.fill(0);
    steep.most.fill(0);
    Scene scene({steep}, 1, 1);
    EXPECT_TRUE(scene.Add(At({0.2f, height, 0.15f})));
    FeelPoint(scene, {0.2f, height + 0.05f, 0.15f});
    std::vector<Float3> positions = {{0, 0, 0}}, normals = {{0, 1, 0}};
    runtime::ContactTile(scene.fields(), table.table, 0, {.positions = positions, .normals = normals, .tangents = {}});
    return normals[0];
  };
  float least = 1;
  for (float height = 0.05f; height < 0.8f; height += 0.05f) {
    const Float3 flat = normal(0, height), steep = normal(2, height);
    EXPECT_TRUE(SameBits(flat, steep)) << height;
    least = std::min(least, flat.y);
  }
  EXPECT_LT(least, 0.9999f) << "the window does turn normals";
}

TEST(PoseField, JointsThatAreNotFiniteGetNoContact) {
  const Cloud cloud(200, 1, 3);
  for (const int entry : {0, 6, 12}) {
    Scene scene({SphereField({.joints = 1})}, 1, 1);
    scene.models()[0].m[entry] = std::nanf("");
    ASSERT_TRUE(scene.Add(At({0, 0, 0})));
    EXPECT_EQ(scene.fields()[0].shares[0], 0.0f);
    bool beyond = false;
    const std::vector<Float3> moved = cloud.Moved(scene, &beyond);
    EXPECT_TRUE(beyond);
    for (size_t v = 0; v < moved.size(); ++v) EXPECT_TRUE(SameBits(moved[v], cloud.positions[v])) << v;
  }
}

TEST(PoseField, RefusesWhatIsNotRigid) {
  Scene scene({SphereField({.joints = 1})}, 1, 1);
  const auto with = [](int entry, float value) {
    Collider collider = At({0, 0, 0});
    collider.pose.m[entry] = value;
    return collider;
  };
  EXPECT_FALSE(scene.Add(with(12, std::nanf(""))));
  EXPECT_FALSE(scene.Add(with(0, std::nanf(""))));
  EXPECT_FALSE(scene.Add(with(0, 1.1f)));
  EXPECT_FALSE(scene.Add(with(0, -1)));
  EXPECT_FALSE(scene.Add(with(4, 0.1f)));
  EXPECT_FALSE(scene.Add(with(13, 1e30f)));
  Collider scaled = At({0, 0, 0});
  for (const int entry : {0, 5, 10}) scaled.pose.m[entry] = 2;
  EXPECT_FALSE(scene.Add(scaled));
  Collider carried = At({0, 0, 0});
  carried.joint = 1;
  EXPECT_FALSE(scene.Add(carried));
  carried.joint = 0;
  EXPECT_TRUE(scene.Add(carried));
  // The joint's scale does not count, but a sheared joint has no rotation.
  const PosedField before = scene.fields().back();
  for (int k = 0; k < 12; ++k) scene.models()[0].m[k] *= 3;
  EXPECT_TRUE(scene.Add(carried));
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(scene.fields().back().R[k], before.R[k], 1e-6);
  scene.models()[0].m[4] += 5;
  EXPECT_FALSE(scene.Add(carried));
}

}  // namespace
}  // namespace sinew
