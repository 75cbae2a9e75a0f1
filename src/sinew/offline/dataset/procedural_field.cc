#include "sinew/offline/dataset/procedural_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/character/bind_pose.h"
#include "sinew/offline/character/carriers.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::dataset {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector3f;

// One scale of waves (fold, wrinkle, fine). wavelength: share of the body's size, limited to reach_share of the joint's
// reach, so that fingers have folds too, but never below the finest wavelength. amplitude: share of the wavelength.
struct Scale {
  double wavelength, reach_share, amplitude;
};
constexpr int kScales = 3;
constexpr std::array<Scale, kScales> kScale = {{{0.05, 0.6, 0.09}, {0.022, 0.3, 0.12}, {0.0105, 0.15, 0.16}}};
constexpr double kBulge = 0.035;  // share of the bone's length
constexpr double kSlide = 0.035;  // share of the joint's reach
constexpr int kGrain = 512;       // vertices per task

// Kernel of compact support, twice differentiable, so that the edge of a joint's influence is invisible.
double Kernel(double distance, double radius) {
  const double r = distance / radius;
  return r >= 1 ? 0 : std::pow(1 - r * r, 3);
}

// Flatter kernel for waves, which cover the surroundings of a joint evenly; once differentiable.
double WaveKernel(double distance, double radius) {
  const double r = distance / radius;
  return r >= 1 ? 0 : std::pow(1 - r * r, 2);
}

double SmoothStep(double s) { return s * s * (3 - 2 * s); }

// Smooth version of max(h, 0): nearly h where h is positive, slightly below 0 where it is negative, 0 at 0.
float Positive(float h) {
  constexpr float kRound = 0.3f;
  return 0.5f * (h + std::sqrt(h * h + kRound * kRound) - kRound);
}

// Unit vector from the axis through `centre` to x; its length falls to 0 near the axis, where it has no direction.
Vector3d Away(const Vector3d& x, const Vector3d& centre, const Vector3d& axis, double round) {
  const Vector3d from = x - centre, across = from - from.dot(axis) * axis;
  return across / std::sqrt(across.squaredNorm() + round * round);
}

// Geometry around one joint at rest, in mesh data space.
struct JointPlace {
  int joint = -1, parent = -1;
  // Position of the joint, and unit directions: of the parent's bone, of its own bone, between the two, and across
  // them.
  Vector3d at, in, out, middle, side;
  Quaterniond orientation;
  double length_in = 0, length_out = 0, reach = 0;  // lengths of the two bones, radius of influence
};

// Rotation of one joint as the features m, tau and c of the header, in mesh data space.
struct Activation {
  Vector3f m = Vector3f::Zero();
  float tau = 0, c = 0;
  float slide_cos = 1, slide_sin = 0;  // phase shift of the waves, which move a little as the joint bends
};

Activation Activate(const JointPlace& place, const Quaterniond& delta) {
  const Vector3d v = place.orientation * delta.vec();
  const double w = delta.w();
  const Vector3d turned = v.cross(place.out);
  Activation a;
  a.m = (2 * w * turned + 2 * v.cross(turned)).cast<float>();
  a.tau = static_cast<float>(2 * w * v.dot(place.out));
  a.c = static_cast<float>(2 * v.squaredNorm());
  const double phase = 0.7 * a.c;
  a.slide_cos = static_cast<float>(std::cos(phase)), a.slide_sin = static_cast<float>(std::sin(phase));
  return a;
}

struct Wave {
  float cos = 0, sin = 0;  // amplitude times cosine and sine of the phase
};

// Influence of one joint on one vertex, independent of the pose.
struct Influence {
  int place = 0;  // index of the JointPlace
  float bulge_in = 0, bulge_out = 0, slide = 0;
  // Directions away from the parent's bone, the joint's bone and the axis between them; and around that axis.
  Vector3f away_in, away_out, away, around;
  std::array<Wave, kScales> across;                   // waves of a bend
  std::array<std::array<Wave, 2>, kScales> diagonal;  // waves of a twist, one way and the other
};

class PlaceFinder {
 public:
  PlaceFinder(const Character& character, int skin, const std::vector<bool>& fleshed)
      : skeleton_(BindSkeleton(character, skin)), body_(MeasureRest(skeleton_)), fleshed_(fleshed) {}

  double size() const { return body_.Size(); }

  std::vector<JointPlace> Run() const {
    std::vector<JointPlace> places;
    for (int j = 0; j < body_.joint_count(); ++j) {
      const int parent = body_.parents[j];
      // A joint whose parent moves no flesh rotates the whole body and bends nothing.
      if (parent >= 0 && fleshed_[j] && fleshed_[parent]) places.push_back(PlaceOf(j, parent));
    }
    return places;
  }

