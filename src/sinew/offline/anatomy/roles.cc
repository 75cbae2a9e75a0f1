#include "sinew/offline/anatomy/roles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/topology.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// Weight of the strongest joint below which a point counts as blended, and the largest share of blended points of a
// rigid piece.
constexpr double kWholly = 0.99, kBlended = 0.05;
// Share of a piece's area below which a back of the surface has to lie for it to be flesh.
constexpr double kEnclosing = 0.5;
// Share of a piece's area below which another piece has to lie for it to be a layer; how far below at most, as a share
// of the body's size; and the weights that the two have to have in common there, on average, to move together.
constexpr double kOver = 0.3, kLoose = 0.05, kMovesWith = 0.5;
// Thickness, as a share of the body's size, below which a piece is thin: 1 cm of a grown body.
constexpr double kThinnest = 0.006;
// Share of the volume of the largest piece of flesh below which a piece is too small to be flesh: teeth, buttons, eyes.
constexpr double kSmall = 0.002;
// Share of the area of all pieces that are neither rigid nor layers which pieces of flesh must have at least; otherwise
// the skin is in patches.
constexpr double kWhole = 0.5;
// Largest number of triangles of a piece that rays are shot from.
constexpr int kRaysPerPiece = 2000;

struct Named {
  const char* name;
  const char* meaning;
};
constexpr Named kNames[kRoles] = {
    {"flesh", "are simulated"},
    {"layer", "follow the flesh below and are kept outside it"},
    {"thin", "follow the nearest flesh, or their joints by skinning"},
    {"rigid", "follow their joints exactly"},
};

// Measures of one piece, from which its role follows.
struct Measured {
  double area = 0;
  double volume = 0;  // signed; only of closed pieces
  int blended = 0;    // number of points with blended weights
  bool moves = true;  // whether joints move all of it
  bool closed = false;
  std::optional<Role> given;
  // Shares of the area of the triangles that rays were shot from.
  double enclosed = 0;   // the back of a surface lies below
  double over = 0;       // the front of another piece lies below, near
  double common = 0;     // weights that it has in common with what it is over, on average
  double reversed = 0;   // nothing lies below, but the front of the same piece opposite
  double thickness = 0;  // median distance to the back, where there is one; in the surface's unit
};

class RoleFinder {
 public:
  RoleFinder(const Character& character, const RestSurface& surface) : character_(character), surface_(surface) {
    topology_ = AnalyzeTopology(surface.welded.triangles, surface.welded.vertex_count());
    roles_.pieces.resize(topology_.islands.size());
    measured_.resize(roles_.pieces.size());
    roles_.piece_of_triangle = topology_.island_of;
    CollectPieces();
  }

  Roles Find(const std::vector<GivenRole>& given) {
    TakeGiven(given);
    Shoot();
    for (size_t i = 0; i < roles_.pieces.size(); ++i) Decide(measured_[i], roles_.pieces[i]);
    LeaveOutSmall();
    JoinPatches();
    return std::move(roles_);
  }

 private:
  void CollectPieces() {
    const TriMesh& mesh = surface_.welded;
    roles_.piece_of_point.assign(mesh.vertex_count(), -1);
    std::map<std::pair<int, int>, int> triangles_in;  // number by piece and part
    const Vector3d centre = mesh.vertex_count() > 0
                                ? Vector3d(mesh.positions.cast<double>().colwise().mean().transpose())
                                : Vector3d::Zero();
    for (int t = 0; t < mesh.triangle_count(); ++t) {
      const int piece = roles_.piece_of_triangle[t];
      if (piece < 0) continue;
      Measured& measured = measured_[piece];
      const auto corners = Corners(mesh, t);
      measured.area += ShapeOf(corners).area;
      measured.volume += (corners[0] - centre).dot((corners[1] - centre).cross(corners[2] - centre)) / 6;
      ++triangles_in[{piece, surface_.PartTriangle(t)[0]}];
      ++roles_.pieces[piece].triangles;
      for (const int point : mesh.triangles.row(t)) roles_.piece_of_point[point] = piece;
    }
    for (int point = 0; point < mesh.vertex_count(); ++point) {
      const int piece = roles_.piece_of_point[point];
      if (piece < 0) continue;
      ++roles_.pieces[piece].points;
      const Influences& influences = InfluencesAt(point);
      const Part& part = character_.parts[surface_.part_of[surface_.welding.first_of[point]]];
      measured_[piece].moves &= influences.count > 0 && IsSkinned(character_, part);
      measured_[piece].blended += influences.count > 1 && influences.weights[0] < kWholly;
    }
    std::vector<int> most(roles_.pieces.size(), 0);
    for (const auto& [key, count] : triangles_in) {
      const auto [piece, part] = key;
      if (count <= most[piece]) continue;
      most[piece] = count;
      roles_.pieces[piece].part = part;
    }
    for (size_t i = 0; i < roles_.pieces.size(); ++i) {
      measured_[i].closed = topology_.islands[i].watertight();
      roles_.pieces[i].faces_inwards = measured_[i].closed && measured_[i].volume < 0;
    }
    size_ = mesh.vertex_count() > 0 ? BoundingBox(mesh.positions).sizes().maxCoeff() : 0;
  }

