#include "sinew/offline/io/gltf/skins.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/disjoint_sets.h"

namespace sinew::gltf {
namespace {

std::vector<std::vector<int>> ReadSkinJoints(const SourceDocument& document) {
  std::vector<std::vector<int>> joints;
  for (int s = 0; s < Count(document, "skins"); ++s) {
    const Object skin = Item(document, "skins", s);
    joints.push_back(skin.Indices("joints", "nodes"));
    if (joints.back().empty()) skin.Fail("has no joints");
    std::unordered_set<int> seen;
    for (const int joint : joints.back()) {
      if (!seen.insert(joint).second) skin.Fail(fmt::format("names node {} twice as a joint", joint));
    }
  }
  return joints;
}

// Groups the skins that share a skeleton: they have a joint in common, a joint of one is above a joint of the other, or
// they name the same 'skeleton' node.
DisjointSets GroupSkins(const SourceDocument& document, const NodeTree& tree,
                        const std::vector<std::vector<int>>& joints) {
  const int count = static_cast<int>(joints.size());
  DisjointSets groups(count);
  std::vector<int> owner(tree.nodes.size(), -1);  // some skin that has this node, or an ancestor of it, as a joint
  std::unordered_map<int, int> by_root;
  for (int s = 0; s < count; ++s) {
    for (const int joint : joints[s]) {
      if (owner[joint] >= 0) groups.Join(owner[joint], s);
      owner[joint] = s;
    }
    const int root = Item(document, "skins", s).Index("skeleton", "nodes");
    if (root < 0) continue;
    const auto [found, is_new] = by_root.try_emplace(root, s);
    if (!is_new) groups.Join(found->second, s);
  }
  for (const int n : tree.order) {
    const int parent = tree.nodes[n].parent;
    if (parent < 0 || owner[parent] < 0) continue;
    if (owner[n] >= 0) groups.Join(owner[parent], owner[n]);
    owner[n] = owner[parent];
  }
  return groups;
}

constexpr size_t kMaxListed = 20;

// Returns the number of a skin with its name, if it has one.
std::string SkinTitle(const SourceDocument& document, size_t skin) {
  const std::string name = Item(document, "skins", static_cast<int>(skin)).String("name");
  return name.empty() ? std::to_string(skin) : fmt::format("{} '{}'", skin, name);
}

std::string CountedJoints(size_t joints) { return fmt::format("{} {}", joints, joints == 1 ? "joint" : "joints"); }

std::string ListSkins(const SourceDocument& document, const std::vector<std::vector<int>>& joints) {
  std::string list;
  for (size_t s = 0; s < joints.size(); ++s) {
    if (s == kMaxListed) return list + fmt::format(" and {} more", joints.size() - s);
    list += fmt::format("{}{} ({})", s == 0 ? "" : ", ", SkinTitle(document, s), CountedJoints(joints[s].size()));
  }
  return list;
}

// Lists the skeletons, each as the first of its skins. worn: groups of skins that move a shown mesh.
std::string ListSkeletons(const SourceDocument& document, const std::vector<std::vector<int>>& joints,
                          DisjointSets& groups, const std::unordered_set<int>& worn) {
  struct Entry {
    size_t first_skin = 0, skins = 0;
    std::unordered_set<int> joints;
  };
  std::map<int, Entry> entries;  // by group
  std::vector<int> order;
  for (size_t s = 0; s < joints.size(); ++s) {
    const int group = groups.Find(static_cast<int>(s));
    Entry& entry = entries[group];
    if (entry.skins++ == 0) {
      entry.first_skin = s;
      order.push_back(group);
    }
    entry.joints.insert(joints[s].begin(), joints[s].end());
  }
  std::string list;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == kMaxListed) return list + fmt::format(" and {} more", order.size() - i);
    const Entry& entry = entries[order[i]];
    std::string about = CountedJoints(entry.joints.size());
    if (entry.skins > 1) about += fmt::format(" in {} skins", entry.skins);
    if (!worn.empty() && !worn.contains(order[i])) about += ", no mesh";
    list += fmt::format("{}{} ({})", i == 0 ? "" : ", ", SkinTitle(document, entry.first_skin), about);
  }
  return list;
}

