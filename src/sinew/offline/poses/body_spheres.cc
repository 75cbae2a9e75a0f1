#include "sinew/offline/poses/body_spheres.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/nearest_point.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/topology.h"
#include "sinew/offline/mesh/weld.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew::poses {
namespace {

using Eigen::Vector3d;

// Volume, as a fraction of the largest piece's, up to which a piece gets no spheres.
constexpr double kSmallPiece = 0.02;
// Winding number above which a sphere's centre counts as inside the piece. A skirt has 0.7 around the legs.
constexpr double kInside = 0.9;
// Smallest number of newly covered points for which a sphere is kept; fewer are corners and wrinkles.
constexpr int kFewestPoints = 3;

// Smallest radius of a sphere in multiples of the slack; smaller ones are edges of eyelids and nails.
constexpr double kThinnest = 0.3;

// Skinned parts as displayed in the rest pose, welded. Parts that are attached to a joint (weapons, hats) count only if
// there are no others: a sword may be where a leg is.
struct DisplayedSkin {
  TriMesh mesh;
  std::vector<Influences> influences;  // one per vertex
};

DisplayedSkin CollectSkin(const Character& character) {
  const PosedCharacter posed = PoseCharacter(character, character.skeleton.RestPose());
  const bool has_skin = std::any_of(character.parts.begin(), character.parts.end(),
                                    [&](const Part& part) { return IsSkinned(character, part); });
  const RestSurface surface = CollectRestSurface(character, [&](int p) {
    const Part& part = character.parts[p];
    if (has_skin && !IsSkinned(character, part)) return false;
    return part.skin >= 0 && !part.weights.empty() && posed.parts[p].positions.allFinite();
  });
  DisplayedSkin skin;
  skin.mesh.triangles = surface.welded.triangles;
  skin.mesh.positions.resize(surface.welding.welded_count(), 3);
  size_t part = 0;
  for (int w = 0; w < surface.welding.welded_count(); ++w) {
    const int v = surface.welding.first_of[w];
    while (v >= surface.first_vertex[part + 1]) ++part;
    skin.mesh.positions.row(w) = posed.parts[surface.parts[part]].positions.row(v - surface.first_vertex[part]);
    skin.influences.push_back(surface.influences[v]);
  }
  return skin;
}

struct Piece {
  TriMesh mesh;
  std::vector<int> vertex_of;  // one per vertex: its index in the whole skin
};

// Returns the connected pieces that enclose a volume and are not small, oriented to face outwards.
std::vector<Piece> FindPieces(const TriMesh& mesh) {
  // Number the vertices and triangles of each connected piece.
  const Topology topology = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
  std::vector<Piece> pieces(topology.islands.size());
  std::vector<std::vector<Eigen::Vector3i>> triangles(pieces.size());
  std::vector<int> place(mesh.vertex_count(), -1);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const int island = topology.island_of[t];
    if (island < 0) continue;
    for (const int v : mesh.triangles.row(t)) {
      if (place[v] >= 0) continue;
      place[v] = static_cast<int>(pieces[island].vertex_of.size());
      pieces[island].vertex_of.push_back(v);
    }
    triangles[island].emplace_back(place[mesh.triangles(t, 0)], place[mesh.triangles(t, 1)],
                                   place[mesh.triangles(t, 2)]);
  }
  // Build the meshes; flip those that enclose a negative volume.
  double largest = 0;
  std::vector<double> volumes;
  for (size_t i = 0; i < pieces.size(); ++i) {
    TriMesh& piece = pieces[i].mesh;
    piece.positions.resize(static_cast<int>(pieces[i].vertex_of.size()), 3);
    for (int v = 0; v < piece.vertex_count(); ++v) piece.positions.row(v) = mesh.positions.row(pieces[i].vertex_of[v]);
    piece.triangles.resize(static_cast<int>(triangles[i].size()), 3);
    for (int t = 0; t < piece.triangle_count(); ++t) piece.triangles.row(t) = triangles[i][t].transpose();
    volumes.push_back(SignedVolume(piece));
    if (volumes[i] < 0) piece.triangles.col(1).swap(piece.triangles.col(2));
    largest = std::max(largest, std::abs(volumes[i]));
  }
  // Drop pieces that are small compared with the largest.
  std::vector<Piece> kept;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (std::abs(volumes[i]) > kSmallPiece * largest) kept.push_back(std::move(pieces[i]));
  }
  return kept;
}