 private:
  JointPlace PlaceOf(int j, int parent) const {
    JointPlace place;
    place.joint = j, place.parent = parent;
    place.at = body_.positions[j];
    place.orientation = body_.orientations[j];
    place.out = body_.bones[j];
    const Vector3d in = place.at - body_.positions[parent];
    const bool apart = in.norm() > 1e-3 * size();
    place.in = apart ? Vector3d(in.normalized()) : place.out;
    place.length_in = apart ? in.norm() : 0.05 * size();
    place.length_out = body_.lengths[j] > 0 ? body_.lengths[j] : 0.5 * place.length_in;
    place.reach = std::clamp(0.5 * (place.length_in + place.length_out), 0.01 * size(), 0.2 * size());
    const Vector3d middle = place.in + place.out;
    place.middle = middle.norm() > 0.2 ? Vector3d(middle.normalized()) : place.out;
    place.side = AnyAcross(place.middle);
    return place;
  }

  static Vector3d AnyAcross(const Vector3d& axis) {
    int least = 0;
    axis.cwiseAbs().minCoeff(&least);
    return axis.cross(Vector3d::Unit(least)).normalized();
  }

  Skeleton skeleton_;
  RestBody body_;
  const std::vector<bool>& fleshed_;
};

Wave MakeWave(const JointPlace& place, const Vector3d& x, const Vector3d& direction, double wavelength,
              double amplitude) {
  const Vector3d from = x - place.at;
  const double k = 2 * std::numbers::pi / wavelength;
  // The sine bends the wave fronts: straight lines look artificial.
  const double phase = k * from.dot(direction) + 1.2 * std::sin(k / 3.3 * from.dot(place.side));
  return {static_cast<float>(amplitude * std::cos(phase)), static_cast<float>(amplitude * std::sin(phase))};
}

class InfluenceMaker {
 public:
  InfluenceMaker(const ProceduralOptions& options, double size) : options_(options), size_(size) {}

  // Computes the influence of a joint on the vertex at x; returns false if the joint is too far away. share: sum of the
  // vertex's skinning weights for the joint and its parent.
  bool Make(const JointPlace& place, const Vector3d& x, double share, Influence& out) const {
    const double mask = SmoothStep(std::clamp(share, 0.0, 1.0));
    const double round = 0.1 * place.reach;
    const Vector3d muscle_in = place.at - 0.5 * place.length_in * place.in;
    const Vector3d muscle_out = place.at + 0.4 * place.length_out * place.out;
    const double near_in = mask * Kernel((x - muscle_in).norm(), 0.75 * place.length_in);
    const double near_out = mask * Kernel((x - muscle_out).norm(), 0.7 * place.length_out);
    const double near = mask * Kernel((x - place.at).norm(), 0.9 * place.reach);
    const double waves = mask * WaveKernel((x - place.at).norm(), 1.2 * place.reach);
    if (near_in + near_out + near + waves == 0) return false;
    out.bulge_in = static_cast<float>(options_.bulge * kBulge * place.length_in * near_in);
    out.bulge_out = static_cast<float>(options_.bulge * 0.5 * kBulge * place.length_out * near_out);
    out.slide = static_cast<float>(options_.slide * kSlide * place.reach * near);
    const Vector3d away = Away(x, place.at, place.middle, round);
    out.away_in = Away(x, muscle_in, place.in, round).cast<float>();
    out.away_out = Away(x, muscle_out, place.out, round).cast<float>();
    out.away = away.cast<float>();
    out.around = place.middle.cross(away).cast<float>();
    MakeWaves(place, x, waves, out);
    return true;
  }

 private:
  void MakeWaves(const JointPlace& place, const Vector3d& x, double near, Influence& out) const {
    const std::array<double, kScales> strengths = {options_.fold, options_.wrinkle, options_.fine};
    const Vector3d one = (place.middle + 0.8 * place.side).normalized();
    const Vector3d other = (place.middle - 0.8 * place.side).normalized();
    for (int s = 0; s < kScales; ++s) {
      const double finest = kScale[kScales - 1].wavelength * size_;
      const double wavelength =
          std::max(finest, std::min(kScale[s].wavelength * size_, kScale[s].reach_share * place.reach));
      const double amplitude = strengths[s] * kScale[s].amplitude * wavelength * near;
      out.across[s] = MakeWave(place, x, place.middle, wavelength, amplitude);
      out.diagonal[s] = {MakeWave(place, x, one, wavelength, amplitude),
                         MakeWave(place, x, other, wavelength, amplitude)};
    }
  }

  const ProceduralOptions& options_;
  const double size_;
};

float Evaluate(const Wave& wave, const Activation& a) { return wave.cos * a.slide_cos - wave.sin * a.slide_sin; }

// Saturating function: approaches 1 for large h, with zero slope at 0.
float Saturated(float h) { return h * h / (1 + h * h); }