// Returns the skin of the number or name that the user gave.
int NamedSkin(const SourceDocument& document, const std::vector<std::vector<int>>& joints) {
  for (size_t s = 0; s < joints.size(); ++s) {
    const bool by_number = document.skin == std::to_string(s);
    if (by_number || document.skin == Item(document, "skins", static_cast<int>(s)).String("name")) {
      return static_cast<int>(s);
    }
  }
  throw UsageError(fmt::format("{}: has no skin '{}'; there are: {}", document.file, document.skin,
                               joints.empty() ? "none" : ListSkins(document, joints)));
}

// Returns the skin whose skeleton is read: the one that the user named, or, without a name, the first if all share one
// skeleton, or else one of the only skeleton that moves a shown mesh. -1 if the document has no skins.
int ChooseSkin(const SourceDocument& document, const NodeTree& tree, const std::vector<std::vector<int>>& joints,
               DisjointSets& groups) {
  if (!document.skin.empty()) return NamedSkin(document, joints);
  if (joints.empty()) return -1;
  std::unordered_set<int> all, worn;
  for (int s = 0; s < static_cast<int>(joints.size()); ++s) all.insert(groups.Find(s));
  for (const Node& node : tree.nodes) {
    if (node.shown && node.mesh >= 0 && node.skin >= 0) worn.insert(groups.Find(node.skin));
  }
  if (all.size() == 1) return 0;
  if (worn.size() == 1) return *worn.begin();
  throw InputError(document.file, "",
                   fmt::format("has {} separate skeletons, of which one can be read: skins {}", all.size(),
                               ListSkeletons(document, joints, groups, worn)),
                   "choose one with --skin NUMBER or NAME; 'sinew convert --skin' writes it alone into a file");
}

// The nodes that are joints, and the others that belong to the skeleton because they move joints: nodes between joints,
// and nodes above them that are animated or whose rest transform is not the identity.
struct Selection {
  std::vector<int> seeds;  // joints in the file's order
  std::vector<bool> is_joint;
  std::vector<bool> included;
  std::vector<int> included_parent;  // nearest included ancestor; -1: none
};

Selection Select(const NodeTree& tree, std::vector<int> seeds) {
  const size_t count = tree.nodes.size();
  Selection s{std::move(seeds), std::vector<bool>(count, false), std::vector<bool>(count, false),
              std::vector<int>(count, -1)};
  for (const int joint : s.seeds) s.is_joint[joint] = true;
  std::vector<bool> above = s.is_joint, below = s.is_joint;  // whether a node has a joint above (below) it, or is one
  for (auto n = tree.order.rbegin(); n != tree.order.rend(); ++n) {
    if (below[*n] && tree.nodes[*n].parent >= 0) below[tree.nodes[*n].parent] = true;
  }
  for (const int n : tree.order) {
    const Node& node = tree.nodes[n];
    if (node.parent >= 0) {
      above[n] = above[n] || above[node.parent];
      s.included_parent[n] = s.included[node.parent] ? node.parent : s.included_parent[node.parent];
    }
    s.included[n] = s.is_joint[n] || (below[n] && (above[n] || !node.identity || node.animated));
  }
  return s;
}

// Makes joint names unique and never empty, as Joint promises.
class Names {
 public:
  std::string Unique(const std::string& wanted, int node) {
    const std::string base = wanted.empty() ? fmt::format("joint_{}", node) : wanted;
    std::string name = base;
    while (!used_.insert(name).second) name = fmt::format("{}_{}", base, ++next_[base]);
    return name;
  }

 private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, int> next_;
};

// Adds the joints in the file's order, each preceded by those of its ancestors that are not there yet.
void BuildSkeleton(const SourceDocument& document, const NodeTree& tree, const Selection& selection, Rig& rig) {
  rig.node_joints.assign(tree.nodes.size(), -1);
  Names names;
  std::vector<int> path;
  for (const int seed : selection.seeds) {
    for (int n = seed; n >= 0 && rig.node_joints[n] < 0; n = selection.included_parent[n]) path.push_back(n);
    for (; !path.empty(); path.pop_back()) {
      const int n = path.back();
      const int parent = selection.included_parent[n];
      rig.node_joints[n] = rig.skeleton.joint_count();
      rig.joint_nodes.push_back(n);
      rig.skeleton.joints.push_back({.name = names.Unique(tree.nodes[n].name, n),
                                     .parent = parent < 0 ? -1 : rig.node_joints[parent],
                                     .rest = tree.nodes[n].local,
                                     .helper = !selection.is_joint[n]});
    }
  }
  if (rig.skeleton.joint_count() > std::numeric_limits<uint16_t>::max()) {
    throw InputError(document.file, "skeleton", fmt::format("has {} joints", rig.skeleton.joint_count()),
                     "Sinew works with at most 65535");
  }
}

