#include "sinew/offline/corpus/pack_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/corpus/point_guesses.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/multires/training_shapes.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;

// Working levels of nearly as many points as the body has are not worth the loss.
constexpr double kWorthIt = 0.9;
constexpr int kRegions = 20;  // of level 0, which packing does not use
constexpr size_t kHashDigits = 16;

lod::Hierarchy WorkingLevels(const Character& character, const std::string& file, int points) {
  lod::HierarchyOptions options{.points = {}, .regions = kRegions};
  if (points < kWorthIt * lod::CountPoints(character, file)) options.points = {points};
  return lod::BuildHierarchy(character, file, options);
}

// Throws unless all skins place the mesh alike: the pack has one bind matrix per joint.
const Skin& OnlySkin(const Character& character, const std::string& file) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError(file, "", problem, "leave it out of the corpus");
  };
  if (character.skins.empty()) refuse("has no skin");
  if (character.skeleton.joint_count() > kMaxPackedJoints) {
    refuse(
        fmt::format("has {} joints, and a pack holds at most {}", character.skeleton.joint_count(), kMaxPackedJoints));
  }
  for (const Skin& skin : character.skins) {
    for (size_t j = 0; j < skin.inverse_bind.size(); ++j) {
      const bool both = skin.has_joint[j] && character.skins[0].has_joint[j];
      if (both && !skin.inverse_bind[j].isApprox(character.skins[0].inverse_bind[j], 1e-5f)) {
        refuse("has skins with different bind poses, and a pack holds one");
      }
    }
  }
  return character.skins[0];
}

// Takes the strongest joints of every point from the first vertex that it has.
SkinWeights PointWeights(const lod::Level& level) {
  SkinWeights all{.influences = kPackedInfluences, .joints = {}, .weights = {}};
  all.joints.resize(static_cast<size_t>(level.point_count) * kPackedInfluences);
  all.weights.resize(all.joints.size());
  std::vector<bool> done(level.point_count, false);
  int vertex = 0;
  for (const Part& part : level.character.parts) {
    for (int v = 0; v < part.mesh.vertex_count(); ++v, ++vertex) {
      const int point = level.point_of_vertex[vertex];
      if (done[point]) continue;
      done[point] = true;
      const int count = std::min(kPackedInfluences, part.weights.influences);
      for (int k = 0; k < count; ++k) {
        const size_t from = static_cast<size_t>(v) * part.weights.influences + k;
        all.joints[static_cast<size_t>(point) * kPackedInfluences + k] = part.weights.joints[from];
        all.weights[static_cast<size_t>(point) * kPackedInfluences + k] = part.weights.weights[from];
      }
    }
  }
  return all;
}

Triangles PointTriangles(const lod::Level& level) {
  Triangles all(level.character.triangle_count(), 3);
  int triangle = 0, first = 0;
  for (const Part& part : level.character.parts) {
    for (int t = 0; t < part.mesh.triangle_count(); ++t, ++triangle) {
      for (int c = 0; c < 3; ++c) all(triangle, c) = level.point_of_vertex[first + part.mesh.triangles(t, c)];
    }
    first += part.mesh.vertex_count();
  }
  return all;
}

// Lists the frames to train on and to validate on, with their poses.
void TakeFrames(const Corpus& corpus, int b, const dataset::Dataset& dataset, PackedBody& body) {
  for (const dataset::DatasetMotion& motion : dataset.manifest().motions) body.motions.push_back(motion.name);
  for (const Side side : {Side::kTrain, Side::kValidation}) {
    for (const int i : corpus.Frames(b, dataset, side)) {
      const uint64_t hash = std::stoull(dataset.frame(i).hash.substr(0, kHashDigits), nullptr, 16);
      body.frames.push_back({.side = side, .frame = i, .motion = dataset.frame(i).motion, .hash = hash});
    }
  }
  std::sort(body.frames.begin(), body.frames.end(),
            [](const PackedFrame& a, const PackedFrame& c) { return a.frame < c.frame; });
  for (const PackedFrame& frame : body.frames) body.poses.push_back(dataset.pose(frame.frame));
}

// Numbers the points of a body anew. order: their old numbers.
void Renumber(const std::vector<int>& order, PackedBody& body) {
  const Points rest = body.rest;
  const SkinWeights weights = body.weights;
  std::vector<int> number(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    number[order[i]] = static_cast<int>(i);
    body.rest.row(static_cast<Eigen::Index>(i)) = rest.row(order[i]);
    for (size_t k = 0; k < kPackedInfluences; ++k) {
      const size_t from = static_cast<size_t>(order[i]) * kPackedInfluences + k, to = i * kPackedInfluences + k;
      body.weights.joints[to] = weights.joints[from];
      body.weights.weights[to] = weights.weights[from];
    }
  }
  for (int& corner : body.triangles.reshaped()) corner = number[corner];
}

