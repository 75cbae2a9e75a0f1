#include "sinew/offline/scenes/scene_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/dynamics/simulation.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/core/json_text.h"

namespace sinew::scenes {
namespace {

using dynamics::ColliderShape;
using Eigen::Vector2d;

constexpr const char* kRemedy = "correct the script";
constexpr double kFarthest = 1e6;
constexpr size_t kMaxKeys = 100000;

using Allowed = std::vector<std::string_view>;

// A misspelled key would be a setting that does nothing.
void RefuseOthers(const JsonFields& fields, const Json& json, const Allowed& allowed) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    fields.Fail(fmt::format("has \"{}\", which is not one of {}", key, fmt::join(allowed, ", ")));
  }
}

double Number(const JsonFields& fields, const char* key, double low, double high, double otherwise) {
  if (!fields.Has(key)) return otherwise;
  const double value = fields.Double(key);
  if (!(value >= low && value <= high)) fields.Fail(fmt::format("\"{}\" is {}, not {} to {}", key, value, low, high));
  return value;
}

Vector2d Pair(const JsonFields& fields, const char* key, const Vector2d& otherwise, double most) {
  if (!fields.Has(key)) return otherwise;
  const std::array<float, 2> numbers = fields.Numbers<2>(key);
  const Vector2d pair(numbers[0], numbers[1]);
  if (pair.cwiseAbs().maxCoeff() > most) fields.Fail(fmt::format("\"{}\" is farther than {}", key, most));
  return pair;
}

PoseKey ReadKey(const Json& json, const std::string& file, const std::string& place) {
  const JsonFields fields(json, file, place, kRemedy);
  RefuseOthers(fields, json, {"seconds", "position", "angle"});
  return {.seconds = Number(fields, "seconds", 0, 1e6, 0),
          .position = Pair(fields, "position", Vector2d::Zero(), kFarthest),
          .angle = Number(fields, "angle", -1e6, 1e6, 0)};
}

std::vector<PoseKey> ReadKeys(const JsonFields& fields, const std::string& file, const std::string& place) {
  if (!fields.Has("keys")) return {{}};
  const Json& list = fields.List("keys");
  if (list.empty() || list.size() > kMaxKeys) fields.Fail("\"keys\" has none, or too many");
  std::vector<PoseKey> keys;
  for (size_t k = 0; k < list.size(); ++k) {
    keys.push_back(ReadKey(list[k], file, fmt::format("{}, key {}", place, k)));
    if (k > 0 && !(keys[k].seconds > keys[k - 1].seconds)) {
      fields.Fail(fmt::format("key {} is not later than the one before", k));
    }
  }
  return keys;
}

void ReadCorners(const JsonFields& fields, const std::string& file, const std::string& place, SceneCollider& collider) {
  const Json& list = fields.List("corners");
  if (list.size() < 3 || list.size() > dynamics::Collider::kMaxCorners) {
    fields.Fail(fmt::format("\"corners\" has {}, not 3 to {}", list.size(), dynamics::Collider::kMaxCorners));
  }
  double area = 0;
  for (const Json& corner : list) {
    const Json holder = {{"corner", corner}};
    const Vector2d at = Pair(JsonFields(holder, file, place, kRemedy), "corner", Vector2d::Zero(), kFarthest);
    collider.corners.insert(collider.corners.end(), {at[0], at[1]});
  }
  const size_t count = collider.corners.size();
  for (size_t i = 0; i < count; i += 2) {
    const size_t next = (i + 2) % count;
    area += collider.corners[i] * collider.corners[next + 1] - collider.corners[next] * collider.corners[i + 1];
  }
  if (!(area > 0)) fields.Fail("\"corners\" do not go around counter-clockwise");
}

SceneCollider ReadCollider(const Json& json, const std::string& file, const std::string& place) {
  const JsonFields fields(json, file, place, kRemedy);
  SceneCollider collider;
  const std::string shape = fields.String("shape");
  if (shape == "plane") {
    RefuseOthers(fields, json, {"shape", "friction", "keys"});
  } else if (shape == "circle") {
    RefuseOthers(fields, json, {"shape", "radius", "friction", "keys"});
    collider.shape = ColliderShape::kCircle;
    fields.At("radius");
    collider.radius = Number(fields, "radius", 1e-6, kFarthest, 0);
  } else if (shape == "polygon") {
    RefuseOthers(fields, json, {"shape", "corners", "rounding", "friction", "keys"});
    collider.shape = ColliderShape::kPolygon;
    ReadCorners(fields, file, place, collider);
    collider.rounding = Number(fields, "rounding", 0, kFarthest, 0);
  } else {
    fields.Fail("\"shape\" is not plane, circle or polygon");
  }
  collider.friction = Number(fields, "friction", 0, 10, collider.friction);
  collider.keys = ReadKeys(fields, file, place);
  return collider;
}

