#include "sinew/offline/evaluate/distance_tally.h"

#include <algorithm>
#include <cmath>

namespace sinew::evaluate {

void DistanceTally::Add(double distance, double weight) {
  weight_ += weight;
  distance_ += weight * distance;
  square_ += weight * distance * distance;
  max_ = std::max(max_, distance);
  histogram_.Add(distance, weight);
}

void DistanceTally::Add(const DistanceTally& other) {
  weight_ += other.weight_, distance_ += other.distance_, square_ += other.square_;
  max_ = std::max(max_, other.max_);
  histogram_.Add(other.histogram_);
}

void DistanceTally::AddScaled(const DistanceTally& other, double length, double weight) {
  weight_ += weight * other.weight_;
  distance_ += weight * length * other.distance_;
  square_ += weight * length * length * other.square_;
  max_ = std::max(max_, length * other.max_);
  histogram_.AddScaled(other.histogram_, length, weight);
}

double DistanceTally::Mean() const { return weight_ > 0 ? distance_ / weight_ : 0; }

double DistanceTally::Rms() const { return weight_ > 0 ? std::sqrt(square_ / weight_) : 0; }

double DistanceTally::Quantile(double share) const { return std::min(max_, histogram_.Quantile(share)); }

}  // namespace sinew::evaluate
