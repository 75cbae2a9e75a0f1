// From where two shapes of the same mesh look most different: both are drawn small, without a graphics card, from all around.
import { Vector3 } from 'three';

export interface Shapes {
  triangles: Uint32Array;
  a: Float32Array;  // three floats a vertex
  b: Float32Array;
}

const kPixels = 64;
const kAround = 16;                      // directions around the body,
const kElevations = [0.08, 0.5] as const;  // at these angles above the horizon, in radians

// The direction toward the camera. place, radius: what is to be seen.
export function bestView(shapes: Shapes, place: Vector3, radius: number): Vector3 {
  const sides = [new Side(shapes.triangles, shapes.a), new Side(shapes.triangles, shapes.b)] as const;
  let best = new Vector3(0, 0, 1), most = -1;
  for (const elevation of kElevations) {
    for (let i = 0; i < kAround; ++i) {
      const turn = (2 * Math.PI * i) / kAround, flat = Math.cos(elevation);
      const toward = new Vector3(flat * Math.sin(turn), Math.sin(elevation), flat * Math.cos(turn));
      for (const side of sides) side.draw(place, radius, toward);
      const difference = differenceOf(...sides);
      if (difference > most) [most, best] = [difference, toward];
    }
  }
  return best;
}

// Per pixel how far normals turn, and 1 where only one of the two is: what light and outline show.
function differenceOf(a: Side, b: Side): number {
  let sum = 0;
  for (let p = 0; p < kPixels * kPixels; ++p) {
    const i = a.seen[p]!, j = b.seen[p]!;
    if (i < 0 && j < 0) continue;
    sum += i < 0 || j < 0 ? 1 : 1 - dot(a.normals, 3 * i, b.normals, 3 * j);
  }
  return sum;
}

function dot(a: Float32Array, i: number, b: Float32Array, j: number): number {
  return a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!;
}

// One of the two shapes, and which of its triangles each pixel shows.
class Side {
  readonly normals: Float32Array;
  readonly seen = new Int32Array(kPixels * kPixels);
  private readonly depth = new Float32Array(kPixels * kPixels);
  private readonly projected: Float32Array;  // x and y in pixels, and how near

  constructor(private readonly triangles: Uint32Array, private readonly positions: Float32Array) {
    this.normals = faceNormals(triangles, positions);
    this.projected = new Float32Array(positions.length);
  }

  draw(place: Vector3, radius: number, toward: Vector3): void {
    this.seen.fill(-1);
    this.depth.fill(-Infinity);
    this.project(place, (0.5 * kPixels) / radius, toward);
    const n = this.normals;
    for (let t = 0; t < this.triangles.length / 3; ++t) {
      if (n[3 * t]! * toward.x + n[3 * t + 1]! * toward.y + n[3 * t + 2]! * toward.z > 0) this.fill(t);
    }
  }

  private project(place: Vector3, scale: number, toward: Vector3): void {
    const right = new Vector3(toward.z, 0, -toward.x).normalize(), up = toward.clone().cross(right);
    const { positions, projected } = this;
    for (let i = 0; i < positions.length; i += 3) {
      const x = positions[i]! - place.x, y = positions[i + 1]! - place.y, z = positions[i + 2]! - place.z;
      projected[i] = (x * right.x + y * right.y + z * right.z) * scale + kPixels / 2;
      projected[i + 1] = (x * up.x + y * up.y + z * up.z) * scale + kPixels / 2;
      projected[i + 2] = x * toward.x + y * toward.y + z * toward.z;
    }
  }

  private fill(t: number): void {
    const { projected: p, triangles } = this;
    const a = 3 * triangles[3 * t]!, b = 3 * triangles[3 * t + 1]!, c = 3 * triangles[3 * t + 2]!;
    const x0 = p[a]!, y0 = p[a + 1]!, x1 = p[b]!, y1 = p[b + 1]!, x2 = p[c]!, y2 = p[c + 1]!;
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (area === 0) return;
    const left = Math.max(0, Math.ceil(Math.min(x0, x1, x2))), end = Math.min(kPixels - 1, Math.floor(Math.max(x0, x1, x2)));
    const low = Math.max(0, Math.ceil(Math.min(y0, y1, y2))), top = Math.min(kPixels - 1, Math.floor(Math.max(y0, y1, y2)));
    for (let y = low; y <= top; ++y) {
      for (let x = left; x <= end; ++x) {
        const u = ((x1 - x) * (y2 - y) - (x2 - x) * (y1 - y)) / area, v = ((x2 - x) * (y0 - y) - (x0 - x) * (y2 - y)) / area;
        if (u < 0 || v < 0 || u + v > 1) continue;
        const near = u * p[a + 2]! + v * p[b + 2]! + (1 - u - v) * p[c + 2]!, at = y * kPixels + x;
        if (near <= this.depth[at]!) continue;
        this.depth[at] = near;
        this.seen[at] = t;
      }
    }
  }
}

function faceNormals(triangles: Uint32Array, p: Float32Array): Float32Array {
  const normals = new Float32Array(triangles.length), u = new Vector3(), v = new Vector3(), at = new Vector3();
  for (let t = 0; t < triangles.length; t += 3) {
    at.fromArray(p, 3 * triangles[t]!);
    u.fromArray(p, 3 * triangles[t + 1]!).sub(at);
    v.fromArray(p, 3 * triangles[t + 2]!).sub(at);
    u.cross(v).normalize().toArray(normals, t);
  }
  return normals;
}