  void TakeGiven(const std::vector<GivenRole>& given) {
    for (const GivenRole& role : given) {
      const bool known = std::any_of(character_.parts.begin(), character_.parts.end(),
                                     [&](const Part& part) { return part.name == role.part; });
      if (known) continue;
      std::vector<std::string> names;
      for (const Part& part : character_.parts) names.push_back(part.name);
      throw UsageError(fmt::format("a role is given to part \"{}\", which the character lacks; it has {}", role.part,
                                   fmt::join(names, ", ")));
    }
    for (size_t i = 0; i < roles_.pieces.size(); ++i) {
      Piece& piece = roles_.pieces[i];
      const Part& part = character_.parts[piece.part];
      if (!part.role.empty()) {
        measured_[i].given = RoleInFile(part);
        piece.reason = "the file says so";
      }
      for (const GivenRole& role : given) {
        if (role.part != part.name) continue;
        measured_[i].given = role.role;
        piece.reason = "given";
      }
    }
  }

  Role RoleInFile(const Part& part) const {
    try {
      return RoleNamed(part.role);
    } catch (const UsageError& error) {
      throw InputError(character_.name, fmt::format("part {}", part.name), error.what(), "change its extras");
    }
  }

  // Weights of a welded point, those of its first vertex.
  const Influences& InfluencesAt(int point) const { return surface_.influences[surface_.welding.first_of[point]]; }

  bool IsStiff(const Piece& piece, const Measured& measured) const {
    return !measured.moves || measured.blended <= kBlended * piece.points;
  }

  // Outward normal of a triangle, turned over for pieces that face inwards; zero if it has no area.
  Vector3d NormalOf(int t) const {
    const auto corners = Corners(surface_.welded, t);
    const Vector3d normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    const double length = normal.norm();
    if (!(length > 0)) return Vector3d::Zero();
    return normal / (roles_.pieces[roles_.piece_of_triangle[t]].faces_inwards ? -length : length);
  }

  // Looks inwards from evenly chosen triangles of every piece whose role is not known yet.
  void Shoot() {
    if (surface_.welded.triangle_count() == 0 || !surface_.bad_vertices.empty()) return;
    const SurfaceQuery query(surface_.welded);
    std::vector<std::vector<int>> triangles(roles_.pieces.size());
    for (int t = 0; t < surface_.welded.triangle_count(); ++t) {
      if (roles_.piece_of_triangle[t] >= 0) triangles[roles_.piece_of_triangle[t]].push_back(t);
    }
    // Open pieces that are inside out are turned over before what lies below anything is asked.
    for (size_t i = 0; i < triangles.size(); ++i) {
      if (measured_[i].closed || !measured_[i].moves) continue;
      ShootFrom(query, triangles[i], measured_[i]);
      roles_.pieces[i].faces_inwards = measured_[i].reversed >= kEnclosing;
    }
    for (size_t i = 0; i < triangles.size(); ++i) {
      if (!measured_[i].given && !IsStiff(roles_.pieces[i], measured_[i])) ShootFrom(query, triangles[i], measured_[i]);
    }
  }