struct Ball {
  Vector3d centre = Vector3d::Zero();
  double radius = 0;  // 0: no sphere
};

// Points spread over a piece: its vertices, and points inside the triangles so that large ones are not missed.
struct SkinPoints {
  std::vector<Vector3d> points;
  std::vector<Vector3d> inward;             // inward normal: unit, or zero where there is none
  std::vector<std::array<int, 3>> corners;  // vertices of the triangle around the point
  std::vector<Vector3d> shares;             // barycentric coordinates of the point in that triangle
};

// Smallest cosine of the angle between a triangle's normal and the one interpolated from its vertices, up to which its
// edges count as smooth.
constexpr double kSmooth = 0.9;
// Largest number of steps along an edge of a triangle.
constexpr int kMaxSteps = 64;
// Largest number of points inside triangles. A body has some 100,000 at most; only slivers, which are much longer than
// the distance of points and enclose next to nothing, ask for more.
constexpr int64_t kMaxInside = 1'000'000;

int StepsAlong(double length, double spacing) {
  return std::clamp(static_cast<int>(std::ceil(std::min<double>(kMaxSteps, length / spacing))), 1, kMaxSteps);
}

// Calls visit(shares) for points of a triangle: as many steps in both directions as the longest edge needs, without the
// corners.
template <typename Visit>
void VisitLattice(const std::array<Vector3d, 3>& corners, double spacing, const Visit& visit) {
  const int steps = StepsAlong(ShapeOf(corners).longest_edge, spacing);
  for (int i = 0; i <= steps; ++i) {
    for (int k = 0; k <= steps - i; ++k) {
      if (i == steps || k == steps || i + k == 0) continue;  // a corner
      visit(Vector3d(Vector3d(steps - i - k, i, k) / steps));
    }
  }
}

// Calls visit(shares) for points on rows along the longest edge, as many as the height needs: one for a sliver.
template <typename Visit>
void VisitRows(const std::array<Vector3d, 3>& corners, double spacing, const Visit& visit) {
  int a = 0;
  for (int k = 1; k < 3; ++k) {
    if ((corners[(k + 1) % 3] - corners[k]).norm() > (corners[(a + 1) % 3] - corners[a]).norm()) a = k;
  }
  const int b = (a + 1) % 3, c = (a + 2) % 3;
  const double length = (corners[b] - corners[a]).norm();
  const double height = length > 0 ? 2 * ShapeOf(corners).area / length : 0;
  const int rows = StepsAlong(height, spacing);
  for (int i = 0; i < rows; ++i) {
    const double up = static_cast<double>(i) / rows;
    const int steps = StepsAlong((1 - up) * length, spacing);
    for (int k = 0; k <= steps; ++k) {
      if (i == 0 && (k == 0 || k == steps)) continue;  // a corner
      const double along = (1 - up) * k / steps;
      Vector3d shares;
      shares[a] = 1 - up - along, shares[b] = along, shares[c] = up;
      visit(shares);
    }
  }
}

// Number of points that VisitLattice() visits in all triangles together; larger numbers than kMaxInside are cut off.
int64_t CountLattice(const TriMesh& mesh, double spacing) {
  int64_t count = 0;
  for (int t = 0; t < mesh.triangle_count() && count <= kMaxInside; ++t) {
    const int64_t steps = StepsAlong(ShapeOf(Corners(mesh, t)).longest_edge, spacing);
    count += (steps + 1) * (steps + 2) / 2 - 3;
  }
  return count;
}

// The same for VisitRows().
int64_t CountRows(const TriMesh& mesh, double spacing) {
  int64_t count = 0;
  for (int t = 0; t < mesh.triangle_count() && count <= kMaxInside; ++t) {
    VisitRows(Corners(mesh, t), spacing, [&](const Vector3d&) { ++count; });
  }
  return count;
}

