// How much of a body shows through its garment.
#ifndef SINEW_OFFLINE_SKINCELLS_POKING_H_
#define SINEW_OFFLINE_SKINCELLS_POKING_H_

#include <vector>

#include "sinew/offline/skincells/collider.h"

namespace sinew::skincells {

// Triangles of the body that the cloth covers at rest: the cloth's surface nearest to a triangle's centre has it on its
// inner side, and not over the cloth's border. In a pose such a triangle pokes through if its centre is on the outer
// side. Where the nearest point of the cloth lies on its border a triangle is neither inside nor outside, and does not
// count.
class PokeMeter {
 public:
  // In the garment's unit box; triangles: the garment's.
  PokeMeter(const Points& cloth_rest, Triangles cloth_triangles, Triangles body_triangles, const Points& body_rest);

  int covered() const { return static_cast<int>(covered_.size()); }
  // Of the covered triangles, those that poke through.
  int Poking(const Points& cloth, const Points& body) const;

 private:
  enum class Where { kInside, kOutside, kUnknown };
  std::vector<Where> Sides(const Points& cloth, const Points& body, const std::vector<int>& which, float reach) const;

  const Triangles cloth_triangles_, body_triangles_;
  std::vector<bool> border_;  // per vertex of the cloth
  std::vector<int> covered_;
};

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_POKING_H_