// Finds the joint that moves each node: a node below a joint moves with it; above all joints only animated nodes move.
void FindAnchors(const NodeTree& tree, const Selection& selection, Rig& rig) {
  rig.node_anchors.assign(tree.nodes.size(), -1);
  rig.node_from_anchor.assign(tree.nodes.size(), Eigen::Affine3f::Identity());
  for (const int n : tree.order) {
    const int parent = tree.nodes[n].parent;
    const int inherited = parent < 0 ? -1 : rig.node_anchors[parent];
    const bool moves = selection.is_joint[n] || tree.nodes[n].animated || inherited >= 0;
    const bool own = selection.included[n] && moves;
    rig.node_anchors[n] = own ? rig.node_joints[n] : inherited;
    if (!own && parent >= 0) rig.node_from_anchor[n] = rig.node_from_anchor[parent] * tree.nodes[n].local_affine;
  }
}

Skin ReadSkin(AccessorReader& accessors, int index, const std::vector<int>& joints, const Rig& rig) {
  const Object object = Item(accessors.document(), "skins", index);
  const size_t count = rig.skeleton.joints.size();
  accessors.budget().Charge(object, static_cast<int64_t>(count * sizeof(Eigen::Affine3f)));
  Skin skin{.name = object.String("name"),
            .inverse_bind = std::vector<Eigen::Affine3f>(count, Eigen::Affine3f::Identity()),
            .has_joint = std::vector<bool>(count, false),
            .source_skin = index,
            .attached = false};
  for (const int joint : joints) skin.has_joint[joint] = true;
  const int accessor = object.Index("inverseBindMatrices", "accessors");
  if (accessor < 0) return skin;
  const std::vector<float> values = accessors.Floats(accessor, 16);
  if (values.size() < 16 * joints.size()) {
    object.Fail(fmt::format("has {} joints but {} inverse bind matrices", joints.size(), values.size() / 16));
  }
  for (size_t j = 0; j < joints.size(); ++j) {
    for (int column = 0; column < 4; ++column) {
      for (int row = 0; row < 3; ++row) {
        skin.inverse_bind[joints[j]].matrix()(row, column) = values[16 * j + 4 * column + row];
      }
    }
  }
  return skin;
}

}  // namespace

Rig ReadRig(AccessorReader& accessors, const NodeTree& tree) {
  // Choose a skeleton.
  const SourceDocument& document = accessors.document();
  const std::vector<std::vector<int>> joints = ReadSkinJoints(document);
  DisjointSets groups = GroupSkins(document, tree, joints);
  const int chosen = ChooseSkin(document, tree, joints, groups);
  // Collect its skins and their joints; without skins, the animated nodes.
  std::vector<int> members, seeds;
  std::vector<bool> seen(tree.nodes.size(), false);
  const auto add_seed = [&](int node) {
    if (!seen[node]) seeds.push_back(node);
    seen[node] = true;
  };
  for (int s = 0; s < static_cast<int>(joints.size()); ++s) {
    if (groups.Find(s) != groups.Find(chosen)) continue;
    members.push_back(s);
    for (const int joint : joints[s]) add_seed(joint);
  }
  if (chosen < 0) {
    for (const int n : tree.order) {
      if (tree.nodes[n].animated) add_seed(n);
    }
  }
  // Build the skeleton, and read the skins.
  const Selection selection = Select(tree, std::move(seeds));
  Rig rig;
  BuildSkeleton(document, tree, selection, rig);
  FindAnchors(tree, selection, rig);
  rig.document_skins.assign(joints.size(), -1);
  for (const int s : members) {
    std::vector<int> own;
    for (const int node : joints[s]) own.push_back(rig.node_joints[node]);
    rig.document_skins[s] = static_cast<int>(rig.skins.size());
    rig.skins.push_back(ReadSkin(accessors, s, own, rig));
    rig.skin_joints.push_back(std::move(own));
  }
  return rig;
}

}  // namespace sinew::gltf