// Spreads points at most about `spacing` apart, with at most kMaxSteps subdivisions per edge. Where that would be more
// than kMaxInside, slivers get one row of points, and if these are too many, all points are further apart.
SkinPoints SpreadPoints(const TriMesh& mesh, double spacing) {
  const Points normals = VertexNormals(mesh);
  SkinPoints spread;
  // facet: inward normal of the triangle; zero at vertices.
  const auto add = [&](const std::array<int, 3>& corners, const Vector3d& shares, const Vector3d& facet) {
    Vector3d point = Vector3d::Zero(), inward = Vector3d::Zero();
    for (int k = 0; k < 3; ++k) {
      point += shares[k] * mesh.positions.row(corners[k]).cast<double>().transpose();
      inward -= shares[k] * normals.row(corners[k]).cast<double>().transpose();
    }
    inward = inward.norm() > 1e-3 ? Vector3d(inward.normalized()) : Vector3d::Zero();
    // Beside a hard edge, normals of vertices are those of no triangle, and the sphere of a point with such a normal
    // shrinks to nothing on the triangle itself.
    if (!facet.isZero() && facet.dot(inward) < kSmooth) inward = facet;
    spread.points.push_back(point);
    spread.inward.push_back(inward);
    spread.corners.push_back(corners);
    spread.shares.push_back(shares);
  };
  for (int v = 0; v < mesh.vertex_count(); ++v) add({v, v, v}, {1, 0, 0}, Vector3d::Zero());
  const bool slivers = CountLattice(mesh, spacing) > kMaxInside;
  while (slivers && CountRows(mesh, spacing) > kMaxInside) spacing *= 2;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const std::array<int, 3> corners = {mesh.triangles(t, 0), mesh.triangles(t, 1), mesh.triangles(t, 2)};
    const std::array<Vector3d, 3> places = Corners(mesh, t);
    const Vector3d facet = (places[2] - places[0]).cross(places[1] - places[0]).normalized();
    const auto inside = [&](const Vector3d& shares) { add(corners, shares, facet); };
    slivers ? VisitRows(places, spacing, inside) : VisitLattice(places, spacing, inside);
  }
  return spread;
}

// Returns the largest sphere that touches the skin from inside at point `at` and contains no other point of the skin.
// largest: radius to start from.
Ball ShrinkBall(const NearestPoint& nearest, const SkinPoints& skin, int at, double largest) {
  const Vector3d &point = skin.points[at], &inward = skin.inward[at];
  // Nearly touching is enough: very many points are about equally far from the axis of a round limb.
  constexpr double kTouches = 0.98;
  double radius = largest;
  for (int i = 0; i < 30; ++i) {
    const auto found = nearest.FindNearer(point + radius * inward, kTouches * radius);
    if (!found) break;
    const Vector3d away = skin.points[found->index] - point;
    const double along = away.dot(inward);
    if (!(along > 1e-9 * largest)) return {};
    radius = std::min(0.999 * radius, away.squaredNorm() / (2 * along));
  }
  return {point + radius * inward, radius};
}

// Sample points of a piece, and per point the sphere that touches it from inside.
struct Samples {
  std::vector<Vector3d> points;
  std::vector<std::vector<std::pair<int, double>>> weights;  // (joint, weight) per point
  std::vector<Ball> balls;
  double area = 0;  // area of skin per point
};

// Adds the weights of a point, interpolated from those of the corners of its triangle.
void AddWeights(const DisplayedSkin& skin, const Piece& piece, const SkinPoints& spread, int at,
                std::vector<std::pair<int, double>>& weights) {
  for (int k = 0; k < 3; ++k) {
    if (spread.shares[at][k] == 0) continue;
    const Influences& corner = skin.influences[piece.vertex_of[spread.corners[at][k]]];
    for (int i = 0; i < corner.count; ++i) {
      weights.emplace_back(corner.joints[i], spread.shares[at][k] * corner.weights[i]);
    }
  }
}