// Begins triangles with their lowest corner and sorts them, so that each is near the one before it.
void SortTriangles(Triangles& triangles) {
  std::vector<std::array<int, 3>> sorted;
  for (const auto row : triangles.rowwise()) {
    std::array<int, 3> corners = {row[0], row[1], row[2]};
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    sorted.push_back(corners);
  }
  std::sort(sorted.begin(), sorted.end());
  for (size_t t = 0; t < sorted.size(); ++t) {
    for (int c = 0; c < 3; ++c) triangles(static_cast<Eigen::Index>(t), c) = sorted[t][c];
  }
}

// order: the points of the levels in the order of the body.
FloatRows ResidualsOf(const dataset::Dataset& dataset, const multires::TruthLevels& levels,
                      const std::vector<int>& order, const PackedBody& body) {
  FloatRows rows(body.frame_count(), 3 * body.rest.rows());
  ParallelFor(body.frame_count(), 1, [&](int f) {
    const int i = body.frames[f].frame;
    const Points coarse = levels.Coarsened(levels.ToPoints(dataset.Shape(i)))[0];
    const Points displacements = levels.Displacements(1, dataset.pose(i), coarse)(order, Eigen::all);
    rows.row(f) = Eigen::Map<const Eigen::RowVectorXf>(displacements.data(), displacements.size());
  });
  return rows;
}

bool HasFramesToPack(const Corpus& corpus, int b) {
  // Frames of a test body are all to test with.
  return corpus.body(b).side != Side::kTest;
}

}  // namespace

PackedBody PackBody(const Corpus& corpus, int b, const PackOptions& options) {
  const dataset::Dataset dataset = corpus.Open(b);
  const std::string file = dataset.path().string();
  PackedBody body;
  body.name = corpus.body(b).name;
  body.metres_per_unit = dataset.manifest().metres_per_unit;
  TakeFrames(corpus, b, dataset, body);
  if (body.frames.empty()) throw InputError(file, "", "has no frame to train on or to validate on", "leave it out");
  const Character character = dataset.ReadCharacter(0);
  const lod::Hierarchy hierarchy = WorkingLevels(character, file, options.points);
  const lod::Level& level = hierarchy.level(1);
  if (level.point_count > kMaxPackedPoints) {
    throw InputError(
        file, "",
        fmt::format("has a working level of {} points, and a pack holds {}", level.point_count, kMaxPackedPoints),
        "ask for fewer points");
  }
  const Skin& skin = OnlySkin(level.character, file);
  body.skeleton = level.character.skeleton;
  body.inverse_bind = skin.inverse_bind;
  const multires::TruthLevels levels(hierarchy);
  body.rest = levels.skin(1).rest();
  body.triangles = PointTriangles(level);
  body.weights = PointWeights(level);
  const std::vector<int> order = AlongSurface(body.triangles, body.point_count());
  Renumber(order, body);
  SortTriangles(body.triangles);
  RoundToPack(body);
  PackModes(ResidualsOf(dataset, levels, order, body), options.modes, body);
  return body;
}

PackManifest PackCorpus(const Corpus& corpus, const fs::path& folder, const PackOptions& options) {
  const CorpusManifest& source = corpus.manifest();
  PackManifest manifest{.name = source.name,
                        .seed = source.seed,
                        .recipe = source.recipe,
                        .test_families = source.test_families,
                        .bodies = {}};
  std::vector<int> bodies = corpus.Bodies();
  std::erase_if(bodies, [&](int b) { return !HasFramesToPack(corpus, b); });
  if (bodies.empty()) {
    throw InputError(corpus.folder().string(), "", "has no body to train on or to validate on", "nothing is packed");
  }
  manifest.bodies.resize(bodies.size());
  WriteFolderAtomic(folder, IsPack, [&](const fs::path& target) {
    fs::create_directories(target / "bodies");
    Progress progress("packing", static_cast<int64_t>(bodies.size()), "bodies");
    ParallelFor(static_cast<int>(bodies.size()), 1, [&](int i) {
      const PackedBody body = PackBody(corpus, bodies[i], options);
      const Bytes bytes = FormatPackedBody(body);
      if (bytes.size() > options.max_part) {
        throw FailedError(
            fmt::format("body \"{}\" takes {:.1f} MiB, and a part may have {:.1f}; lower the number of "
                        "points or raise the loss",
                        body.name, std::ldexp(bytes.size(), -20), std::ldexp(options.max_part, -20)));
      }
      PackEntry& entry = manifest.bodies[i];
      entry.body = corpus.body(bodies[i]);
      entry.body.dataset.clear();
      entry.hash = HashHex(bytes);
      entry.bytes = static_cast<int64_t>(bytes.size());
      entry.points = body.point_count();
      entry.modes = static_cast<int>(body.modes.rows());
      entry.frames = body.frame_count();
      entry.mean_residual_mm = 1000 * body.metres_per_unit * body.mean_residual;
      entry.loss = body.loss;
      WriteFileAtomic(target / PackedFile(entry.body), bytes);
      progress.Advance();
    });
    WriteFileAtomic(target / kPackFile, FormatPackManifest(manifest));
  });
  return manifest;
}

}  // namespace sinew::corpus
