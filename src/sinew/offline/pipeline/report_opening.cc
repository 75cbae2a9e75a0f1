#include "sinew/offline/pipeline/report_opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/evaluate/comparison.h"
#include "sinew/offline/evaluate/limbs_touch.h"
#include "sinew/offline/pipeline/everyday.h"
#include "sinew/offline/poses/everyday_poses.h"
#include "sinew/offline/render/camera.h"

namespace sinew::pipeline {
namespace {

// Everyday poses that the page opens with: a body that sits, and one that reaches up.
constexpr const char* kOpeningPoses[] = {"sit", "arms_up"};
constexpr int kCloseUps = 3;
constexpr int kColumns = 3;  // skinning, truth and Sinew

// A joint to come near to, in a frame.
struct CloseUp {
  int joint = -1;
  int frame = 0;
};

class Opening {
 public:
  Opening(const OpeningInput& input, report::Page& page)
      : in_(input), page_(page), finest_(input.hierarchy->levels.back()) {}

  void Make() {
    const std::vector<std::pair<const JudgedSet*, int>> bodies = Bodies();
    if (bodies.empty()) return;
    page_.Section("Before and after");
    const bool trained = bodies[0].first->trained > 0;
    page_.Paragraph(fmt::format(
        "Left: linear blend skinning, as engines do it. Middle: the truth, flesh that was simulated in this pose. "
        "Right: Sinew in real time{}. Look at where limbs bend.",
        trained ? "" : ", which has not learned from this pose"));
    if (in_.everyday == nullptr) {
      page_.Paragraph("Of all frames that it is judged by, this is the one in which Sinew gains most.");
    }
    for (const auto& [set, frame] : bodies) Whole(*set, frame);
    page_.Subsection("From near, where Sinew gains most");
    if (in_.everyday != nullptr) {
      for (const CloseUp& near : LargestGains(*in_.everyday)) Near(*in_.everyday, near);
    } else {
      const auto& [set, frame] = bodies[0];
      const int joint = evaluate::JointOfLargest(finest_.character, evaluate::GainOf(Compared(*set, frame)));
      Near(*set, {joint, frame});
    }
  }

  void EverydayPictures() {
    const JudgedSet& set = *in_.everyday;
    std::vector<report::PagePicture> pictures;
    for (int f = 0; f < set.frames.count(); ++f) {
      // All from where a body is known best.
      const evaluate::Comparison drawn = Draw(
          set, f,
          {.whole = true, .views = {render::ParseView("three-quarter")}, .height = Pixels(0.6), .width = Pixels(0.4)});
      pictures.push_back({drawn.picture.file, AltOf(set, f), CaptionOf(NameOf(set, f), drawn)});
    }
    page_.Gallery(pictures);
  }

 private:
  // Returns the frames that are shown whole; none if no frame gains anything.
  std::vector<std::pair<const JudgedSet*, int>> Bodies() const {
    std::vector<std::pair<const JudgedSet*, int>> bodies;
    if (in_.everyday != nullptr) {
      const JudgedSet& set = *in_.everyday;
      if (FrameOfLargestGain({&set}).first == nullptr) return {};
      for (const char* pose : kOpeningPoses) {
        if (const int frame = FindEveryday(set, pose); frame >= 0) bodies.emplace_back(&set, frame);
      }
      if (!bodies.empty()) return bodies;
    }
    const auto largest =
        FrameOfLargestGain(in_.everyday != nullptr ? std::vector<const JudgedSet*>{in_.everyday} : in_.unseen);
    if (largest.first != nullptr) bodies.push_back(largest);
    return bodies;
  }

  // Returns the set and the frame in which Sinew gains most against skinning; a null set if it gains nothing.
  static std::pair<const JudgedSet*, int> FrameOfLargestGain(const std::vector<const JudgedSet*>& sets) {
    std::pair<const JudgedSet*, int> largest = {nullptr, 0};
    double most = 0;
    for (const JudgedSet* set : sets) {
      for (int f = 0; f < set->frames.count(); ++f) {
        const double gain = set->metres_per_unit * set->FrameGain(f);
        if (gain <= std::max(most, set->metres_per_unit * set->evaluation.exact())) continue;
        most = gain;
        largest = {set, f};
      }
    }
    return largest;
  }

  // Finds the joints that gain most, each of another kind: a left elbow says what a right one would.
  std::vector<CloseUp> LargestGains(const JudgedSet& set) const {
    const std::vector<evaluate::JointRegion>& regions = set.evaluation.regions.back();
    const std::vector<size_t> gains =
        evaluate::FindChanges(regions, kSinew, set.evaluation.exact(), regions.size()).gains;
    std::vector<Eigen::VectorXf> per_frame;
    for (int f = 0; f < set.frames.count(); ++f) per_frame.push_back(evaluate::GainOf(Compared(set, f)));
    const std::vector<JointIdentity> identities = IdentifyJoints(finest_.character.skeleton);
    std::vector<CloseUp> found;
    for (const size_t r : gains) {
      if (found.size() == kCloseUps) break;
      const CloseUp near = InRegion(regions[r].joint, per_frame);
      const auto alike = [&](const CloseUp& other) { return Alike(identities, near.joint, other.joint); };
      if (near.joint >= 0 && std::none_of(found.begin(), found.end(), alike)) found.push_back(near);
    }
    return found;
  }

