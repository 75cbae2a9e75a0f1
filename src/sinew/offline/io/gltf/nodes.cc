#include "sinew/offline/io/gltf/nodes.h"

#include <fmt/format.h>

#include <cmath>

#include "sinew/offline/core/log.h"

namespace sinew::gltf {
namespace {

Eigen::Affine3f MatrixOf(const std::vector<float>& column_major) {
  Eigen::Affine3f affine = Eigen::Affine3f::Identity();
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 3; ++row) affine.matrix()(row, column) = column_major[4 * column + row];
  }
  return affine;
}

bool IsFinite(const Transform& t) {
  return ToEigen(t.translation).allFinite() && ToEigen(t.rotation).coeffs().allFinite() && ToEigen(t.scale).allFinite();
}

Transform Decompose(const SourceDocument& document, const Object& object, const std::vector<float>& matrix,
                    bool quiet) {
  const Eigen::Affine3f affine = MatrixOf(matrix);
  const Transform transform = ToTransform(affine);
  if (!IsFinite(transform)) object.Fail("its matrix is too large");
  const float size = affine.linear().cwiseAbs().maxCoeff();
  const float error = (ToAffine(transform).linear() - affine.linear()).cwiseAbs().maxCoeff();
  if (error > 1e-4f * size && !quiet) {
    Warn("{}: {}: its matrix shears, which a joint cannot; the nearest transform without shear is used", document.file,
         object.place());
  }
  return transform;
}

runtime::Quaternion ReadRotation(const SourceDocument& document, const Object& object, bool quiet) {
  const std::vector<float> r = object.Floats("rotation", 4);
  if (r.empty()) return {};
  const Eigen::Vector4d raw(r[0], r[1], r[2], r[3]);
  const double norm = raw.norm();
  if (norm == 0) object.Fail("its rotation is zero, not a unit quaternion");
  // Exporters round: a quaternion that is unit up to rounding stays bit for bit.
  if (std::abs(norm - 1) <= 1e-6) return {r[0], r[1], r[2], r[3]};
  if (std::abs(norm - 1) > 1e-2 && !quiet) {
    Warn("{}: {}: its rotation has length {:.4g} and was normalised", document.file, object.place(), norm);
  }
  const Eigen::Vector4f unit = (raw / norm).cast<float>();
  return {unit[0], unit[1], unit[2], unit[3]};
}

Transform ReadLocal(const SourceDocument& document, const Object& object, bool quiet) {
  const std::vector<float> matrix = object.Floats("matrix", 16);
  if (!matrix.empty()) return Decompose(document, object, matrix, quiet);
  Transform local;
  if (const auto t = object.Floats("translation", 3); !t.empty()) local.translation = {t[0], t[1], t[2]};
  if (const auto s = object.Floats("scale", 3); !s.empty()) local.scale = {s[0], s[1], s[2]};
  local.rotation = ReadRotation(document, object, quiet);
  return local;
}

Node ReadNode(const SourceDocument& document, const Object& object, bool quiet) {
  Node node;
  node.name = object.String("name");
  node.mesh = object.Index("mesh", "meshes");
  node.skin = object.Index("skin", "skins");
  node.local = ReadLocal(document, object, quiet);
  const std::vector<float> matrix = object.Floats("matrix", 16);
  node.local_affine = matrix.empty() ? ToAffine(node.local) : MatrixOf(matrix);
  node.identity = node.local_affine.isApprox(Eigen::Affine3f::Identity(), 1e-7f);
  return node;
}

void Link(const SourceDocument& document, NodeTree& tree, std::vector<std::vector<int>>& children) {
  for (int n = 0; n < static_cast<int>(tree.nodes.size()); ++n) {
    const Object object = Item(document, "nodes", n);
    children[n] = object.Indices("children", "nodes");
    for (const int child : children[n]) {
      int& parent = tree.nodes[child].parent;
      if (parent >= 0) object.Fail(fmt::format("has the child {}, which is already a child of node {}", child, parent));
      parent = n;
    }
  }
}

// Orders the nodes depth first from the roots; a node that is not reached is part of a cycle.
void Sort(const SourceDocument& document, NodeTree& tree, const std::vector<std::vector<int>>& children) {
  const int count = static_cast<int>(tree.nodes.size());
  std::vector<int> stack;
  for (int n = count - 1; n >= 0; --n) {
    if (tree.nodes[n].parent < 0) stack.push_back(n);
  }
  std::vector<bool> reached(count, false);
  while (!stack.empty()) {
    const int n = stack.back();
    stack.pop_back();
    tree.order.push_back(n);
    reached[n] = true;
    stack.insert(stack.end(), children[n].rbegin(), children[n].rend());
  }
  for (int n = 0; n < count; ++n) {
    if (!reached[n]) Item(document, "nodes", n).Fail("is its own ancestor: the node tree has a cycle");
  }
}

void MarkAnimated(const SourceDocument& document, NodeTree& tree) {
  for (int a = 0; a < Count(document, "animations"); ++a) {
    for (const Object& channel : Item(document, "animations", a).Children("channels")) {
      const Object target = channel.Child("target");
      const int node = target.Index("node", "nodes");
      const std::string path = target.String("path");
      const bool moves = path == "translation" || path == "rotation" || path == "scale";
      if (node >= 0 && moves) tree.nodes[node].animated = true;
    }
  }
}

void MarkShown(const SourceDocument& document, NodeTree& tree) {
  const int scene = DefaultScene(document);
  if (scene < 0) {
    for (Node& node : tree.nodes) node.shown = true;
    return;
  }
  for (const int root : Item(document, "scenes", scene).Indices("nodes", "nodes")) tree.nodes[root].shown = true;
  for (const int n : tree.order) {
    Node& node = tree.nodes[n];
    node.shown = node.shown || (node.parent >= 0 && tree.nodes[node.parent].shown);
  }
}

}  // namespace

NodeTree ReadNodes(const SourceDocument& document, bool quiet) {
  NodeTree tree;
  const int count = Count(document, "nodes");
  for (int n = 0; n < count; ++n) tree.nodes.push_back(ReadNode(document, Item(document, "nodes", n), quiet));
  std::vector<std::vector<int>> children(count);
  Link(document, tree, children);
  Sort(document, tree, children);
  for (const int n : tree.order) {
    Node& node = tree.nodes[n];
    node.world = node.parent < 0 ? node.local_affine : tree.nodes[node.parent].world * node.local_affine;
  }
  MarkAnimated(document, tree);
  MarkShown(document, tree);
  return tree;
}

}  // namespace sinew::gltf
