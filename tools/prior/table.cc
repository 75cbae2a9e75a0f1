#include "tools/prior/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/anatomy/human_motion_table.h"
#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/learn/mixture.h"

namespace sinew::prior {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::VectorXd;
constexpr double kDegree = std::numbers::pi / 180;

// Share of the poses in which a joint may go beyond its range, either way.
constexpr double kBeyond = 0.003;
constexpr int kComponents = 32;
constexpr double kLeastDeviation = 1;  // degrees; angles that vary less have no statistics

struct Reach {
  int toward = 0, away = 0, out = 0, in = 0, twist_positive = 0, twist_negative = 0;
};

// rows: bend, side and twist of a joint of the left side or of the middle. Poses come with their mirror images, so that
// joints of the middle turn as far to the one side as to the other.
Reach ReachOf(const MatrixXd& rows) {
  const auto up = [](double degrees) { return std::max(0, static_cast<int>(std::ceil(degrees))); };
  const Percentiles bend = PercentilesOf(rows.row(0), kBeyond), side = PercentilesOf(rows.row(1), kBeyond);
  const Percentiles twist = PercentilesOf(rows.row(2), kBeyond);
  return {up(bend.high), up(-bend.low), up(-side.low), up(side.high), up(twist.high), up(-twist.low)};
}

SwingTwist TurnOf(const MatrixXd& angles, int joint, Index pose) {
  return {angles(3 * joint, pose) * kDegree, angles(3 * joint + 1, pose) * kDegree,
          angles(3 * joint + 2, pose) * kDegree};
}

// Bend, side and twist of all joints of a chain together, about the axes of the first.
MatrixXd Together(const Subject& subject, const MatrixXd& angles, const std::vector<int>& chain) {
  MatrixXd rows(3, angles.cols());
  for (Index p = 0; p < angles.cols(); ++p) {
    Quaterniond turn = Quaterniond::Identity();
    for (const int j : chain) turn = turn * FromSwingTwist(subject.limits[j], TurnOf(angles, j, p));
    const SwingTwist all = ToSwingTwist(subject.limits[chain[0]], turn);
    rows.col(p) = Eigen::Vector3d(all.bend, all.side, all.twist) / kDegree;
  }
  return rows;
}

std::string JointsText(const Subject& subject, const std::vector<Reach>& reaches) {
  const RestBody body = MeasureRest(subject.skeleton);
  std::string text;
  for (int j = 0; j < subject.skeleton.joint_count(); ++j) {
    const JointLimit& limit = subject.limits[j];
    const Reach& r = reaches[j];
    const auto millimetres = [&](int k) { return std::lround(1e3 * body.positions[j][k]); };
    text += fmt::format("    {{\"{}\", {}, {{{}, {}, {}}},\n", subject.skeleton.joints[j].name,
                        subject.skeleton.joints[j].parent, millimetres(0), millimetres(1), millimetres(2));
    text += fmt::format("     {{{:.6f}f, {:.6f}f, {:.6f}f}}, {{{:.6f}f, {:.6f}f, {:.6f}f}},\n", limit.bone.x(),
                        limit.bone.y(), limit.bone.z(), limit.bend_toward.x(), limit.bend_toward.y(),
                        limit.bend_toward.z());
    // The right side is the mirror image of the left one.
    const bool right = subject.skeleton.joints[j].name.starts_with("right_");
    const int side[2] = {right ? -r.in : -r.out, right ? r.out : r.in};
    const int twist[2] = {right ? -r.twist_positive : -r.twist_negative, right ? r.twist_negative : r.twist_positive};
    text += fmt::format("     {{{:.6f}f, {:.6f}f, {:.6f}f, {:.6f}f}}, {{{}, {}, {}, {}, {}, {}}}}},\n",
                        limit.neutral.x(), limit.neutral.y(), limit.neutral.z(), limit.neutral.w(), -r.away, r.toward,
                        side[0], side[1], twist[0], twist[1]);
  }
  return text;
}

std::string ReachText(const char* kind, int order, const Reach& r) {
  return fmt::format("    {{JointKind::{}, {}, {}, {}, {}, {}, {}, {}}},\n", kind, order, r.toward, r.away, r.out, r.in,
                     r.twist_positive, r.twist_negative);
}

std::string ReachesText(const Subject& subject, const MatrixXd& angles, const std::vector<Reach>& reaches) {
  const auto of = [&](const char* name) { return reaches[subject.skeleton.Find(name)]; };
  const auto together = [&](const std::vector<const char*>& names) {
    std::vector<int> chain;
    for (const char* name : names) chain.push_back(subject.skeleton.Find(name));
    return ReachOf(Together(subject, angles, chain));
  };
  const Reach second = of("spine2"), third = of("spine3");
  const Reach upper{std::max(second.toward, third.toward),
                    std::max(second.away, third.away),
                    std::max(second.out, third.out),
                    std::max(second.in, third.in),
                    std::max(second.twist_positive, third.twist_positive),
                    std::max(second.twist_negative, third.twist_negative)};
  return ReachText("kSpine", 0, together({"spine1", "spine2", "spine3"})) + ReachText("kSpine", 1, of("spine1")) +
         ReachText("kSpine", 2, upper) + ReachText("kNeck", 0, together({"neck", "head"})) +
         ReachText("kNeck", 1, of("neck")) + ReachText("kHead", 1, of("head")) +
         ReachText("kShoulder", 1, of("left_shoulder")) + ReachText("kElbow", 1, of("left_elbow")) +
         ReachText("kWrist", 1, of("left_wrist")) + ReachText("kHip", 1, of("left_hip")) +
         ReachText("kKnee", 1, of("left_knee")) + ReachText("kAnkle", 1, of("left_ankle")) +
         ReachText("kFoot", 1, of("left_foot"));
}

// Angles that the limits allow and that vary.
std::vector<MeasuredAngle> AnglesWithStatistics(const Subject& subject, const MatrixXd& angles) {
  std::vector<MeasuredAngle> found;
  for (int j = 0; j < subject.skeleton.joint_count(); ++j) {
    const JointLimit& limit = subject.limits[j];
    for (int k = 0; k < 3; ++k) {
      const AngleRange& range = k == 0 ? limit.bend : k == 1 ? limit.side : limit.twist;
      const VectorXd values = angles.row(3 * j + k);
      const double deviation = std::sqrt((values.array() - values.mean()).square().mean());
      if (!limit.free && range.width() > 0 && deviation > kLeastDeviation) found.push_back({j, k});
    }
  }
  return found;
}

std::string NumbersText(const VectorXd& degrees) {
  std::string text = "    ";
  size_t column = text.size();
  for (const double value : degrees) {
    const std::string number = fmt::format("{}, ", std::lround(10 * value));
    if (column + number.size() > 118) text += "\n    ", column = 4;
    text += number;
    column += number.size();
  }
  return text + "\n";
}

std::string MixtureText(const std::vector<MeasuredAngle>& which, const MatrixXd& angles) {
  MatrixXd samples(static_cast<Index>(which.size()), angles.cols());
  for (size_t i = 0; i < which.size(); ++i) {
    samples.row(static_cast<Index>(i)) = angles.row(3 * which[i].joint + which[i].component);
  }
  const learn::NormalMixture mixture = learn::FitMixture(
      samples, {.components = kComponents, .iterations = 40, .least_variance = kLeastDeviation * kLeastDeviation});
  std::string weights = "    ", numbers;
  for (int k = 0; k < mixture.component_count(); ++k) {
    weights += fmt::format("{}, ", std::lround(1e4 * mixture.weights[k]));
    if (k % 16 == 15) weights += k + 1 < mixture.component_count() ? "\n    " : "\n";
    const learn::FactoredCovariance covariance = learn::FactorCovariance(mixture.covariances[k], kMeasuredFactors);
    numbers += NumbersText(mixture.means.col(k)) + NumbersText(covariance.own.cwiseSqrt());
    for (int f = 0; f < kMeasuredFactors; ++f) numbers += NumbersText(covariance.factors.col(f));
  }
  return fmt::format("constexpr int16_t kWeights[] = {{\n{}}};\n\nconstexpr int16_t kComponents[] = {{\n{}}};\n",
                     weights, numbers);
}

}  // namespace

