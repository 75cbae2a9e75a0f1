#include "sinew/offline/lod/simplify.h"

#include <map>
#include <set>

#include "sinew/offline/lod/simplifier_state.h"
#include "sinew/offline/mesh/disjoint_sets.h"

namespace sinew::lod {

Simplifier::Simplifier(const Surface& surface, SimplifyOptions options)
    : state_(std::make_unique<State>(surface, std::move(options))) {}
Simplifier::~Simplifier() = default;

int Simplifier::SimplifyTo(int points) {
  State& s = *state_;
  int before = s.points + 1;
  while (s.points > points && s.points < before) {
    before = s.points;
    while (s.points > points && !s.queue.empty()) {
      const Candidate candidate = s.queue.top();
      s.queue.pop();
      const int h = candidate.half_edge;
      if (!s.mesh.HasHalfEdge(h) || s.Canonical(h) != h || s.stamps[h] != candidate.stamp) continue;
      if (!s.TryCollapse(h)) s.refused.push_back(h);
    }
    if (s.points <= points) break;
    // Collapses that were refused may be allowed by now, since neighbours have changed.
    std::vector<int> again;
    again.swap(s.refused);
    for (const int h : again) {
      if (s.mesh.HasHalfEdge(h) && s.Canonical(h) == h) s.Push(h);
    }
  }
  return s.points;
}

int Simplifier::DropIslands(double smaller_than) {
  State& s = *state_;
  // Find the islands. Sheets that touch at a cut are one.
  DisjointSets islands(s.mesh.vertex_slots());
  for (int h = 0; h < s.mesh.half_edge_slots(); ++h) {
    if (s.Shown(h)) islands.Join(s.mesh.From(h), s.mesh.To(h));
  }
  std::vector<int> first(s.input_points, -1);
  for (int v = 0; v < s.mesh.vertex_slots(); ++v) {
    if (!s.mesh.HasVertex(v) || s.dropped[v]) continue;
    int& other = first[s.point_at_snapshot[v]];
    other < 0 ? void(other = v) : islands.Join(other, v);
  }
  // Measure them, and list those that are too small, smallest first.
  std::map<int, Eigen::AlignedBox3d> boxes;
  for (int v = 0; v < s.mesh.vertex_slots(); ++v) {
    if (s.mesh.HasVertex(v) && !s.dropped[v]) boxes[islands.Find(v)].extend(s.mesh.positions[v]);
  }
  std::map<int, std::vector<int>> triangles;
  for (int h = 0; h < s.mesh.half_edge_slots(); h += 3) {
    if (s.Shown(h)) triangles[islands.Find(s.mesh.From(h))].push_back(h / 3);
  }
  std::vector<std::pair<double, int>> order;
  for (const auto& [island, box] : boxes) {
    if (box.diagonal().norm() < smaller_than) order.emplace_back(box.diagonal().norm(), island);
  }
  std::sort(order.begin(), order.end());
  // Drop those that are not the last of a part; points on them are loose from now on.
  std::set<int> gone;
  for (const auto& [size, island] : order) {
    std::vector<int> left = s.triangles_left;
    for (const int t : triangles[island]) --left[s.part_of[t]];
    if (*std::min_element(left.begin(), left.end()) <= 0) continue;
    s.triangles_left = std::move(left);
    gone.insert(island);
    for (const int t : triangles[island]) s.tracker.VisitPoints(t, [&](int point) { s.loose.push_back(point); });
  }
  for (int v = 0; v < s.mesh.vertex_slots(); ++v) {
    if (!s.mesh.HasVertex(v) || s.dropped[v] || !gone.contains(islands.Find(v))) continue;
    s.dropped[v] = true;
    s.kinds[v] = VertexKind::kPinned;  // so that nothing collapses there any more
    --s.points;
  }
  return static_cast<int>(gone.size());
}

SimplifiedLevel Simplifier::Snapshot() {
  State& s = *state_;
  SimplifiedLevel level;
  Surface& surface = level.surface;
  // Number the points. Copies of a pinned one on several sheets are one again.
  std::vector<int> point_of(s.mesh.vertex_slots(), -1);
  std::vector<int> point_of_pinned(s.input_points, -1);
  for (int v = 0; v < s.mesh.vertex_slots(); ++v) {
    if (!s.mesh.HasVertex(v) || s.dropped[v]) continue;
    int& pinned = point_of_pinned[s.point_at_snapshot[v]];
    if (s.kinds[v] == VertexKind::kPinned && pinned >= 0) {
      point_of[v] = pinned;
      continue;
    }
    pinned = point_of[v] = surface.point_count();
    surface.positions.push_back(s.mesh.positions[v]);
    level.finest.push_back(s.sheets.point_of[v]);
  }
  s.AddTriangles(point_of, surface);
  level.upsampling = s.Operators(point_of, surface);
  s.input_points = surface.point_count();
  s.point_at_snapshot = std::move(point_of);
  s.snapshot_positions = surface.positions;
  s.loose.clear();
  s.StartTracking();
  return level;
}

}  // namespace sinew::lod
