// Measures how much of a body shows through its garment.
#ifndef SINEW_OFFLINE_SKINCELLS_POKING_H_
#define SINEW_OFFLINE_SKINCELLS_POKING_H_

#include <vector>

#include "sinew/offline/skincells/collider.h"

namespace sinew::skincells {

// Counts covered triangles of the body that poke through the cloth. A triangle is covered if at rest its centre is on
// the inner side of the nearest point of the cloth, and that point does not lie on the cloth's border. In a pose, a
// covered triangle pokes through if its centre is on the outer side. Where the nearest point of the cloth lies on its
// border, a triangle is neither inside nor outside, and does not count.
class PokeMeter {
 public:
  // cloth_rest, body_rest: positions at rest, in the garment's unit box. cloth_triangles: the garment's.
  PokeMeter(const Points& cloth_rest, Triangles cloth_triangles, Triangles body_triangles, const Points& body_rest);

  int covered() const { return static_cast<int>(covered_.size()); }
  // Number of covered triangles that poke through. cloth, body: posed positions, in the garment's unit box.
  int Poking(const Points& cloth, const Points& body) const;

 private:
  enum class Where { kInside, kOutside, kUnknown };
  std::vector<Where> Sides(const Points& cloth, const Points& body, const std::vector<int>& which, float reach) const;

  const Triangles cloth_triangles_, body_triangles_;
  std::vector<bool> border_;  // per vertex of the cloth: whether it lies on the border
  std::vector<int> covered_;  // triangles of the body
};

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_POKING_H_
