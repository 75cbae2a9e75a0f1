#include "sinew/offline/io/bvh.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <unordered_set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/text.h"

namespace sinew {
namespace {

// Whether all of the text is one number.
bool ToNumber(std::string_view digits, double* value) {
#ifdef __cpp_lib_to_chars
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *value);
  return error == std::errc() && end == digits.data() + digits.size();
#else
  // emscripten's library has no from_chars for numbers with a point. strtod would also take what is no BVH number.
  if (digits.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return false;
  const std::string text(digits);
  char* end = nullptr;
  *value = std::strtod(text.c_str(), &end);
  return !text.empty() && end == text.c_str() + text.size();
#endif
}

using Eigen::Quaterniond;
using Eigen::Vector3d;
constexpr double kDegree = std::numbers::pi / 180;
constexpr size_t kMaxJoints = 65535;
// Seconds: a million frames a second, and a frame in eleven days.
constexpr double kMinFrameTime = 1e-6, kMaxFrameTime = 1e6;

// Axis 0 to 2 of a position or a rotation.
struct Channel {
  bool rotation;
  int axis;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Clip Parse() {
    if (!TakeWord("HIERARCHY")) Fail("HIERARCHY was expected", "check that this is a BVH file");
    while (TakeWord("ROOT")) ReadTree();
    if (clip_.skeleton.joints.empty()) Fail("there is no ROOT");
    clip_.motion.joints = JointNames(clip_.skeleton);
    clip_.motion.name = ToUtf8(std::filesystem::path(file_).stem().string());
    if (TakeWord("MOTION")) {
      ReadMotion();
    } else if (!AtEnd()) {
      Fail(fmt::format("\"{}\" stands where MOTION was expected", Word()));
    }
    return std::move(clip_);
  }

 private:
  [[noreturn]] void Fail(const std::string& problem, const std::string& remedy = "export the file again") const {
    throw InputError(file_, fmt::format("line {}", line_), problem, remedy);
  }

  static bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

  void Skip() {
    for (; at_ < text_.size() && IsSpace(text_[at_]); ++at_) line_ += text_[at_] == '\n';
  }
  bool AtEnd() {
    Skip();
    return at_ == text_.size();
  }