  // Returns the frame in which the region of a joint gains most, and the joint nearest to where it does.
  CloseUp InRegion(const std::string& joint, const std::vector<Eigen::VectorXf>& per_frame) const {
    const std::vector<int> strongest = evaluate::StrongestJoints(finest_);
    Eigen::VectorXf marked(finest_.vertex_count());
    for (int v = 0; v < finest_.vertex_count(); ++v) {
      const int carrier = strongest[finest_.point_of_vertex[v]];
      marked[v] = carrier >= 0 && finest_.character.skeleton.joints[carrier].name == joint ? 1.0f : 0.0f;
    }
    CloseUp near;
    for (size_t f = 1; f < per_frame.size(); ++f) {
      if (marked.dot(per_frame[f]) > marked.dot(per_frame[near.frame])) near.frame = static_cast<int>(f);
    }
    near.joint = evaluate::JointOfLargest(finest_.character, (marked.array() * per_frame[near.frame].array()).matrix());
    return near;
  }

  static bool Alike(const std::vector<JointIdentity>& identities, int a, int b) {
    if (a == b) return true;
    const JointKind of_a = identities[a].kind, of_b = identities[b].kind;
    if (of_a == JointKind::kUnknown) return false;
    return of_a == of_b || (IsFinger(of_a) && IsFinger(of_b));
  }

  std::string NameOf(const JudgedSet& set, int frame) const {
    const int index = set.indices[frame];
    return &set == in_.everyday ? LabelOf(*set.dataset, index) : fmt::format("{}, frame {}", set.name, index);
  }

  evaluate::ComparedFrame Compared(const JudgedSet& set, int frame) const {
    return evaluate::MakeComparedFrame(finest_.character, *in_.bundle, "the bundle", NameOf(set, frame),
                                       set.frames.poses[frame], set.frames.truth(frame));
  }

  int Pixels(double share) const { return static_cast<int>(share * in_.picture_height); }

  evaluate::Comparison Draw(const JudgedSet& set, int frame, const evaluate::ComparisonOptions& options) const {
    return evaluate::DrawComparison(finest_.character, {Compared(set, frame)}, set.to_mm(), options);
  }

  std::string AltOf(const JudgedSet& set, int frame) const {
    return fmt::format("Skinning, truth and Sinew side by side: {}", NameOf(set, frame));
  }

  static std::string CaptionOf(const std::string& what, const evaluate::Comparison& drawn) {
    const evaluate::SeenError &skinning = drawn.skinning[0], &sinew = drawn.sinew[0];
    return report::Capitalized(
        fmt::format("{}. Skinning is {:.1f} mm off on average and {:.0f} mm at most, Sinew {:.1f} and {:.0f} mm.", what,
                    skinning.mean, skinning.max, sinew.mean, sinew.max));
  }

  void Whole(const JudgedSet& set, int frame) {
    // People are taller than wide; what is no biped may be as long as high.
    const int height = Pixels(&set == in_.everyday ? 1.2 : 0.8);
    const evaluate::Comparison drawn = Draw(set, frame, {.whole = true, .height = height, .width = Pixels(0.8)});
    page_.Picture(drawn.picture.file, AltOf(set, frame), CaptionOf(NameOf(set, frame), drawn));
  }

  void Near(const JudgedSet& set, const CloseUp& near) {
    const evaluate::Comparison drawn =
        Draw(set, near.frame, {.joint = near.joint, .height = Pixels(0.8), .width = Pixels(0.8)});
    const std::string joint = drawn.joint < 0 ? "" : finest_.character.skeleton.joints[drawn.joint].name;
    const std::string what =
        joint.empty() ? NameOf(set, near.frame) : fmt::format("around {}: {}", joint, NameOf(set, near.frame));
    page_.Picture(drawn.picture.file, AltOf(set, near.frame), CaptionOf(what, drawn));
  }

  const OpeningInput& in_;
  report::Page& page_;
  const lod::Level& finest_;
};

}  // namespace

void AddOpening(const OpeningInput& input, report::Page& page) { Opening(input, page).Make(); }

void AddEverydayPictures(const OpeningInput& input, report::Page& page) { Opening(input, page).EverydayPictures(); }

int BodiesOfOpening(bool biped) {
  if (!biped) return kColumns * 2;
  return kColumns * (static_cast<int>(std::size(kOpeningPoses)) + kCloseUps + poses::kEverydayCount);
}

}  // namespace sinew::pipeline
