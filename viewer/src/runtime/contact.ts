// Colliders whose contact a bundle has learned: what is known of them, and how they are given to an evaluation
// (PageContact and PageCollider of viewer/wasm/character.cc). Lengths are in the unit of the posed character.
import type { Memory } from './memory';

// The largest number of them in one evaluation.
export const kMaxColliders = 8;

// A collider in a frame.
export interface PosedCollider {
  contact: number;          // which of the character's learned colliders
  joint: number;            // that carries it; -1: none
  pose: ArrayLike<number>;  // 16 numbers, column-major and rigid: to model space, or to the joint's frame without its scale
}

export interface ContactExports {
  contactCount(character: number): number;
  contactName(character: number, contact: number): number;
  contactNameBytes(character: number, contact: number): number;
  contactOf(character: number, contact: number, to: number): void;
  contactDistances(character: number, contact: number, to: number): void;
  contactJoints(character: number, contact: number, to: number): void;
}

type Triple = [number, number, number];

// Signed distance to a collider, negative inside, on a grid in its own space.
export class DistanceGrid {
  // distances: z fastest.
  constructor(readonly counts: Triple, readonly origin: Triple, readonly spacing: Triple, readonly distances: Float32Array) {}

  at(x: number, y: number, z: number): number {
    return this.distances[(x * this.counts[1] + y) * this.counts[2] + z]!;
  }

  // Interpolated as the runtime does it; infinite outside of the grid.
  sample(x: number, y: number, z: number): number {
    const { counts, origin, spacing } = this;
    const px = (x - origin[0]) / spacing[0], py = (y - origin[1]) / spacing[1], pz = (z - origin[2]) / spacing[2];
    if (!(px >= 0 && py >= 0 && pz >= 0 && px < counts[0] - 1 && py < counts[1] - 1 && pz < counts[2] - 1)) return Infinity;
    const i = Math.floor(px), j = Math.floor(py), k = Math.floor(pz), fx = px - i, fy = py - j, fz = pz - k;
    const along = (a: number, b: number) => (1 - fz) * this.at(a, b, k) + fz * this.at(a, b, k + 1);
    return (1 - fx) * ((1 - fy) * along(i, j) + fy * along(i, j + 1)) + fx * ((1 - fy) * along(i + 1, j) + fy * along(i + 1, j + 1));
  }
}

export class LearnedCollider {
  constructor(readonly name: string, readonly grid: DistanceGrid, readonly window: number, readonly depth: number,
    readonly joints: { joint: number; share: number }[]) {}

  // Least signed distance between the collider and points, three floats each. pose: 16 numbers, column-major, rigid. What is farther
  // from it than its window counts as that far.
  nearest(points: Float32Array, pose: ArrayLike<number>): number {
    const [a, b, c, , d, e, f, , g, h, i, , x, y, z] = pose as unknown as number[];
    let least = this.window;
    for (let p = 0; p < points.length; p += 3) {
      const u = points[p]! - x!, v = points[p + 1]! - y!, w = points[p + 2]! - z!;
      const distance = this.grid.sample(a! * u + b! * v + c! * w, d! * u + e! * v + f! * w, g! * u + h! * v + i! * w);
      if (distance < least) least = distance;
    }
    return least;
  }
}

export function contactNames(wasm: ContactExports, memory: Memory, character: number): string[] {
  return Array.from({ length: wasm.contactCount(character) },
    (_, i) => memory.text(wasm.contactName(character, i), wasm.contactNameBytes(character, i)));
}

export function readCollider(wasm: ContactExports, memory: Memory, character: number, contact: number, name: string): LearnedCollider {
  const at = memory.allocate(kContactBytes);
  wasm.contactOf(character, contact, at);
  const words = [...memory.words(at, 12)], floats = [...memory.floats(at, 12)];
  memory.release(at);
  const triple = (from: number[], first: number) => from.slice(first, first + 3) as Triple;
  const counts = triple(words, 0), joint_count = words[11]!;
  const distances = readFloats(memory, counts[0] * counts[1] * counts[2], (to) => wasm.contactDistances(character, contact, to));
  const joints = readFloats(memory, 2 * joint_count, (to) => wasm.contactJoints(character, contact, to));
  return new LearnedCollider(name, new DistanceGrid(counts, triple(floats, 3), triple(floats, 6), distances), floats[9]!, floats[10]!,
    Array.from({ length: joint_count }, (_, j) => ({ joint: joints[2 * j]!, share: joints[2 * j + 1]! })));
}

function readFloats(memory: Memory, count: number, write: (to: number) => void): Float32Array {
  const at = memory.allocate(4 * count);
  write(at);
  const floats = memory.floats(at, count).slice();
  memory.release(at);
  return floats;
}

// at: kMaxColliders * kColliderBytes.
export function writeColliders(memory: Memory, at: number, colliders: readonly PosedCollider[]): void {
  colliders.forEach(({ contact, joint, pose }, i) => {
    const words = memory.words(at + kColliderBytes * i, 2);
    words[0] = contact;
    words[1] = joint;
    memory.floats(at + kColliderBytes * i + 8, 16).set(pose);
  });
}

const kContactBytes = 48;
export const kColliderBytes = 72;
