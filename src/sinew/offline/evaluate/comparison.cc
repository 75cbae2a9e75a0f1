#include "sinew/offline/evaluate/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/render/focus.h"

namespace sinew::evaluate {
namespace {

// Returns a third of the area of the triangles around each vertex, along their normal.
Points VertexAreas(const TriMesh& mesh) {
  Points areas = Points::Zero(mesh.positions.rows(), 3);
  for (Eigen::Index t = 0; t < mesh.triangles.rows(); ++t) {
    const Eigen::RowVector3f a = mesh.positions.row(mesh.triangles(t, 0)), b = mesh.positions.row(mesh.triangles(t, 1)),
                             c = mesh.positions.row(mesh.triangles(t, 2));
    const Eigen::RowVector3f area = (b - a).cross(c - a) / 6;
    for (int k = 0; k < 3; ++k) areas.row(mesh.triangles(t, k)) += area;
  }
  return areas;
}

// Returns the mean of each vertex's own value and those of its neighbours, so that a single vertex does not decide.
std::vector<double> Smoothed(const TriMesh& mesh, const Eigen::VectorXf& values) {
  std::vector<double> sums(values.data(), values.data() + values.size()), counts(values.size(), 1);
  for (Eigen::Index t = 0; t < mesh.triangles.rows(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int v = mesh.triangles(t, k);
      sums[v] += values[mesh.triangles(t, (k + 1) % 3)] + values[mesh.triangles(t, (k + 2) % 3)];
      counts[v] += 2;
    }
  }
  for (size_t v = 0; v < sums.size(); ++v) sums[v] /= counts[v];
  return sums;
}

// Returns the joints that move a vertex, and those at the other ends of their bones.
std::vector<int> JointsAt(const Character& character, const RestBody& body, int vertex) {
  std::vector<int> joints;
  for (const Part& part : character.parts) {
    const int count = part.mesh.vertex_count();
    if (vertex >= count) {
      vertex -= count;
      continue;
    }
    for (int k = 0; k < part.weights.influences; ++k) {
      const size_t at = static_cast<size_t>(vertex) * part.weights.influences + k;
      if (part.weights.weights[at] == 0) continue;
      const int joint = part.weights.joints[at];
      joints.push_back(joint);
      if (body.next[joint] >= 0) joints.push_back(body.next[joint]);
    }
    break;
  }
  return joints;
}

// Returns the character as it is drawn: its rest mesh without skeleton and materials, whose shape in each frame is
// given like that of a morph target. Its normals say which edges are sharp.
Character AsClay(const Character& character) {
  Character clay;
  clay.name = character.name;
  for (const Part& from : character.parts) {
    Part& part = clay.parts.emplace_back();
    part.name = from.name;
    part.mesh = from.mesh;
    part.normals = from.normals.rows() > 0 ? from.normals : VertexNormals(from.mesh);
  }
  return clay;
}

SeenError ErrorOf(const Points& shape, const Points& truth, const std::vector<bool>& framed, double millimetres) {
  SeenError error;
  int count = 0;
  for (Eigen::Index v = 0; v < truth.rows(); ++v) {
    if (!framed.empty() && !framed[v]) continue;
    const double distance = millimetres * (shape.row(v) - truth.row(v)).norm();
    error.mean += distance;
    error.max = std::max(error.max, distance);
    ++count;
  }
  error.mean /= std::max(count, 1);
  return error;
}

std::string ErrorText(const SeenError& error) {
  const auto millimetres = [](double value) { return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0); };
  return fmt::format("mean error {} mm, largest {} mm", millimetres(error.mean), millimetres(error.max));
}

// Returns the frame in which ground truth and skinning differ most.
const ComparedFrame& MostDifferent(const std::vector<ComparedFrame>& frames) {
  return *std::max_element(frames.begin(), frames.end(), [](const ComparedFrame& a, const ComparedFrame& b) {
    return (a.truth - a.skinned).squaredNorm() < (b.truth - b.skinned).squaredNorm();
  });
}

}  // namespace

ComparedFrame MakeComparedFrame(const Character& character, const runtime::Bundle& bundle, const std::string& file,
                                const std::string& name, const Pose& pose, const Points& truth) {
  if (bundle.level(bundle.level_count()).vertex_count != character.vertex_count()) {
    throw InputError(file, "", "is of another character", "build the folder again");
  }
  bake::DeformedLevel deformed = bake::Deform(bundle, pose, bundle.level_count());
  return {name, SkinnedShape(character, pose), truth, std::move(deformed.positions),
          (deformed.evaluation.flags & runtime::kFaded) != 0};
}

