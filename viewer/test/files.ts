// What the native program wrote for the tests, read back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kTransformFloats } from '../src/runtime/runtime';

export interface FloatArray {
  shape: number[];
  values: Float32Array;
}

// Version 1, little-endian 32-bit floats in C order: docs/formats/npy.md.
export function readNpy(path: string): FloatArray {
  const bytes = readFileSync(path);
  const header_bytes = bytes.readUInt16LE(8);
  const header = bytes.subarray(10, 10 + header_bytes).toString();
  const shape = /'shape': \(([^)]*)\)/.exec(header);
  if (shape === null || !header.includes("'<f4'")) throw new Error(`${path}: not an array of floats`);
  const data = bytes.subarray(10 + header_bytes);
  return {
    shape: shape[1]!.split(',').filter((text) => text.trim() !== '').map(Number),
    values: new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length)),
  };
}

// The poses of a folder (docs/formats/poses.md), ten floats a joint. Joints are in the bundle's order.
export function readPoses(folder: string): Float32Array[] {
  interface Rest {
    translation: number[];
    rotation: number[];
    scale: number[];
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'poses.json'), 'utf8')) as {
    joints: Rest[];
    arrays: Record<string, { file: string }>;
  };
  const arrays = new Map(Object.entries(manifest.arrays).map(([name, { file }]) => [name, readNpy(join(folder, file))]));
  const joints = manifest.joints.length, frames = arrays.get('rotation')!.shape[0]!;
  return Array.from({ length: frames }, (_, frame) => {
    const pose = new Float32Array(kTransformFloats * joints);
    manifest.joints.forEach((rest, j) => {
      const values = (name: 'translation' | 'rotation' | 'scale', count: number) => {
        const first = (frame * joints + j) * count;
        return arrays.get(name)?.values.subarray(first, first + count) ?? rest[name];
      };
      pose.set(values('translation', 3), kTransformFloats * j);
      pose.set(values('rotation', 4), kTransformFloats * j + 3);
      pose.set(values('scale', 3), kTransformFloats * j + 7);
    });
    return pose;
  });
}

// The largest distance between points of two arrays; infinite if one of them is not a number.
export function worstDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < a.length; i += 3) {
    const distance = Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!, a[i + 2]! - b[i + 2]!);
    if (!(distance <= worst)) worst = distance;
  }
  return Number.isNaN(worst) ? Infinity : worst;
}
