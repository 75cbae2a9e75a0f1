#include "sinew/offline/bodies/put_on.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <utility>
#include <vector>

#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/bodies/fit_garment.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/io/gltf/adopt_materials.h"
#include "sinew/offline/lod/level_character.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::bodies {
namespace {

using Eigen::Affine3d;

// Shares of the body's longest side: distance of joints up to which a garment was made for the body; distance from the
// skin that fitted garments keep; depth below the skin up to which they are moved out of it.
constexpr double kFits = 0.003, kGap = 0.003, kDeepest = 0.1;

void Transform(const Affine3d& by, Points& points) {
  for (Eigen::Index p = 0; p < points.rows(); ++p) {
    points.row(p) = (by * points.row(p).transpose().cast<double>()).transpose().cast<float>();
  }
}

// A body and a garment, both in model space and the bind pose, and the pairs of their joints.
class Wardrobe {
 public:
  Wardrobe(const Character& body, const std::string& body_file, const Character& garment,
           const std::string& garment_file)
      : body_(body), garment_(garment), skin_(CollectRestSurface(body)), cloth_(CollectRestSurface(garment)) {
    RefuseBadPositions(body, skin_, body_file);
    RefuseBadPositions(garment, cloth_, garment_file);
    if (skin_.placement.main_skin < 0 || skin_.welded.triangle_count() == 0) {
      throw InputError(body_file, "", "has no skin that a garment could be put on", "give a rigged character");
    }
    if (cloth_.welded.triangle_count() == 0) {
      throw InputError(garment_file, "", "has no triangles", "give the mesh of a garment");
    }
    Transform(skin_.placement.model_from_bind, skin_.welded.positions);
    Transform(cloth_.placement.model_from_bind, cloth_.mesh.positions);
    PairJoints();
    FindMoving();
    RefuseMissing(body_file, garment_file);
    Fit();
    TakeWeights();
  }

  // Appends the garment's parts to the body.
  Character Dressed() const {
    Character dressed = body_;
    const std::vector<int> materials = gltf::AdoptMaterials(garment_, dressed);
    for (size_t i = 0; i < cloth_.parts.size(); ++i) {
      Part part = MakePart(static_cast<int>(i));
      const int material = garment_.parts[cloth_.parts[i]].material;
      part.material = material >= 0 && material < static_cast<int>(materials.size()) ? materials[material] : -1;
      dressed.parts.push_back(std::move(part));
    }
    return dressed;
  }

 private:
  void PairJoints() {
    const auto place = [](const RestPlacement& placement, int j) {
      return Eigen::Vector3d((placement.model_from_bind * placement.bind_from_joint[j]).translation());
    };
    for (int j = 0; j < garment_.skeleton.joint_count(); ++j) {
      const Joint& joint = garment_.skeleton.joints[j];
      const int other = body_.skeleton.Find(joint.name);
      joints_.parent.push_back(joint.parent);
      joints_.of_body.push_back(other);
      joints_.garment.push_back(place(cloth_.placement, j));
      joints_.body.push_back(other >= 0 ? place(skin_.placement, other) : joints_.garment.back());
    }
  }

  void FindMoving() {
    moves_.assign(joints_.parent.size(), false);
    for (const Influences& influences : cloth_.influences) {
      for (int i = 0; i < influences.count; ++i) moves_[influences.joints[i]] = true;
    }
  }

  void RefuseMissing(const std::string& body_file, const std::string& garment_file) const {
    std::vector<std::string> missing;
    const std::vector<bool>& bound = body_.skins[skin_.placement.main_skin].has_joint;
    for (size_t j = 0; j < moves_.size(); ++j) {
      const int other = joints_.of_body[j];
      if (moves_[j] && (other < 0 || !bound[other])) missing.push_back(garment_.skeleton.joints[j].name);
    }
    if (missing.empty()) return;
    throw InputError(garment_file, "",
                     fmt::format("is moved by {} joints that the skin of {} does not have: {}", missing.size(),
                                 body_file, fmt::join(missing, ", ")),
                     "rig the garment with the body's joints, or give it no weights");
  }

  void Fit() {
    const double size = BoundingBox(skin_.welded.positions).sizes().maxCoeff();
    fitted_ = LargestGap(joints_, moves_) > kFits * size;
    if (!fitted_) return;
    CarryByJoints(joints_, cloth_.influences, cloth_.mesh.positions);
    // Seams stay closed: points are moved, and vertices follow.
    for (int p = 0; p < cloth_.welding.welded_count(); ++p) {
      cloth_.welded.positions.row(p) = cloth_.mesh.positions.row(cloth_.welding.first_of[p]);
    }
    PushOutOf(skin_.welded, kGap * size, kDeepest * size, cloth_.welded);
    for (int v = 0; v < cloth_.mesh.vertex_count(); ++v) {
      cloth_.mesh.positions.row(v) = cloth_.welded.positions.row(cloth_.welding.welded_of[v]);
    }
  }

