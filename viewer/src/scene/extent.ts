// How much room a body takes: as it stands, and in a motion.
import type { Instance } from '../runtime/runtime';
import type { Clip } from '../motion/motions';

export interface BodyBox {
  ground: number;
  top: number;
  width: number;    // from any side
  longest: number;  // side
}

// Of the coarsest level at rest.
export function bodyBox(instance: Instance): BodyBox {
  instance.evaluate(instance.character.restPose, { level: 1, method: 'linear', normals: 'triangles' });
  const positions = instance.positions(1);
  const box = { ground: Infinity, top: -Infinity, width: 0, longest: 0 };
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 3) {
    for (let axis = 0; axis < 3; ++axis) {
      low[axis] = Math.min(low[axis]!, positions[i + axis]!);
      high[axis] = Math.max(high[axis]!, positions[i + axis]!);
    }
    box.width = Math.max(box.width, 2 * Math.hypot(positions[i]!, positions[i + 2]!));
  }
  box.ground = low[1]!;
  box.top = high[1]!;
  box.longest = Math.max(...high.map((value, axis) => value - low[axis]!));
  return box;
}

// How high a motion takes a joint, and how wide joints stand around `root`.
export function motionReach(instance: Instance, clip: Clip | null, root: number): { top: number; width: number } {
  const frames = clip?.frames ?? [], step = Math.max(1, Math.floor(frames.length / 50));
  const reach = { top: -Infinity, width: 0 }, at = 16 * root;
  for (let f = 0; f < frames.length; f += step) {
    const models = instance.jointMatrices(frames[f]!);
    for (let i = 12; i < models.length; i += 16) {
      reach.top = Math.max(reach.top, models[i + 1]!);
      reach.width = Math.max(reach.width, 2 * Math.hypot(models[i]! - models[at + 12]!, models[i + 2]! - models[at + 14]!));
    }
  }
  return reach;
}