int JointOfLargest(const Character& character, const Eigen::VectorXf& values) {
  const Points rest = SkinnedShape(character, character.skeleton.RestPose());
  const std::vector<double> smoothed = Smoothed(JoinMesh(character, rest), values);
  const auto worst = static_cast<int>(std::max_element(smoothed.begin(), smoothed.end()) - smoothed.begin());
  const RestBody body = MeasureRest(character.skeleton);
  int nearest = -1;
  double least = 0;
  for (const int joint : JointsAt(character, body, worst)) {
    const JointKind kind = body.identities[joint].kind;
    if (kind == JointKind::kTwist || kind == JointKind::kTip || character.skeleton.joints[joint].helper) continue;
    const double distance = (rest.row(worst).transpose().cast<double>() - body.positions[joint]).norm();
    if (nearest < 0 || distance < least) nearest = joint, least = distance;
  }
  return nearest;
}

int JointOfLargestDifference(const Character& character, const Points& a, const Points& b) {
  return JointOfLargest(character, (a - b).rowwise().norm());
}

Eigen::VectorXf GainOf(const ComparedFrame& frame) {
  return (frame.skinned - frame.truth).rowwise().norm() - (frame.sinew - frame.truth).rowwise().norm();
}

render::View ViewOfDifference(const Character& character, const Points& shape, const Points& other,
                              const std::vector<bool>& marked) {
  constexpr int kAzimuths = 24, kMaxRays = 2000;
  constexpr std::array<float, 3> kElevations = {0, 25, 50};
  const TriMesh mesh = JoinMesh(character, shape);
  const SurfaceQuery query(mesh);
  const Points areas = VertexAreas(mesh);
  const float skin = 1e-3f * BoundingBox(shape).diagonal().norm();  // a ray starts so far above the surface
  std::vector<int> vertices;
  for (int v = 0; v < shape.rows(); ++v) {
    if (marked.empty() || marked[v]) vertices.push_back(v);
  }
  const int stride = 1 + static_cast<int>(vertices.size()) / kMaxRays;
  std::vector<render::View> views;
  for (const float elevation : kElevations) {
    for (int i = 0; i < kAzimuths; ++i) {
      const int azimuth = 360 * i / kAzimuths;
      views.push_back({fmt::format("{}:{}", azimuth, elevation), static_cast<float>(azimuth), elevation});
    }
  }
  std::vector<double> seen(views.size(), 0);
  ParallelFor(static_cast<int>(views.size()), 1, [&](int i) {
    const Eigen::RowVector3f viewer = render::ToViewer(views[i]).transpose();
    for (size_t k = 0; k < vertices.size(); k += stride) {
      const int v = vertices[k];
      const Eigen::RowVector3f moved = shape.row(v) - other.row(v);
      const float toward = areas.row(v).dot(viewer), across = (moved - moved.dot(viewer) * viewer).norm();
      if (toward <= 0 || across == 0) continue;
      const Eigen::Vector3f from = shape.row(v) + skin * areas.row(v).normalized();
      if (!query.Shoot(from, viewer.transpose())) seen[i] += toward * across;
    }
  });
  return views[std::max_element(seen.begin(), seen.end()) - seen.begin()];
}

Comparison DrawComparison(const Character& character, const std::vector<ComparedFrame>& frames, double millimetres,
                          const ComparisonOptions& options) {
  const ComparedFrame& worst = MostDifferent(frames);
  Comparison comparison;
  // Choose the part of the body to frame, and the view.
  if (!options.whole) {
    comparison.joint = !options.focus.empty() ? render::FocusJoint(character, options.focus)
                       : options.joint >= 0   ? options.joint
                                              : JointOfLargestDifference(character, worst.truth, worst.skinned);
  }
  const std::vector<bool> framed =
      comparison.joint < 0 ? std::vector<bool>() : render::Surroundings(character, comparison.joint);
  comparison.views = options.views;
  if (options.views.empty() && !options.turntable) {
    comparison.views = {ViewOfDifference(character, worst.truth, worst.skinned, framed)};
  }
  // The three columns.
  const Character clay = AsClay(character);
  std::vector<render::PictureInput> columns;
  for (const char* label : {"skinning", "truth", "Sinew"}) {
    columns.push_back({.character = &clay, .label = label, .poses = {Pose()}, .framed = framed});
  }
  for (const ComparedFrame& frame : frames) {
    comparison.skinning.push_back(ErrorOf(frame.skinned, frame.truth, framed, millimetres));
    comparison.sinew.push_back(ErrorOf(frame.sinew, frame.truth, framed, millimetres));
    const auto add = [&](render::PictureInput& column, const Points& shape, const std::string& caption) {
      column.morphed.push_back(dataset::SplitIntoParts(character, shape));
      column.captions.push_back(caption);
    };
    add(columns[0], frame.skinned, ErrorText(comparison.skinning.back()));
    add(columns[1], frame.truth, frame.name);
    add(columns[2], frame.sinew, ErrorText(comparison.sinew.back()));
  }
  render::PictureOptions picture;
  picture.views = comparison.views;
  picture.turntable = options.turntable;
  picture.same_camera = true;
  picture.frames_per_second = options.frames_per_second;
  picture.sheet.height = options.height;
  picture.sheet.width = options.width;
  comparison.picture = render::MakePicture(columns, picture);
  return comparison;
}

}  // namespace sinew::evaluate