  // Braces are words of their own.
  std::string_view PeekWord() {
    Skip();
    size_t end = at_;
    const auto brace = [](char c) { return c == '{' || c == '}'; };
    if (end < text_.size() && brace(text_[end])) return text_.substr(at_, 1);
    while (end < text_.size() && !IsSpace(text_[end]) && !brace(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  std::string_view Word() {
    const std::string_view word = PeekWord();
    at_ += word.size();
    return word;
  }
  bool TakeWord(std::string_view expected) {
    const std::string_view word = PeekWord();
    if (word.size() != expected.size()) return false;
    for (size_t i = 0; i < word.size(); ++i) {
      if (std::toupper(static_cast<unsigned char>(word[i])) != std::toupper(static_cast<unsigned char>(expected[i]))) {
        return false;
      }
    }
    at_ += word.size();
    return true;
  }
  void Expect(std::string_view expected) {
    if (!TakeWord(expected)) {
      Fail(AtEnd() ? fmt::format("the file ends where {} was expected", expected)
                   : fmt::format("\"{}\" stands where {} was expected", PeekWord(), expected));
    }
  }

  // The rest of the line, or up to a brace: names may hold spaces.
  std::string Name() {
    size_t end = at_;
    while (end < text_.size() && text_[end] != '\n' && text_[end] != '{') ++end;
    std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    while (!name.empty() && IsSpace(name.front())) name.remove_prefix(1);
    while (!name.empty() && IsSpace(name.back())) name.remove_suffix(1);
    return Unique(ToUtf8(name));
  }

  std::string Unique(std::string name) {
    const size_t number = clip_.skeleton.joints.size();
    if (name.empty()) {
      name = fmt::format("joint_{}", number);
      Warn("{}: line {}: a joint without a name is called \"{}\"", file_, line_, name);
    }
    if (names_.insert(name).second) return name;
    std::string other = fmt::format("{}_{}", name, number);
    while (!names_.insert(other).second) other += "_";
    Warn("{}: line {}: a second joint is called \"{}\"; it becomes \"{}\"", file_, line_, name, other);
    return other;
  }

  double Number() {
    const std::string_view word = Word();
    std::string_view digits = word;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0;
    if (word.empty()) Fail("the file ends where a number was expected", "copy or export the file again");
    if (!ToNumber(digits, &value) || !std::isfinite(value)) {
      Fail(fmt::format("\"{}\" is not a number", word.substr(0, 40)));
    }
    if (std::abs(value) > 1e30) Fail(fmt::format("{} is too large a number", value));
    return value;
  }

  void ReadOffset(Joint& joint) {
    Expect("OFFSET");
    const double x = Number(), y = Number(), z = Number();
    joint.rest.translation = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
  }

  void ReadChannels(std::vector<Channel>& channels) {
    if (!TakeWord("CHANNELS")) return;
    const double count = Number();
    if (count != std::floor(count) || count < 0 || count > 12) Fail("a joint has 0 to 12 channels");
    for (int i = 0; i < static_cast<int>(count); ++i) {
      const std::string word(Word());
      constexpr std::array<const char*, 6> kNames = {"XPOSITION", "YPOSITION", "ZPOSITION",
                                                     "XROTATION", "YROTATION", "ZROTATION"};
      std::string upper;
      for (const char c : word) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      int found = -1;
      for (int k = 0; k < 6; ++k) found = upper == kNames[k] ? k : found;
      if (found < 0)
        Fail(fmt::format("\"{}\" is not a channel (those are Xposition to Zrotation)", word.substr(0, 40)));
      channels.push_back({found >= 3, found % 3});
    }
    channel_count_ += channels.size();
  }

  int Open(Joint joint) {
    if (clip_.skeleton.joints.size() >= kMaxJoints) Fail(fmt::format("there are more than {} joints", kMaxJoints));
    clip_.skeleton.joints.push_back(std::move(joint));
    channels_.emplace_back();
    return clip_.skeleton.joint_count() - 1;
  }

  // ROOT was read. A stack instead of recursion: the depth is the file's to choose.
  void ReadTree() {
    std::vector<int> open = {OpenJoint(-1)};
    while (!open.empty()) {
      if (TakeWord("}")) {
        open.pop_back();
      } else if (TakeWord("JOINT")) {
        open.push_back(OpenJoint(open.back()));
      } else if (TakeWord("End")) {
        Expect("Site");
        ReadEndSite(open.back());
      } else {
        Expect("JOINT, End Site or }");
      }
    }
  }

  int OpenJoint(int parent) {
    Joint joint;
    joint.name = Name();
    joint.parent = parent;
    Expect("{");
    const int index = Open(std::move(joint));
    ReadOffset(clip_.skeleton.joints[index]);
    ReadChannels(channels_[index]);
    return index;
  }

  void ReadEndSite(int parent) {
    Joint joint;
    joint.parent = parent;
    joint.helper = true;
    const size_t line_end = text_.find_first_of("\n{", at_);
    if (line_end != std::string_view::npos) at_ = line_end;
    Expect("{");
    ReadOffset(joint);
    joint.name = Unique(clip_.skeleton.joints[parent].name + "_end");
    Expect("}");
    Open(std::move(joint));
  }

  double HeaderNumber(std::string_view label) {
    Skip();
    for (size_t i = 0; i < label.size(); ++i) {
      if (label[i] == ' ') {
        Skip();
        continue;
      }
      const char c = at_ < text_.size() ? text_[at_] : ' ';
      if (std::toupper(static_cast<unsigned char>(c)) != std::toupper(static_cast<unsigned char>(label[i]))) {
        Fail(fmt::format("\"{}\" was expected", label));
      }
      ++at_;
    }
    return Number();
  }

  void ReadMotion() {
    const double frames = HeaderNumber("Frames:");
    if (frames < 0 || frames != std::floor(frames)) Fail("the number of frames is not a whole number");
    CheckSize(frames);
    const double time = HeaderNumber("Frame Time:");
    if (time < 0) Fail("the frame time is negative");
    if (time > 0 && (time < kMinFrameTime || time > kMaxFrameTime)) {
      Fail(fmt::format("a frame time of {} seconds cannot be meant", time));
    }
    if (time == 0) Warn("{}: line {}: the frame time is 0; the poses belong to no time", file_, line_);
    // A thirtieth of a second that is written with six digits is not quite one.
    const double rate = time > 0 ? 1 / time : 0;
    clip_.motion.frames_per_second =
        static_cast<float>(std::abs(rate - std::round(rate)) < 1e-3 * rate ? std::round(rate) : rate);
    for (int f = 0; f < static_cast<int>(frames); ++f) ReadFrame();
    if (!AtEnd()) Warn("{}: line {}: there is more after the last frame; it is ignored", file_, line_);
  }

  // A number takes two bytes at least, and poses take little more memory than the text they come from.
  void CheckSize(double frames) const {
    const double numbers = frames * static_cast<double>(channel_count_);
    const double left = static_cast<double>(text_.size() - at_);
    const double memory = frames * static_cast<double>(clip_.skeleton.joints.size()) * sizeof(Transform);
    if (2 * numbers > left + 1 || memory > 6.4e7 + 100.0 * static_cast<double>(text_.size())) {
      Fail(fmt::format("{} frames of {} numbers are claimed but only {} bytes follow", frames, channel_count_, left),
           "copy or export the file again");
    }
  }

  void ReadFrame() {
    Pose pose = clip_.skeleton.RestPose();
    for (size_t j = 0; j < pose.size(); ++j) {
      Quaterniond rotation = Quaterniond::Identity();
      Vector3d translation = ToEigen(pose[j].translation).cast<double>();
      for (const Channel& channel : channels_[j]) {
        const double value = Number();
        if (channel.rotation) {
          rotation = rotation * Eigen::AngleAxisd(std::fmod(value, 360.0) * kDegree, Vector3d::Unit(channel.axis));
        } else {
          translation[channel.axis] = value;
        }
      }
      pose[j].translation = ToFloat3(translation.cast<float>());
      pose[j].rotation = ToQuaternion(Continuous(rotation.normalized(), j).cast<float>());
    }
    clip_.motion.frames.push_back(std::move(pose));
  }

  // Chooses, of the two quaternions of a rotation, the one nearer to the last frame's.
  Quaterniond Continuous(Quaterniond q, size_t joint) const {
    if (clip_.motion.frames.empty()) return q;
    const Eigen::Quaternionf last = ToEigen(clip_.motion.frames.back()[joint].rotation);
    if (q.coeffs().dot(last.coeffs().cast<double>()) < 0) q.coeffs() = -q.coeffs();
    return q;
  }

  std::string_view text_;
  const std::string file_;
  size_t at_ = 0;
  int line_ = 1;
  Clip clip_;
  std::vector<std::vector<Channel>> channels_;
  size_t channel_count_ = 0;
  std::unordered_set<std::string> names_;
};

}  // namespace

Clip ParseBvh(std::string_view text, const std::string& file) { return Parser(text, file).Parse(); }

Clip ReadBvh(const std::filesystem::path& path) { return ParseBvh(ReadTextFile(path), path.string()); }

void WriteBvh(const std::filesystem::path& path, const Clip& clip) { WriteFileAtomic(path, FormatBvh(clip)); }

}  // namespace sinew
