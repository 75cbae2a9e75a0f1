// Evaluation of the networks of a table.
#ifndef SINEW_RUNTIME_NET_NETWORK_H_
#define SINEW_RUNTIME_NET_NETWORK_H_

#include "sinew/runtime/net/network_table.h"

namespace sinew::runtime {

// tanh with an error of at most 3e-7, computed by way of 2^x and a polynomial.
float Tanh(float x) noexcept;

// Evaluates network n of the table. inputs: network(n).inputs floats. outputs: network(n).outputs floats. Biases are
// added last, so that a b3 that was computed as minus the rest of the sum gives exactly zero.
//
// Does not allocate, lock, throw or call the system; under 16 KB of stack. Gives the same bits on the same CPU.
void EvaluateNetwork(const NetworkTable& table, int n, const float* inputs, float* outputs) noexcept;

// Scalar reference: what the kernel is tested against, and what it calls on a CPU without vectors.
void EvaluateNetworkReference(const NetworkTable& table, int n, const float* inputs, float* outputs) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_NET_NETWORK_H_