std::string TableText(const Subject& subject, const MatrixXd& angles, const std::vector<std::string>& people_left_out) {
  std::string people;
  for (const std::string& person : people_left_out)
    people += fmt::format("{}\"{}\"", people.empty() ? "" : ", ", person);
  std::vector<Reach> reaches;
  for (int j = 0; j < subject.skeleton.joint_count(); ++j) {
    const bool right = subject.skeleton.joints[j].name.starts_with("right_");
    const int left = right ? subject.mirror[j] : j;
    reaches.push_back(subject.limits[j].free ? Reach{} : ReachOf(angles.middleRows<3>(3 * left)));
  }
  const std::vector<MeasuredAngle> which = AnglesWithStatistics(subject, angles);
  std::string angle_text = "    ";
  for (size_t i = 0; i < which.size(); ++i) {
    angle_text += fmt::format("{{{}, {}}}, ", which[i].joint, which[i].component);
    if (i % 12 == 11) angle_text += "\n    ";
  }
  return fmt::format(
      "// Statistics of how people move, written by scripts/prior; human_motion_table.h says what the numbers are.\n"
      "#include \"sinew/offline/anatomy/human_motion_table.h\"\n\n"
      "// clang-format off\n"
      "namespace sinew {{\n"
      "namespace {{\n\n"
      "constexpr MeasuredJoint kJoints[] = {{\n{}}};\n\n"
      "constexpr MeasuredReachRow kReaches[] = {{\n{}}};\n\n"
      "constexpr MeasuredAngle kAngles[] = {{\n{}\n}};\n\n"
      "{}\n"
      "constexpr std::string_view kPeopleLeftOut[] = {{{}}};\n\n"
      "}}  // namespace\n\n"
      "std::span<const MeasuredJoint> MeasuredJoints() {{ return kJoints; }}\n"
      "std::span<const MeasuredReachRow> MeasuredReaches() {{ return kReaches; }}\n"
      "std::span<const MeasuredAngle> MeasuredAngles() {{ return kAngles; }}\n"
      "std::span<const int16_t> MeasuredWeights() {{ return kWeights; }}\n"
      "std::span<const int16_t> MeasuredComponents() {{ return kComponents; }}\n"
      "std::span<const std::string_view> PeopleLeftOut() {{ return kPeopleLeftOut; }}\n\n"
      "}}  // namespace sinew\n"
      "// clang-format on\n",
      JointsText(subject, reaches), ReachesText(subject, angles, reaches), angle_text, MixtureText(which, angles),
      people);
}

}  // namespace sinew::prior
