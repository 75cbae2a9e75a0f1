// Poses between frames.
import { kTransformFloats } from '../runtime/runtime';
import type { Clip } from './motions';

export function duration(clip: Clip): number {
  return clip.frames.length / (clip.rate || 1);
}

// time: seconds from the clip's start, within it; clips without time show one pose a second. Between frames rotations are
// mixed along the shorter way and brought to unit length.
export function poseAt(clip: Clip, time: number, out: Float32Array): number {
  const exact = Math.min(Math.max(0, time * (clip.rate || 1)), clip.frames.length - 1e-3);
  // A time that was made of a frame's number is that frame, in spite of rounding.
  const frame = Math.floor(exact + 1e-6), next = Math.min(frame + 1, clip.frames.length - 1);
  const share = clip.rate > 0 ? Math.max(0, exact - frame) : 0;
  const a = clip.frames[frame]!, b = clip.frames[next]!;
  if (share === 0 || clip.truth !== undefined) {
    out.set(a);
    return frame;
  }
  for (let i = 0; i < out.length; ++i) out[i] = a[i]! + share * (b[i]! - a[i]!);
  for (let j = 0; j < out.length; j += kTransformFloats) mixRotation(a, b, share, j + 3, out);
  return frame;
}

function mixRotation(a: Float32Array, b: Float32Array, share: number, at: number, out: Float32Array): void {
  let dot = 0, square = 0;
  for (let k = 0; k < 4; ++k) dot += a[at + k]! * b[at + k]!;
  const sign = dot < 0 ? -1 : 1;
  for (let k = 0; k < 4; ++k) {
    out[at + k] = (1 - share) * a[at + k]! + sign * share * b[at + k]!;
    square += out[at + k]! ** 2;
  }
  const inverse = 1 / Math.sqrt(square || 1);
  for (let k = 0; k < 4; ++k) out[at + k]! *= inverse;
}
