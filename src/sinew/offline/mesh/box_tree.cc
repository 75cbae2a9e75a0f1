#include "sinew/offline/mesh/box_tree.h"

#include <algorithm>
#include <numeric>

#include "sinew/offline/core/parallel.h"

namespace sinew {
namespace {

// Subtrees below this depth are built in parallel.
constexpr int kSerialDepth = 4;

// All leaves but the last are full, so that the size of a subtree follows from its number of items.
int LeafCount(int items) { return (items + kBvhLeafSize - 1) / kBvhLeafSize; }
int NodeCount(int items) { return 2 * LeafCount(items) - 1; }
int LeftCount(int items) { return LeafCount(items) / 2 * kBvhLeafSize; }

class Builder {
 public:
  explicit Builder(std::span<const Box> boxes) : boxes_(boxes) {
    const int count = static_cast<int>(boxes.size());
    centres_.resize(count);
    ParallelFor(count, 4096, [&](int i) { centres_[i] = boxes[i].center(); });
    bvh_.items.resize(count);
    std::iota(bvh_.items.begin(), bvh_.items.end(), 0);
  }

  Bvh Build() {
    if (boxes_.empty()) return std::move(bvh_);
    bvh_.nodes.resize(NodeCount(static_cast<int>(boxes_.size())));
    std::vector<Subtree> subtrees;
    Split({0, 0, static_cast<int>(boxes_.size())}, 0, subtrees);
    ParallelFor(static_cast<int>(subtrees.size()), 1, [&](int i) { Fill(subtrees[i]); });
    Close(0, 0);
    return std::move(bvh_);
  }

 private:
  struct Subtree {
    int node, begin, end;
    int count() const { return end - begin; }
  };

  // Partitions a node's items around the median of the widest axis of their centres. Ties go by index.
  void Divide(const Subtree& tree, Subtree& left, Subtree& right) {
    Box spread;
    for (int i = tree.begin; i < tree.end; ++i) spread.extend(centres_[bvh_.items[i]]);
    int axis = 0;
    spread.sizes().maxCoeff(&axis);
    const int middle = tree.begin + LeftCount(tree.count());
    std::nth_element(bvh_.items.begin() + tree.begin, bvh_.items.begin() + middle, bvh_.items.begin() + tree.end,
                     [&](int a, int b) {
                       const float x = centres_[a][axis], y = centres_[b][axis];
                       return x != y ? x < y : a < b;
                     });
    left = {tree.node + 1, tree.begin, middle};
    right = {tree.node + 1 + NodeCount(middle - tree.begin), middle, tree.end};
    bvh_.nodes[tree.node].right = right.node;
  }

  void Open(const Subtree& tree) {
    bvh_.nodes[tree.node].begin = tree.begin;
    bvh_.nodes[tree.node].end = tree.end;
  }

  void Split(const Subtree& tree, int depth, std::vector<Subtree>& subtrees) {
    if (depth == kSerialDepth || tree.count() <= kBvhLeafSize) {
      subtrees.push_back(tree);
      return;
    }
    Open(tree);
    Subtree left, right;
    Divide(tree, left, right);
    Split(left, depth + 1, subtrees);
    Split(right, depth + 1, subtrees);
  }

  void Fill(const Subtree& tree) {
    Open(tree);
    if (tree.count() <= kBvhLeafSize) {
      // nth_element leaves the order within a side open: sort each, so that the tree is the same on every machine.
      std::sort(bvh_.items.begin() + tree.begin, bvh_.items.begin() + tree.end);
      for (int i = tree.begin; i < tree.end; ++i) bvh_.nodes[tree.node].box.extend(boxes_[bvh_.items[i]]);
      return;
    }
    Subtree left, right;
    Divide(tree, left, right);
    Fill(left);
    Fill(right);
    Bvh::Node& node = bvh_.nodes[tree.node];
    node.box = bvh_.nodes[left.node].box.merged(bvh_.nodes[right.node].box);
  }

  // The boxes of the nodes that Split() opened.
  void Close(int n, int depth) {
    Bvh::Node& node = bvh_.nodes[n];
    if (depth == kSerialDepth || node.right < 0) return;
    Close(n + 1, depth + 1);
    Close(node.right, depth + 1);
    node.box = bvh_.nodes[n + 1].box.merged(bvh_.nodes[node.right].box);
  }

  std::span<const Box> boxes_;
  std::vector<Eigen::Vector3f> centres_;
  Bvh bvh_;
};

}  // namespace

Bvh BuildBvh(std::span<const Box> boxes) { return Builder(boxes).Build(); }

std::vector<Box> TriangleBoxes(const TriMesh& mesh) {
  std::vector<Box> boxes(mesh.triangle_count());
  ParallelFor(mesh.triangle_count(), 4096, [&](int t) {
    for (int k = 0; k < 3; ++k) boxes[t].extend(mesh.positions.row(mesh.triangles(t, k)).transpose());
  });
  return boxes;
}

}  // namespace sinew