// Returns the indices of a subset of points that are more than `spacing` apart, with every point within `spacing` of
// one.
std::vector<int> Thinned(const std::vector<Vector3d>& points, double spacing) {
  Points positions(static_cast<int>(points.size()), 3);
  for (size_t i = 0; i < points.size(); ++i) positions.row(static_cast<int>(i)) = points[i].cast<float>().transpose();
  return WeldWithin(positions, static_cast<float>(spacing)).first_of;
}

Samples SamplePiece(const DisplayedSkin& skin, const Piece& piece, double wanted_spacing, double size) {
  // Choose sample points. A body has some 8,000; the limit keeps a crumpled shape with much more skin in its box from
  // taking hours.
  constexpr double kMaxPoints = 12000;
  const double area = SurfaceArea(piece.mesh);
  const double spacing = std::max(wanted_spacing, std::sqrt(area / kMaxPoints));
  const SkinPoints spread = SpreadPoints(piece.mesh, spacing);
  // Slivers that are not side by side are a net with little area and many points.
  constexpr size_t kMaxSamples = 24000;
  std::vector<int> chosen = Thinned(spread.points, spacing);
  for (double wider = 2 * spacing; chosen.size() > kMaxSamples; wider *= 2) chosen = Thinned(spread.points, wider);
  const int count = static_cast<int>(chosen.size());
  Samples samples;
  samples.area = area / count;
  samples.balls.resize(count);
  for (const int at : chosen) {
    samples.points.push_back(spread.points[at]);
    AddWeights(skin, piece, spread, at, samples.weights.emplace_back());
  }
  // Find the sphere that touches each point; keep it if its centre is inside the piece.
  const NearestPoint nearest(spread.points);
  const SurfaceQuery surface(piece.mesh);
  const WindingNumber winding(piece.mesh);
  ParallelFor(count, 64, [&](int i) {
    if (spread.inward[chosen[i]].isZero()) return;
    Ball ball = ShrinkBall(nearest, spread, chosen[i], 0.5 * size);
    const Eigen::Vector3f centre = ball.centre.cast<float>();
    if (ball.radius <= 0 || !(std::abs(winding(centre)) > kInside)) return;
    // The skin between points may be nearer to the centre than the points are.
    const auto closest = surface.Closest(centre);
    ball.radius = closest ? closest->distance : 0;
    samples.balls[i] = ball;
  });
  return samples;
}

// A set of sample points: one bit each. Lists would be long: one sphere covers all of a round body.
using PointSet = std::vector<uint64_t>;

int CountBoth(const PointSet& a, const PointSet& b) {
  int count = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += std::popcount(a[i] & b[i]);
  return count;
}

// Calls visit(point) for the points of a set, by increasing number.
template <typename Visit>
void VisitSet(const PointSet& set, const Visit& visit) {
  for (size_t i = 0; i < set.size(); ++i) {
    for (uint64_t left = set[i]; left != 0; left &= left - 1) visit(static_cast<int>(64 * i) + std::countr_zero(left));
  }
}

// Returns per sphere the points that it covers when enlarged by the slack; none for spheres that are too small.
std::vector<PointSet> CoveredPoints(const Samples& samples, double slack) {
  std::vector<PointSet> covered(samples.balls.size());
  ParallelFor(static_cast<int>(covered.size()), 64, [&](int i) {
    const Ball& ball = samples.balls[i];
    if (ball.radius < kThinnest * slack) return;
    const double reach = ball.radius + slack;
    covered[i].resize((samples.points.size() + 63) / 64, 0);
    for (size_t p = 0; p < samples.points.size(); ++p) {
      const bool within = (samples.points[p] - ball.centre).squaredNorm() <= reach * reach;
      covered[i][p / 64] |= uint64_t{within} << (p % 64);
    }
  });
  return covered;
}

