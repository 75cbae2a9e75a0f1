// Bounding volume hierarchy over anything that has a box, such as triangles: for pairs that intersect, and for sums
// over far parts of a surface. Closest points and rays use Embree instead (queries.h). Built by median splits, so its
// shape depends on the number of items alone, and the same items give the same tree whatever the number of threads.
#ifndef SINEW_OFFLINE_MESH_BOX_TREE_H_
#define SINEW_OFFLINE_MESH_BOX_TREE_H_

#include <span>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct Bvh {
  struct Node {
    Box box;
    int begin = 0, end = 0;  // into items: all items below this node
    int right = -1;          // the right child; the left one is the next node. -1: a leaf
  };
  std::vector<Node> nodes;  // a node comes before its children; the first is the root; empty without items
  std::vector<int> items;
};

constexpr int kBvhLeafSize = 4;

Bvh BuildBvh(std::span<const Box> boxes);

std::vector<Box> TriangleBoxes(const TriMesh& mesh);

// Calls visit(number of the node) for all leaves for which enter(number of the node) is true at the leaf and all nodes
// above it.
template <typename Enter, typename Visit>
void TraverseLeaves(const Bvh& bvh, const Enter& enter, const Visit& visit) {
  // The tree is balanced: its depth is below 32 for any int number of items.
  int stack[64];
  int top = 0;
  if (!bvh.nodes.empty()) stack[top++] = 0;
  while (top > 0) {
    const int n = stack[--top];
    const Bvh::Node& node = bvh.nodes[n];
    if (!enter(n)) continue;
    if (node.right < 0) {
      visit(n);
    } else {
      stack[top++] = node.right;
      stack[top++] = n + 1;
    }
  }
}

// Calls visit(item) for all items in leaves for which enter(box) is true at the leaf and all nodes above it.
template <typename Enter, typename Visit>
void Traverse(const Bvh& bvh, const Enter& enter, const Visit& visit) {
  TraverseLeaves(
      bvh, [&](int n) { return enter(bvh.nodes[n].box); },
      [&](int n) {
        for (int i = bvh.nodes[n].begin; i < bvh.nodes[n].end; ++i) visit(bvh.items[i]);
      });
}

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_BOX_TREE_H_
