// Constants of the stable Neo-Hookean material, B. Smith, F. de Goes, T. Kim, "Stable Neo-Hookean Flesh Simulation",
// 2018, which plane_neo_hookean.h and solid_neo_hookean.h share.
#ifndef SINEW_RUNTIME_KERNELS_NEO_HOOKEAN_H_
#define SINEW_RUNTIME_KERNELS_NEO_HOOKEAN_H_

namespace sinew::runtime {

// Constants of equation 14, not those of linear elasticity.
struct NeoHookean {
  double mu = 0, lambda = 0;
};

// Pressure lambda (J - alpha), written without the cancellation of a large lambda times a small difference.
inline double PressureOf(const NeoHookean& material, double J) {
  return material.lambda * (J - 1) - 0.75 * material.mu;
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_KERNELS_NEO_HOOKEAN_H_
