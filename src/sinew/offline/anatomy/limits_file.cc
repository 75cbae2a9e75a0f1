#include "sinew/offline/anatomy/limits_file.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"

namespace sinew {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr const char* kFormat = "sinew-limits";
constexpr int kVersion = 1;

// Seven digits are a thousandth of a degree's thousandth: enough to be exact for any use, short enough to read.
double Rounded(double value) { return std::round(value * 1e7) / 1e7 + 0.0; }

Json RangeToJson(const AngleRange& range) { return {Rounded(range.min / kDegree), Rounded(range.max / kDegree)}; }

template <typename Vector>
Json VectorToJson(const Vector& v) {
  Json json = Json::array();
  for (int k = 0; k < v.size(); ++k) json.push_back(Rounded(v[k]));
  return json;
}

Json LimitToJson(const JointLimit& limit) {
  Json json = {{"origin", Name(limit.origin)}};
  if (!limit.known_as.empty()) json["known_as"] = limit.known_as;
  if (limit.free) {
    json["free"] = true;
    return json;
  }
  json["bone"] = VectorToJson(limit.bone);
  json["bend_toward"] = VectorToJson(limit.bend_toward);
  if (!limit.neutral.isApprox(Eigen::Quaterniond::Identity(), 1e-9)) {
    json["neutral"] = VectorToJson(limit.neutral.coeffs());
  }
  json["bend"] = RangeToJson(limit.bend);
  json["side"] = RangeToJson(limit.side);
  json["twist"] = RangeToJson(limit.twist);
  return json;
}

// Reads an array of exactly `count` finite numbers; throws std::invalid_argument that names the field otherwise.
template <int count>
Eigen::Matrix<double, count, 1> Numbers(const Json& json, const std::string& field) {
  const bool right = json.is_array() && json.size() == count;
  if (!right) throw std::invalid_argument(fmt::format("{} must be an array of {} numbers", field, count));
  Eigen::Matrix<double, count, 1> out;
  for (int k = 0; k < count; ++k) {
    if (!json[k].is_number())
      throw std::invalid_argument(fmt::format("{} must be an array of {} numbers", field, count));
    out[k] = json[k].get<double>();
    if (!std::isfinite(out[k])) throw std::invalid_argument(field + " holds a number that is not finite");
  }
  return out;
}

AngleRange RangeFromJson(const Json& json, const std::string& field) {
  const Eigen::Vector2d degrees = Numbers<2>(json, field);
  return {degrees[0] * kDegree, degrees[1] * kDegree};
}

LimitOrigin OriginFromJson(const Json& json) {
  for (const LimitOrigin origin : {LimitOrigin::kFile, LimitOrigin::kNames, LimitOrigin::kAnimations}) {
    if (json == Name(origin)) return origin;
  }
  if (json == Name(LimitOrigin::kDefault)) return LimitOrigin::kDefault;
  throw std::invalid_argument("origin must be \"file\", \"names\", \"animations\" or \"default\"");
}

void ReadField(const std::string& field, const Json& value, JointLimit& limit) {
  if (field == "free") {
    if (!value.is_boolean()) throw std::invalid_argument("free must be true or false");
    limit.free = value.get<bool>();
  } else if (field == "origin") {
    limit.origin = OriginFromJson(value);
  } else if (field == "known_as") {
    if (!value.is_string()) throw std::invalid_argument("known_as must be a string");
    limit.known_as = value.get<std::string>();
  } else if (field == "bone") {
    limit.bone = Numbers<3>(value, field);
  } else if (field == "bend_toward") {
    limit.bend_toward = Numbers<3>(value, field);
  } else if (field == "neutral") {
    limit.neutral.coeffs() = Numbers<4>(value, field);
  } else if (field == "bend") {
    limit.bend = RangeFromJson(value, field);
  } else if (field == "side") {
    limit.side = RangeFromJson(value, field);
  } else if (field == "twist") {
    limit.twist = RangeFromJson(value, field);
  } else {
    throw std::invalid_argument(
        fmt::format("{} is not a field of a limit (those are free, bone, bend_toward, neutral, "
                    "bend, side, twist, origin, known_as)",
                    field));
  }
}

JointLimit LimitFromJson(const Json& json, JointLimit limit) {
  if (!json.is_object()) throw std::invalid_argument("must be an object");
  limit.origin = LimitOrigin::kFile;
  limit.known_as.clear();
  limit.free = false;
  // A limit that gives `bone` is measured from rest, unless it also gives `neutral`.
  if (json.contains("bone")) limit.neutral.setIdentity();
  for (const auto& [field, value] : json.items()) ReadField(field, value, limit);
  Normalize(limit);
  return limit;
}

// Checks the header of the format and returns the object with one entry per joint. Throws InputError that names `file`.
const Json& JointTable(const Json& json, const std::string& file) {
  const auto bad = [&](const std::string& problem) -> InputError {
    return {file, "limits", problem, "write them with 'sinew limits CHARACTER -o FILE.json' and edit that"};
  };
  if (!json.is_object()) throw bad("are not a JSON object");
  if (!json.contains("format") || json["format"] != kFormat) throw bad("lack \"format\": \"sinew-limits\"");
  if (!json.contains("version") || !json["version"].is_number_integer()) throw bad("lack a whole number as version");
  if (json["version"] != kVersion) {
    throw bad(fmt::format("are of version {}, which this program does not read (it reads {})",
                          JsonText(json["version"]), kVersion));
  }
  if (!json.contains("joints") || !json["joints"].is_object()) throw bad("lack an object \"joints\"");
  return json["joints"];
}

}  // namespace