Vector3f Displacement(const Influence& i, const Activation& a) {
  const float bend_in = i.away_in.dot(a.m), bend_out = i.away_out.dot(a.m), bend = i.away.dot(a.m);
  Vector3f u = i.bulge_in * (0.35f * a.c + 0.65f * Positive(bend_in)) * i.away_in;
  u += i.bulge_out * (0.6f * Positive(bend_out) + 0.5f * a.tau * a.tau) * i.away_out;
  u += i.slide * 0.6f * a.tau * i.around;
  // Skin is compressed on the inside of the bend, and a little on the outside, where it is stretched.
  const float compressed = Saturated(2 * Positive(bend)) + 0.25f * Saturated(2 * Positive(-bend));
  const float one_way = Saturated(2 * Positive(a.tau)), other_way = Saturated(2 * Positive(-a.tau));
  float height = 0;
  for (int s = 0; s < kScales; ++s) {
    height += compressed * Evaluate(i.across[s], a) + one_way * Evaluate(i.diagonal[s][0], a) +
              other_way * Evaluate(i.diagonal[s][1], a);
  }
  return u + height * i.away;
}

}  // namespace

struct ProceduralField::State {
  const Character& character;
  ProceduralOptions options;
  Articulation articulation;
  std::vector<std::vector<JointPlace>> places;  // one list per skin
  struct Field {
    std::vector<Influence> influences;
    std::vector<int> first;  // index of each vertex's first influence, and the end: one per vertex, plus one
  };
  std::vector<Field> fields;  // one per part; empty for parts that the field does not displace

  double ShareOf(const SkinWeights& weights, int v, const JointPlace& place) const {
    double share = 0;
    for (int k = v * weights.influences; k < (v + 1) * weights.influences; ++k) {
      if (weights.joints[k] == place.joint || weights.joints[k] == place.parent) share += weights.weights[k];
    }
    return share;
  }

  Field MakeField(const Part& part, double size) const {
    const int count = part.mesh.vertex_count();
    std::vector<std::vector<Influence>> rows(count);
    const InfluenceMaker maker(options, size);
    const std::vector<JointPlace>& all = places[part.skin];
    ParallelFor(count, kGrain, [&](int v) {
      const Vector3d x = part.mesh.positions.row(v).transpose().cast<double>();
      for (size_t p = 0; p < all.size(); ++p) {
        const double share = ShareOf(part.weights, v, all[p]);
        Influence influence;
        influence.place = static_cast<int>(p);
        if (share > 0 && maker.Make(all[p], x, share, influence)) rows[v].push_back(influence);
      }
    });
    Field field;
    field.first.push_back(0);
    for (const std::vector<Influence>& row : rows) {
      field.influences.insert(field.influences.end(), row.begin(), row.end());
      field.first.push_back(static_cast<int>(field.influences.size()));
    }
    return field;
  }

  // Sums the displacements of all joints at vertex v. The direction of the slide along the bone is the same for all
  // vertices of a joint, and so is not stored with every influence.
  Vector3f Sum(const Field& field, int v, const std::vector<JointPlace>& all,
               const std::vector<Activation>& active) const {
    Vector3f u = Vector3f::Zero();
    for (int k = field.first[v]; k < field.first[v + 1]; ++k) {
      const Influence& i = field.influences[k];
      const Activation& a = active[i.place];
      u += Displacement(i, a) - i.slide * i.away.dot(a.m) * all[i.place].middle.cast<float>();
    }
    return u;
  }
};

ProceduralField::ProceduralField(const Character& character, const ProceduralOptions& options)
    : state_(std::make_unique<State>(State{character, options, Articulation(character.skeleton), {}, {}})) {
  const std::vector<bool> fleshed = JointsThatMoveVertices(character);
  std::vector<double> sizes;
  for (size_t s = 0; s < character.skins.size(); ++s) {
    const PlaceFinder finder(character, static_cast<int>(s), fleshed);
    sizes.push_back(finder.size());
    state_->places.push_back(finder.Run());
  }
  for (const Part& part : character.parts) {
    const bool soft = part.skin >= 0 && !part.weights.empty() && !character.skins[part.skin].attached;
    state_->fields.push_back(soft ? state_->MakeField(part, sizes[part.skin]) : State::Field());
  }
}

ProceduralField::~ProceduralField() = default;

std::vector<Points> ProceduralField::Displacements(const Pose& pose) const {
  const std::vector<Quaterniond> deltas = state_->articulation.Deltas(pose);
  std::vector<std::vector<Activation>> active;
  for (const std::vector<JointPlace>& places : state_->places) {
    std::vector<Activation>& of_skin = active.emplace_back();
    for (const JointPlace& place : places) of_skin.push_back(Activate(place, deltas[place.joint]));
  }
  std::vector<Points> displacements;
  for (size_t p = 0; p < state_->fields.size(); ++p) {
    const Part& part = state_->character.parts[p];
    const State::Field& field = state_->fields[p];
    Points& u = displacements.emplace_back(Points::Zero(part.mesh.vertex_count(), 3));
    if (field.first.empty()) continue;
    ParallelFor(part.mesh.vertex_count(), kGrain, [&](int v) {
      u.row(v) = state_->Sum(field, v, state_->places[part.skin], active[part.skin]).transpose();
    });
  }
  return displacements;
}

}  // namespace sinew::dataset
