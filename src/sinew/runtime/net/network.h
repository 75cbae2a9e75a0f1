// Evaluation of the networks of one level (network_table.h), z = W3 tanh(W2 tanh(W1 x + b1) + b2) + b3.
#ifndef SINEW_RUNTIME_NET_NETWORK_H_
#define SINEW_RUNTIME_NET_NETWORK_H_

#include "sinew/runtime/net/network_table.h"

namespace sinew::runtime {

// Hyperbolic tangent with an error of at most 3e-7, computed by way of 2^x and a polynomial (tanh.h).
float Tanh(float x) noexcept;

// Evaluates network n of the table. inputs: table.network(n).inputs floats. outputs: table.network(n).outputs floats.
// A layer adds its bias last: if b3 was set to -W3 tanh(...) of some input, as computed here, the output for that input
// is exactly zero.
//
// Does not allocate, lock, throw or call the system; under 16 KB of stack. Gives the same bits on the same CPU.
void EvaluateNetwork(const NetworkTable& table, int n, const float* inputs, float* outputs) noexcept;

// Scalar reference of EvaluateNetwork(): what it is tested against, and what it calls on a CPU without SIMD.
void EvaluateNetworkReference(const NetworkTable& table, int n, const float* inputs, float* outputs) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_NET_NETWORK_H_
