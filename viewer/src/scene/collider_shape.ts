// The surface of a collider as the runtime knows it: where its grid of distances is 0, by surface nets (one vertex per cell that the
// surface crosses, at the mean of the crossings of its edges; a quadrilateral per edge of the grid that it crosses). Bundles hold no
// mesh of a collider.
import { BufferAttribute, BufferGeometry } from 'three';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import type { DistanceGrid } from '../runtime/contact';

const kMostSamples = 96;   // along one axis; finer grids are seen at every second sample, third and so on
const kCrease = 0.6;       // radians between triangles from which on an edge is sharp

export interface Surface {
  positions: Float32Array;
  triangles: Uint32Array;  // seen from outside their corners go round counterclockwise
}

// Every sample of a grid, or some of them.
class Samples {
  readonly indices: [number[], number[], number[]];

  constructor(private readonly grid: DistanceGrid) {
    this.indices = grid.counts.map((count) => {
      const step = Math.ceil(count / kMostSamples), taken: number[] = [];
      for (let i = 0; i < count - 1; i += step) taken.push(i);
      return [...taken, count - 1];
    }) as [number[], number[], number[]];
  }

  count(axis: number): number {
    return this.indices[axis]!.length;
  }
  value(at: readonly number[]): number {
    return this.grid.at(this.indices[0][at[0]!]!, this.indices[1][at[1]!]!, this.indices[2][at[2]!]!);
  }
  coordinate(axis: number, i: number): number {
    return this.grid.origin[axis]! + this.grid.spacing[axis]! * this.indices[axis]![i]!;
  }
}

export function surfaceOf(grid: DistanceGrid): Surface {
  const samples = new Samples(grid), positions: number[] = [], triangles: number[] = [];
  const vertices = new Map<number, number>(), [nx, ny, nz] = [0, 1, 2].map((axis) => samples.count(axis)) as [number, number, number];
  const key = (x: number, y: number, z: number) => (x * ny + y) * nz + z;
  for (let x = 0; x < nx - 1; ++x) {
    for (let y = 0; y < ny - 1; ++y) {
      for (let z = 0; z < nz - 1; ++z) {
        const vertex = crossing(samples, x, y, z);
        if (vertex === null) continue;
        vertices.set(key(x, y, z), positions.length / 3);
        positions.push(...vertex);
      }
    }
  }
  const size = [nx, ny, nz], at = [0, 0, 0];
  for (at[0] = 1; at[0] < nx - 1; ++at[0]) {
    for (at[1] = 1; at[1] < ny - 1; ++at[1]) {
      for (at[2] = 1; at[2] < nz - 1; ++at[2]) {
        for (let axis = 0; axis < 3; ++axis) addQuad(samples, at, axis, size, (x, y, z) => vertices.get(key(x, y, z))!, triangles);
      }
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

// The vertex of the cell whose first corner is (x, y, z); null if the surface does not cross it.
function crossing(samples: Samples, x: number, y: number, z: number): [number, number, number] | null {
  const sum: [number, number, number] = [0, 0, 0], first = [x, y, z];
  let count = 0;
  for (let corner = 0; corner < 8; ++corner) {
    const a = first.map((i, axis) => i + ((corner >> axis) & 1)), value_a = samples.value(a);
    for (let axis = 0; axis < 3; ++axis) {
      if (((corner >> axis) & 1) !== 0) continue;
      const b = [...a];
      b[axis]! += 1;
      const value_b = samples.value(b);
      if (value_a < 0 === value_b < 0) continue;
      const share = value_a / (value_a - value_b);
      for (let k = 0; k < 3; ++k) {
        const from = samples.coordinate(k, a[k]!);
        sum[k]! += from + share * (samples.coordinate(k, b[k]!) - from);
      }
      count += 1;
    }
  }
  return count === 0 ? null : [sum[0] / count, sum[1] / count, sum[2] / count];
}

// Around the edge from a sample to the next one along an axis, between the four cells that share it.
function addQuad(samples: Samples, at: readonly number[], axis: number, size: readonly number[],
  vertex: (x: number, y: number, z: number) => number, triangles: number[]): void {
  const next = [...at];
  next[axis]! += 1;
  if (next[axis]! >= size[axis]!) return;
  const inside = samples.value(at) < 0;
  if (inside === samples.value(next) < 0) return;
  const u = (axis + 1) % 3, v = (axis + 2) % 3;
  const cell = (back_u: number, back_v: number) => {
    const of = [...at];
    of[u]! -= back_u;
    of[v]! -= back_v;
    return vertex(of[0]!, of[1]!, of[2]!);
  };
  const [a, b, c, d] = [cell(1, 1), cell(0, 1), cell(0, 0), cell(1, 0)];
  triangles.push(...(inside ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
}

export function colliderGeometry(grid: DistanceGrid): BufferGeometry {
  const { positions, triangles } = surfaceOf(grid);
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3))
    .setIndex(new BufferAttribute(triangles, 1));
  return toCreasedNormals(geometry, kCrease);
}
