// Neighbours of a mesh's vertices as plain arrays, and what is done with them without libtorch.
#ifndef SINEW_OFFLINE_LEARN_TORCH_ADJACENCY_H_
#define SINEW_OFFLINE_LEARN_TORCH_ADJACENCY_H_

#include <cstdint>
#include <vector>

#include "sinew_torch.h"

namespace sinew_torch {

// Neighbours of vertex i are columns[starts[i]] up to columns[starts[i + 1]]. Without the vertex itself.
struct Adjacency {
  std::vector<int64_t> starts = {0};
  std::vector<int64_t> columns;
  int64_t vertices() const { return static_cast<int64_t>(starts.size()) - 1; }
};

struct Level {
  Adjacency adjacency;
  std::vector<int64_t> coarser;  // per vertex: vertex of the next level; empty in the coarsest
  std::vector<float> shares;     // per vertex: its share in that vertex
  // Sets of rings, one after another: a, then b, c and d of all edges, -1 where there is none; empty: rows are no
  // edges.
  std::vector<int64_t> rings;
};

struct Mesh {
  std::vector<Level> levels;  // finest first
};

// Directed edges, sorted by the vertex that they are neighbours of.
struct EdgeList {
  std::vector<int64_t> rows, columns;
};

// Copies a mesh and checks every number in it. Throws std::runtime_error with a sentence.
Mesh ReadMesh(const SinewTorchLevel* levels, int level_count);

// Appends a graph whose vertices follow those that are there.
void Append(const Adjacency& from, Adjacency* to);

// Edges of a graph; with `self`, each vertex is its own first neighbour, too.
EdgeList EdgesOf(const Adjacency& adjacency, bool self);

// Which vertices were merged, and the graph of what is left.
struct Contraction {
  std::vector<int64_t> coarse;  // per vertex: which merged vertex it is in; numbered by their first vertices
  std::vector<int64_t> edge;    // per merged vertex: the edge whose score it has, or -1 for one that is left over
  Adjacency adjacency;
};

// Contracts edges from the highest score down, each vertex once (Eq. 8). `scores` per edge of `edges`, which are
// without self-edges; of an edge's two directions the larger score counts. Equal scores: smaller vertices first;
// scores that are not numbers last.
Contraction Contract(const Adjacency& adjacency, const EdgeList& edges, const std::vector<float>& scores);

}  // namespace sinew_torch

#endif  // SINEW_OFFLINE_LEARN_TORCH_ADJACENCY_H_