DrivenHandle ReadHandle(const Json& json, const std::string& file, const std::string& place) {
  const JsonFields fields(json, file, place, kRemedy);
  RefuseOthers(fields, json, {"handle", "stiffness", "keys"});
  fields.At("stiffness");
  return {.handle = static_cast<int>(fields.Integer("handle", 0, dynamics::ObjectTable::kMaxBasis)),
          .stiffness = Number(fields, "stiffness", 0, 1e12, 0),
          .keys = ReadKeys(fields, file, place)};
}

// As the shortest text that is read as the same float.
Json FloatJson(double value) { return Json(std::stod(fmt::format("{}", static_cast<float>(value)))); }
Json PairJson(const Vector2d& pair) { return {FloatJson(pair[0]), FloatJson(pair[1])}; }

Json KeysJson(const std::vector<PoseKey>& keys) {
  Json list = Json::array();
  for (const PoseKey& key : keys) {
    list.push_back({{"seconds", key.seconds}, {"position", PairJson(key.position)}, {"angle", key.angle}});
  }
  return list;
}

Json ColliderJson(const SceneCollider& collider) {
  Json json = {{"friction", collider.friction}, {"keys", KeysJson(collider.keys)}};
  if (collider.shape == ColliderShape::kHalfPlane) {
    json["shape"] = "plane";
  } else if (collider.shape == ColliderShape::kCircle) {
    json.update({{"shape", "circle"}, {"radius", collider.radius}});
  } else {
    Json corners = Json::array();
    for (size_t i = 0; i < collider.corners.size(); i += 2) {
      corners.push_back(PairJson({collider.corners[i], collider.corners[i + 1]}));
    }
    json.update({{"shape", "polygon"}, {"corners", corners}, {"rounding", collider.rounding}});
  }
  return json;
}

}  // namespace

Scene ParseScene(std::string_view text, const std::string& file) {
  const Json json = ParseJson(text, file);
  const JsonFields fields(json, file, "scene", kRemedy);
  RefuseOthers(fields, json,
               {"object", "seconds", "step", "gravity", "position", "angle", "velocity", "colliders", "handles",
                "field", "finish"});
  Scene scene;
  scene.object = fields.String("object");
  scene.seconds = Number(fields, "seconds", 1e-3, 3600, scene.seconds);
  scene.step = Number(fields, "step", 1e-4, 0.1, scene.step);
  scene.gravity = Pair(fields, "gravity", scene.gravity, 1e4);
  scene.position = Pair(fields, "position", scene.position, kFarthest);
  scene.angle = Number(fields, "angle", -1e6, 1e6, 0);
  scene.velocity = Pair(fields, "velocity", scene.velocity, 1e4);
  if (fields.Has("field")) scene.field = fields.String("field");
  if (fields.Has("field") && scene.field.empty()) fields.Fail("\"field\" is empty");
  if (fields.Has("finish")) scene.finish = Number(fields, "finish", -kFarthest, kFarthest, 0);
  for (size_t c = 0; fields.Has("colliders") && c < fields.List("colliders").size(); ++c) {
    scene.colliders.push_back(ReadCollider(fields.List("colliders")[c], file, fmt::format("collider {}", c)));
    if (c >= dynamics::Simulation::kMaxColliders) {
      fields.Fail(fmt::format("has more than {} colliders", dynamics::Simulation::kMaxColliders));
    }
  }
  for (size_t h = 0; fields.Has("handles") && h < fields.List("handles").size(); ++h) {
    scene.handles.push_back(ReadHandle(fields.List("handles")[h], file, fmt::format("handle {}", h)));
  }
  return scene;
}

std::string FormatScene(const Scene& scene) {
  Json json = {{"object", scene.object},
               {"seconds", scene.seconds},
               {"step", scene.step},
               {"gravity", PairJson(scene.gravity)},
               {"position", PairJson(scene.position)},
               {"angle", scene.angle},
               {"velocity", PairJson(scene.velocity)},
               {"colliders", Json::array()},
               {"handles", Json::array()}};
  for (const SceneCollider& collider : scene.colliders) json["colliders"].push_back(ColliderJson(collider));
  for (const DrivenHandle& driven : scene.handles) {
    json["handles"].push_back(
        {{"handle", driven.handle}, {"stiffness", driven.stiffness}, {"keys", KeysJson(driven.keys)}});
  }
  if (!scene.field.empty()) json["field"] = scene.field;
  if (scene.finish) json["finish"] = *scene.finish;
  return JsonText(json, 1) + "\n";
}

PoseKey PoseAt(const std::vector<PoseKey>& keys, double seconds) {
  const auto next = std::find_if(keys.begin(), keys.end(), [&](const PoseKey& key) { return key.seconds > seconds; });
  if (next == keys.begin()) return keys.front();
  if (next == keys.end()) return keys.back();
  const PoseKey &a = *(next - 1), &b = *next;
  const double t = (seconds - a.seconds) / (b.seconds - a.seconds);
  return {
      .seconds = seconds, .position = (1 - t) * a.position + t * b.position, .angle = (1 - t) * a.angle + t * b.angle};
}

}  // namespace sinew::scenes
