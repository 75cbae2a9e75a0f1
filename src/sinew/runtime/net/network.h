// Evaluates the networks of a table.
#ifndef SINEW_RUNTIME_NET_NETWORK_H_
#define SINEW_RUNTIME_NET_NETWORK_H_

#include "sinew/runtime/net/network_table.h"

namespace sinew::runtime {

// tanh to 3e-7, through 2^x and a polynomial.
float Tanh(float x) noexcept;

// Network n of the table. inputs: as many floats as it has inputs. outputs: as many as it has outputs. Biases are added
// last, so that a b3 that was computed as minus the rest of the sum gives exactly zero.
//
// Does not allocate, lock, throw or call the system; under 16 KB of stack. The same bits on the same CPU.
void EvaluateNetwork(const NetworkTable& table, int n, const float* inputs, float* outputs) noexcept;

// The same by scalar code: what the kernel is tested against, and what it is on a CPU without vectors.
void EvaluateNetworkReference(const NetworkTable& table, int n, const float* inputs, float* outputs) noexcept;

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_NET_NETWORK_H_