  void ShootFrom(const SurfaceQuery& query, const std::vector<int>& triangles, Measured& measured) const {
    const size_t count = std::min<size_t>(triangles.size(), kRaysPerPiece);
    double area = 0, enclosed = 0, over = 0, common = 0, reversed = 0;
    std::vector<double> depths;
    for (size_t i = 0; i < count; ++i) {
      const int t = triangles[i * triangles.size() / count];
      const Vector3d inwards = -NormalOf(t);
      if (inwards.isZero()) continue;
      const double own_area = ShapeOf(Corners(surface_.welded, t)).area;
      area += own_area;
      const Sight sight = Look(query, t, inwards);
      if (sight.depth > 0) {
        enclosed += own_area;
        depths.push_back(sight.depth);
      }
      if (sight.nothing && SeesOwnFront(query, t, -inwards)) reversed += own_area;
      if (sight.below < 0) continue;
      over += own_area;
      common += own_area * CommonWeight(InfluencesAt(surface_.welded.triangles(t, 0)), InfluencesAt(sight.below));
    }
    if (!(area > 0)) return;
    measured.enclosed = enclosed / area;
    measured.over = over / area;
    measured.reversed = reversed / area;
    measured.common = over > 0 ? common / over : 0;
    if (depths.empty()) return;
    std::nth_element(depths.begin(), depths.begin() + static_cast<std::ptrdiff_t>(depths.size() / 2), depths.end());
    measured.thickness = depths[depths.size() / 2];
  }

  // Result of looking inwards from a triangle.
  struct Sight {
    double depth = 0;  // distance to the back of a surface if that is seen first; 0 if not
    int below = -1;    // point of another piece whose front is seen near; -1 if there is none
    bool nothing = false;
  };
  Sight Look(const SurfaceQuery& query, int t, const Vector3d& inwards) const {
    const Vector3f direction = inwards.cast<float>();
    Sight sight;
    float near = Step();
    // At most two surfaces: the other side of cloth or of a padded vest is looked through.
    for (int seen = 0; seen < 2; ++seen) {
      const auto hit = query.Shoot(CentreOf(t), direction, near);
      if (!hit) sight.nothing = seen == 0;
      if (!hit || roles_.piece_of_triangle[hit->triangle] < 0) return sight;
      const bool other = roles_.piece_of_triangle[hit->triangle] != roles_.piece_of_triangle[t];
      const bool back = NormalOf(hit->triangle).dot(inwards) > 0;
      if (back && seen == 0) sight.depth = hit->distance;
      if (other && !back && hit->distance <= kLoose * size_) sight.below = surface_.welded.triangles(hit->triangle, 0);
      if (!back || hit->distance > (other ? kThinnest : kLoose) * size_) return sight;
      near = static_cast<float>(hit->distance) + Step();
    }
    return sight;
  }

  bool SeesOwnFront(const SurfaceQuery& query, int t, const Vector3d& outwards) const {
    const auto hit = query.Shoot(CentreOf(t), outwards.cast<float>(), Step());
    return hit && roles_.piece_of_triangle[hit->triangle] == roles_.piece_of_triangle[t] &&
           NormalOf(hit->triangle).dot(outwards) < 0;
  }

  Vector3f CentreOf(int t) const {
    const auto corners = Corners(surface_.welded, t);
    return ((corners[0] + corners[1] + corners[2]) / 3).cast<float>();
  }
  // Distance along a ray at which it has left the triangle that it starts on.
  float Step() const { return static_cast<float>(1e-5 * size_); }

  void Decide(const Measured& measured, Piece& piece) const {
    const auto is = [&](Role role, std::string reason) {
      piece.role = role;
      piece.reason = std::move(reason);
    };
    if (measured.given) {
      piece.role = *measured.given;
      return;
    }
    if (!measured.moves) return is(Role::kRigid, "it moves as one, with a joint or not at all");
    if (IsStiff(piece, measured)) {
      return is(Role::kRigid,
                fmt::format("{:.0f}% of its points have blended weights", Percent(measured.blended, piece.points)));
    }
    if (measured.over >= kOver && measured.common >= kMovesWith) {
      return is(Role::kLayer,
                fmt::format("another surface that moves with it lies below {:.0f}% of it", 100 * measured.over));
    }
    if (measured.enclosed < kEnclosing) {
      return is(Role::kThin, fmt::format("it encloses nothing: {:.0f}% of it has a back", 100 * measured.enclosed));
    }
    if (measured.thickness < kThinnest * size_) {
      return is(Role::kThin,
                fmt::format("its thickness is {:.2g}% of the body's size", 100 * measured.thickness / size_));
    }
    is(Role::kFlesh, fmt::format("it encloses a volume: {:.0f}% of it has a back", 100 * measured.enclosed));
  }

  static double Percent(int some, int all) { return all > 0 ? 100.0 * some / all : 0; }

  // Volume that a piece encloses, roughly: its area times half of its thickness.
  static double VolumeOf(const Measured& measured) { return 0.5 * measured.area * measured.thickness; }