  // Turns influences into those of the body's joints; vertices without any get those of the skin next to them.
  void TakeWeights() {
    const SurfaceQuery query(skin_.welded);
    const std::vector<bool>& bound = body_.skins[skin_.placement.main_skin].has_joint;
    for (int v = 0; v < cloth_.mesh.vertex_count(); ++v) {
      Influences& influences = cloth_.influences[v];
      for (int i = 0; i < influences.count; ++i) influences.joints[i] = joints_.of_body[influences.joints[i]];
      if (influences.count > 0) continue;
      const auto nearest = query.Closest(cloth_.mesh.positions.row(v).transpose());
      Eigen::VectorXd row = Eigen::VectorXd::Zero(body_.skeleton.joint_count());
      for (int k = 0; nearest && k < 3; ++k) {
        const int corner = skin_.welding.first_of[skin_.welded.triangles(nearest->triangle, k)];
        const Influences& below = skin_.influences[corner];
        for (int i = 0; i < below.count; ++i) row[below.joints[i]] += nearest->barycentric[k] * below.weights[i];
      }
      for (const auto& [joint, weight] : lod::ToInfluences(row, kNewInfluences, bound)) {
        influences.joints[influences.count] = joint;
        influences.weights[influences.count++] = weight;
      }
    }
  }

  Part MakePart(int index) const {
    const int first = cloth_.first_vertex[index], count = cloth_.first_vertex[index + 1] - first;
    Part part = garment_.parts[cloth_.parts[index]];
    const Affine3d bind_from_model = skin_.placement.model_from_bind.inverse();
    // Directions turn with the mesh data, up to its scale; a fitted garment has other ones.
    const Eigen::Matrix3d turn = bind_from_model.linear() * cloth_.placement.ModelFromMesh(part).linear();
    part.mesh.positions = cloth_.mesh.positions.middleRows(first, count);
    Transform(bind_from_model, part.mesh.positions);
    TurnDirections(turn, first, part);
    part.weights = WeightsOf(first, count);
    part.name = FreeName(part.name);
    part.skin = skin_.placement.main_skin;
    part.role = NameOf(Role::kLayer);
    part.source_mesh = part.source_primitive = part.source_node = -1;
    part.weight_repairs = {};
    part.model_from_mesh.setIdentity();
    return part;
  }

  void TurnDirections(const Eigen::Matrix3d& turn, int first, Part& part) const {
    const Eigen::Matrix3d for_normals = turn.inverse().transpose();
    const Points fitted = fitted_ ? FittedNormals() : Points();
    for (Eigen::Index v = 0; v < part.normals.rows(); ++v) {
      part.normals.row(v) = fitted_ ? Eigen::RowVector3f(fitted.row(cloth_.welding.welded_of[first + v]))
                                    : Eigen::RowVector3f(part.normals.row(v) * for_normals.transpose().cast<float>());
      part.normals.row(v).stableNormalize();
    }
    if (fitted_) part.tangents.resize(0, 4);
    for (Eigen::Index v = 0; v < part.tangents.rows(); ++v) {
      auto tangent = part.tangents.row(v).head<3>();
      tangent = (tangent * turn.transpose().cast<float>()).eval().stableNormalized();
    }
    for (MorphTarget& morph : part.morphs) {
      morph.positions = (morph.positions * turn.transpose().cast<float>()).eval();
    }
  }

  // Normals of the fitted garment in bind space of the body, one per welded point.
  Points FittedNormals() const {
    TriMesh mesh = cloth_.welded;
    Transform(skin_.placement.model_from_bind.inverse(), mesh.positions);
    return VertexNormals(mesh);
  }

  SkinWeights WeightsOf(int first, int count) const {
    SkinWeights weights;
    weights.influences = kNewInfluences;
    for (int v = 0; v < count; ++v)
      weights.influences = std::max(weights.influences, cloth_.influences[first + v].count);
    weights.joints.assign(static_cast<size_t>(count) * weights.influences, 0);
    weights.weights.assign(weights.joints.size(), 0);
    for (int v = 0; v < count; ++v) {
      const Influences& influences = cloth_.influences[first + v];
      for (int i = 0; i < influences.count; ++i) {
        const size_t slot = static_cast<size_t>(v) * weights.influences + i;
        weights.joints[slot] = static_cast<uint16_t>(influences.joints[i]);
        weights.weights[slot] = static_cast<float>(influences.weights[i]);
      }
    }
    return weights;
  }

  // Parts are told apart by their names: a part called as one of the body's is called after its garment.
  std::string FreeName(const std::string& own) const {
    const auto taken = [&](const std::string& name) {
      const auto is_called = [&](const Part& part) { return part.name == name; };
      return name.empty() || std::any_of(body_.parts.begin(), body_.parts.end(), is_called);
    };
    if (!taken(own)) return own;
    std::string name = garment_.name;
    for (int i = 2; taken(name); ++i) name = fmt::format("{} {}", garment_.name, i);
    return name;
  }

  static constexpr int kNewInfluences = 4;  // least number of slots per vertex

  const Character &body_, &garment_;
  RestSurface skin_, cloth_;  // welded points of the body and vertices of the garment are in model space
  JointPairs joints_;
  std::vector<bool> moves_;  // one per joint of the garment: whether it moves a vertex
  bool fitted_ = false;
};

}  // namespace

Character PutOn(const Character& body, const std::string& body_file, const Character& garment,
                const std::string& garment_file) {
  return Wardrobe(body, body_file, garment, garment_file).Dressed();
}

}  // namespace sinew::bodies