Json LimitsToJson(const Skeleton& skeleton, const JointLimits& limits) {
  Json json = {{"format", kFormat}, {"version", kVersion}, {"unit", "degrees"}, {"joints", Json::object()}};
  for (int j = 0; j < skeleton.joint_count(); ++j) json["joints"][skeleton.joints[j].name] = LimitToJson(limits[j]);
  return json;
}

void ApplyLimits(const Json& json, const std::string& file, const Skeleton& skeleton, JointLimits& limits) {
  const Json& joints = JointTable(json, file);
  std::string unknown;
  bool any = joints.empty();
  for (const auto& [name, value] : joints.items()) {
    const int j = skeleton.Find(name);
    if (j < 0) {
      if (unknown.empty()) unknown = name;
      continue;
    }
    any = true;
    try {
      limits[j] = LimitFromJson(value, limits[j]);
    } catch (const std::invalid_argument& error) {
      throw InputError(file, fmt::format("limits of joint \"{}\"", name), error.what(), "correct it");
    }
  }
  if (!any) {
    throw InputError(file, "limits", fmt::format("name no joint of this character (the first is \"{}\")", unknown),
                     "use limits that were made for it");
  }
  if (!unknown.empty()) {
    Warn("{}: limits: name joints that this character lacks, such as \"{}\"; those are ignored", file, unknown);
  }
}

void ApplyLimitsText(std::string_view text, const std::string& file, const Skeleton& skeleton, JointLimits& limits) {
  ApplyLimits(ParseJson(text, file), file, skeleton, limits);
}

void EditLimit(const std::string& edit, const Skeleton& skeleton, JointLimits& limits) {
  const size_t equals = edit.rfind('='), dot = edit.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos) {
    throw UsageError(fmt::format("--set {}: write JOINT.FIELD=VALUE, for example left_knee.bend=0,120", edit));
  }
  const std::string name = edit.substr(0, dot), field = edit.substr(dot + 1, equals - dot - 1);
  const std::string value = edit.substr(equals + 1);
  const int j = skeleton.Find(name);
  if (j < 0) throw UsageError(fmt::format("--set {}: the character has no joint \"{}\"", edit, name));
  const bool list = value.find(',') != std::string::npos;
  const Json json = Json::parse(list ? "[" + value + "]" : value, nullptr, false);
  if (json.is_discarded()) throw UsageError(fmt::format("--set {}: {} is not a value", edit, value));
  try {
    JointLimit limit = limits[j];
    ReadField(field, json, limit);
    Normalize(limit);
    limit.origin = LimitOrigin::kFile;
    limits[j] = limit;
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--set {}: {}", edit, error.what()));
  }
}

const Json* LimitsInExtras(const Character& character) {
  const Json& extras = *character.extras;
  if (!extras.is_object() || !extras.contains("sinew") || !extras["sinew"].is_object()) return nullptr;
  const Json& own = extras["sinew"];
  return own.contains("limits") ? &own["limits"] : nullptr;
}

void StoreLimitsInExtras(const JointLimits& limits, Character& character) {
  if (!(*character.extras).is_object()) character.extras = Json::object();
  Json& own = (*character.extras)["sinew"];
  if (!own.is_object()) own = Json::object();
  own["limits"] = LimitsToJson(character.skeleton, limits);
}

}  // namespace sinew
