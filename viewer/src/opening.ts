// Where the page opens: at the frame in which Sinew is farthest from linear blend skinning, close to the place where it is. Where there
// are true shapes, only that counts by which Sinew is nearer to them. Found on the coarsest level over a sample of the frames.
import { Vector3 } from 'three';
import { bestView } from './scene/best_view';
import { Instance, type Character } from './runtime/runtime';
import type { Angles, Clip, SkeletonHandle } from './motion/motions';
import type { Truth } from './truth';

export interface Moment {
  clip: Clip | null;  // null: posed by hand
  frame: number;
  pose: Float32Array;
  difference: number;  // of the vertex that differs most
  place: Vector3;      // where that is,
  joint: number;       // the joint next to it,
  from: Vector3;       // and the direction from which it is seen best
}

// What there is of a character.
export interface Material {
  character: Character;
  skeleton: SkeletonHandle | null;
  clips: Clip[];
  truth: Truth | null;
  size: number;
}

export interface Candidate {
  clip: Clip | null;
  frame: number;
  pose: Float32Array;
}

const kMostFrames = 400;
const kMilliseconds = 120;  // for trying frames, so that nobody waits for the first picture,
const kFewestFrames = 40;   // but for so many there is always time, also on a busy machine
const kGolden = (Math.sqrt(5) - 1) / 2;
// Shares of the body's size.
const kAround = 0.07;
export const kCloseUp = 0.25;

// Null where nothing differs, as at rest or in a bundle without correctives.
export function findMoment(of: Material, candidates = candidatesOf(of)): Moment | null {
  const { character } = of, instance = new Instance(character), measure = new Measure(instance);
  const started = performance.now();
  let best: Candidate | null = null, most = 0;
  try {
    for (const [tried, candidate] of candidates.entries()) {
      if (tried >= kFewestFrames && performance.now() - started > kMilliseconds) break;
      const score = measure.spread(candidate.pose, truthOf(of, candidate));
      if (score > most) [most, best] = [score, candidate];
    }
    // Below rounding nothing differs.
    if (best === null || most < 1e-5 * of.size) return null;
    measure.spread(best.pose, truthOf(of, best));
    const place = measure.centre(kAround * of.size);
    const shapes = { triangles: character.triangles(1), a: measure.linear, b: measure.sinew };
    return { ...best, difference: measure.largest, place, joint: nearestJoint(instance, best.pose, place),
      from: bestView(shapes, place, kCloseUp * of.size) };
  } finally {
    instance.close();
  }
}

// Frames of all motions, of single poses where there is no motion, in an order of which every beginning is spread over all of them;
// without clips every joint at each end of its bend, one after another.
function candidatesOf(of: Material): Candidate[] {
  const motions = of.clips.filter(({ rate }) => rate > 0), clips = motions.length > 0 ? motions : of.clips;
  const all = clips.flatMap((clip) => clip.frames.map((pose, frame) => ({ clip, frame, pose })));
  if (all.length === 0) return bentJoints(of);
  const count = Math.min(all.length, kMostFrames), step = all.length / count;
  const order = Array.from({ length: count }, (_, i) => ({ i, key: (i * kGolden) % 1 })).sort((a, b) => a.key - b.key);
  return order.map(({ i }) => all[Math.floor(i * step)]!);
}

function bentJoints({ character, skeleton }: Material): Candidate[] {
  if (skeleton === null) return [];
  return character.joints.flatMap((_, joint) => {
    const range = skeleton.range(joint);
    if (range.kind !== 'limited') return [];
    return range.bend.map((bend) => {
      const pose = character.restPose.slice();
      skeleton.turn(joint, [bend, 0, 0] as Angles, pose);
      return { clip: null, frame: 0, pose };
    });
  });
}

function truthOf({ truth }: Material, { clip, frame }: Candidate): ((out: Float32Array) => boolean) | null {
  const number = clip?.truth?.[frame];
  return truth === null || number === undefined ? null : (out) => truth.coarsest(number, out);
}

// How far Sinew is from linear blend skinning, or how much nearer to the truth, vertex by vertex of the coarsest level.
class Measure {
  readonly linear: Float32Array;
  readonly sinew: Float32Array;
  largest = 0;
  private readonly truth: Float32Array;
  private readonly lengths: Float32Array;

  constructor(private readonly instance: Instance) {
    const vertices = instance.character.level(1).vertices;
    this.linear = new Float32Array(3 * vertices);
    this.sinew = new Float32Array(3 * vertices);
    this.truth = new Float32Array(3 * vertices);
    this.lengths = new Float32Array(vertices);
  }

  // A mean of the distances in which large ones count most, but one vertex alone not everything.
  spread(pose: Float32Array, truth: ((out: Float32Array) => boolean) | null): number {
    this.shape(pose, 'linear', this.linear);
    this.shape(pose, 'sinew', this.sinew);
    const known = truth !== null && truth(this.truth);
    let sum = 0;
    this.largest = 0;
    for (let v = 0; v < this.lengths.length; ++v) {
      const length = known ? Math.max(0, distance(this.linear, this.truth, v) - distance(this.sinew, this.truth, v))
        : distance(this.linear, this.sinew, v);
      this.lengths[v] = length;
      this.largest = Math.max(this.largest, length);
      sum += length ** 4;
    }
    return (sum / Math.max(1, this.lengths.length)) ** 0.25;
  }

  // The middle of the largest differences around the vertex with the most of them within a radius.
  centre(radius: number): Vector3 {
    const at = new Vector3(), other = new Vector3(), sum = new Vector3(), best = new Vector3();
    let most = -1;
    for (let v = 0; v < this.lengths.length; ++v) {
      if (this.lengths[v]! < 0.5 * this.largest) continue;
      at.fromArray(this.sinew, 3 * v);
      sum.set(0, 0, 0);
      let weights = 0;
      for (let w = 0; w < this.lengths.length; ++w) {
        if (other.fromArray(this.sinew, 3 * w).distanceTo(at) > radius) continue;
        const weight = this.lengths[w]! ** 2;
        weights += weight;
        sum.addScaledVector(other, weight);
      }
      if (weights > most) {
        most = weights;
        best.copy(sum).divideScalar(weights);
      }
    }
    return best;
  }

  private shape(pose: Float32Array, method: 'linear' | 'sinew', out: Float32Array): void {
    this.instance.evaluate(pose, { level: 1, method });
    out.set(this.instance.positions(1));
  }
}

function distance(a: Float32Array, b: Float32Array, vertex: number): number {
  const i = 3 * vertex;
  return Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!, a[i + 2]! - b[i + 2]!);
}

function nearestJoint(instance: Instance, pose: Float32Array, place: Vector3): number {
  const models = instance.jointMatrices(pose), at = new Vector3();
  let nearest = 0, least = Infinity;
  for (let j = 0; j < models.length / 16; ++j) {
    const far = at.fromArray(models, 16 * j + 12).distanceTo(place);
    if (far < least) [least, nearest] = [far, j];
  }
  return nearest;
}