  void LeaveOutSmall() {
    double largest = 0;
    for (size_t i = 0; i < roles_.pieces.size(); ++i) {
      if (roles_.pieces[i].role == Role::kFlesh) largest = std::max(largest, VolumeOf(measured_[i]));
    }
    for (size_t i = 0; i < roles_.pieces.size(); ++i) {
      if (roles_.pieces[i].role != Role::kFlesh || measured_[i].given) continue;
      if (VolumeOf(measured_[i]) >= kSmall * largest) continue;
      roles_.pieces[i].role = Role::kThin;
      roles_.pieces[i].reason = "it is too small to be flesh";
    }
  }

  // If flesh is less than half of what is neither rigid nor a layer, nor given, the skin is in patches.
  void JoinPatches() {
    double flesh = 0, soft = 0;
    for (size_t i = 0; i < roles_.pieces.size(); ++i) {
      const Role role = roles_.pieces[i].role;
      if (measured_[i].given) {
        if (role == Role::kFlesh) return;
        continue;
      }
      if (role == Role::kFlesh) flesh += measured_[i].area;
      if (role == Role::kFlesh || role == Role::kThin) soft += measured_[i].area;
    }
    if (flesh >= kWhole * soft || !Encloses()) return;
    roles_.patches = true;
    for (size_t i = 0; i < roles_.pieces.size(); ++i) {
      if (roles_.pieces[i].role != Role::kThin || measured_[i].given) continue;
      roles_.pieces[i].role = Role::kFlesh;
      roles_.pieces[i].reason = "it is a patch of a skin that only all patches together close";
    }
  }

  // Whether thin pieces and flesh together enclose something: most of their area has a thick back.
  bool Encloses() const {
    double area = 0, enclosed = 0;
    for (size_t i = 0; i < roles_.pieces.size(); ++i) {
      const Role role = roles_.pieces[i].role;
      if (measured_[i].given || (role != Role::kFlesh && role != Role::kThin)) continue;
      area += measured_[i].area;
      if (measured_[i].thickness >= kThinnest * size_) enclosed += measured_[i].enclosed * measured_[i].area;
    }
    return enclosed >= kEnclosing * area && area > 0;
  }

  const Character& character_;
  const RestSurface& surface_;
  Topology topology_;
  Roles roles_;
  std::vector<Measured> measured_;  // one per piece
  double size_ = 0;                 // longest side of the surface's bounding box
};

// Removes blanks at both ends.
std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

const char* NameOf(Role role) { return kNames[static_cast<int>(role)].name; }
const char* WhatItMeans(Role role) { return kNames[static_cast<int>(role)].meaning; }

Role RoleNamed(std::string_view name) {
  std::string names;
  for (int r = 0; r < kRoles; ++r) {
    if (name == kNames[r].name) return static_cast<Role>(r);
    names += fmt::format("{}{}", r == 0 ? "" : ", ", kNames[r].name);
  }
  throw UsageError(fmt::format("there is no role '{}'; choose one of {}", name, names));
}

std::vector<GivenRole> ParseRoles(std::string_view text) {
  std::vector<GivenRole> roles;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(",\n"), text.size());
    const std::string_view entry = Trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (entry.empty()) continue;
    // Names of parts may contain '='.
    const size_t equals = entry.rfind('=');
    if (equals == std::string_view::npos || Trimmed(entry.substr(0, equals)).empty()) {
      throw UsageError(fmt::format("'{}' gives no role to a part; write PART=ROLE, such as Hair=thin", entry));
    }
    roles.push_back({std::string(Trimmed(entry.substr(0, equals))), RoleNamed(Trimmed(entry.substr(equals + 1)))});
  }
  return roles;
}

std::string TextOf(const std::vector<GivenRole>& given) {
  std::string text;
  for (const GivenRole& role : given) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", role.part, NameOf(role.role));
  }
  return text;
}

Role Roles::OfPoint(int point) const {
  const int piece = piece_of_point[point];
  return piece < 0 ? Role::kRigid : pieces[piece].role;
}

bool Roles::Has(Role role) const {
  return std::any_of(pieces.begin(), pieces.end(), [&](const Piece& piece) { return piece.role == role; });
}

double Roles::Share(Role role) const {
  int with = 0, all = 0;
  for (const Piece& piece : pieces) {
    all += piece.points;
    if (piece.role == role) with += piece.points;
  }
  return all > 0 ? static_cast<double>(with) / all : 0;
}

Roles FindRoles(const Character& character, const RestSurface& surface, const std::vector<GivenRole>& given) {
  return RoleFinder(character, surface).Find(given);
}

}  // namespace sinew