// Sets the influences of a sphere to the strongest of the summed weights of these points.
void SetInfluences(const Samples& samples, const PointSet& points, BodySphere& sphere) {
  std::map<int, double> sums;
  VisitSet(points, [&](int p) {
    for (const auto& [joint, weight] : samples.weights[p]) sums[joint] += weight;
  });
  std::vector<std::pair<int, double>> strongest(sums.begin(), sums.end());
  std::stable_sort(strongest.begin(), strongest.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Influences& influences = sphere.influences;
  influences.count = std::min(static_cast<int>(strongest.size()), BodySphere::kMaxInfluences);
  for (int i = 0; i < influences.count; ++i) {
    influences.joints[i] = strongest[i].first;
    influences.weights[i] = strongest[i].second;
  }
  Normalize(influences);
}

// Sphere, and number of points that no sphere before it covers.
struct Chosen {
  BodySphere sphere;
  int gain = 0;
};

// Chooses spheres until the piece is covered, each time the one that covers the most points not yet covered (greedy set
// cover). Gains only decrease, so only the sphere with the best last known gain needs to be counted again: if its gain
// is unchanged, it is the best.
std::vector<Chosen> CoverPiece(const Samples& samples, double slack, int max_spheres) {
  const std::vector<PointSet> covered = CoveredPoints(samples, slack);
  PointSet bare((samples.points.size() + 63) / 64, ~uint64_t{0});
  std::priority_queue<std::pair<int, int>> queue;  // (gain, minus the sphere's index)
  for (size_t i = 0; i < covered.size(); ++i) queue.emplace(CountBoth(covered[i], bare), -static_cast<int>(i));
  std::vector<Chosen> chosen;
  while (!queue.empty() && static_cast<int>(chosen.size()) < max_spheres) {
    const auto [known, negative] = queue.top();
    queue.pop();
    const PointSet& points = covered[-negative];
    const int gain = CountBoth(points, bare);
    if (known < kFewestPoints) break;
    if (gain < known) {
      queue.emplace(gain, negative);
      continue;
    }
    BodySphere sphere;
    sphere.centre_rest = samples.balls[-negative].centre;
    sphere.radius = samples.balls[-negative].radius + slack;
    // The flesh below a patch of skin, down to the centre of its sphere, is a cone.
    sphere.volume = gain * samples.area * samples.balls[-negative].radius / 3;
    SetInfluences(samples, points, sphere);
    if (sphere.influences.count > 0) chosen.push_back({sphere, gain});
    for (size_t i = 0; i < points.size(); ++i) bare[i] &= ~points[i];
  }
  return chosen;
}

// Keeps the spheres that cover most, as if they had been chosen from all pieces together: one piece must not use up the
// number. Those kept stay in their order.
std::vector<BodySphere> KeepBest(const std::vector<Chosen>& chosen, int max_spheres) {
  std::vector<int> order(chosen.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return chosen[a].gain > chosen[b].gain; });
  order.resize(std::min(order.size(), static_cast<size_t>(max_spheres)));
  std::sort(order.begin(), order.end());
  std::vector<BodySphere> spheres;
  for (const int i : order) spheres.push_back(chosen[i].sphere);
  return spheres;
}

}  // namespace

BodySpheres FindBodySpheres(const Character& character, const BodySphereOptions& options) {
  // Spacing of points in multiples of the slack: closer points would be covered by the same spheres.
  constexpr double kSpacing = 2;
  const DisplayedSkin skin = CollectSkin(character);
  BodySpheres body;
  if (skin.mesh.triangle_count() == 0) return body;
  body.size = BoundingBox(skin.mesh.positions).sizes().maxCoeff();
  if (!(body.size > 0)) return body;
  const double slack = options.slack * body.size;
  std::vector<Chosen> chosen;
  for (const Piece& piece : FindPieces(skin.mesh)) {
    const Samples samples = SamplePiece(skin, piece, kSpacing * slack, body.size);
    const std::vector<Chosen> of_piece = CoverPiece(samples, slack, options.max_spheres);
    chosen.insert(chosen.end(), of_piece.begin(), of_piece.end());
  }
  body.spheres = KeepBest(chosen, options.max_spheres);
  return body;
}

}  // namespace sinew::poses
