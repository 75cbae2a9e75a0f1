// The level that a distance asks for.
import type { Level } from '../runtime/runtime';

// As many vertices as pixels can show, where the body is so many pixels high. Between two levels the finer one is moved onto the coarser
// one's surface, so that nothing jumps.
export function levelFor(levels: readonly Level[], pixels: number): { level: number; towardCoarser: number } {
  const needed = (0.2 * pixels * pixels) / 8;
  const level = levels.findIndex((of) => of.vertices >= needed) + 1 || levels.length;
  if (level === 1) return { level, towardCoarser: 0 };
  const coarser = levels[level - 2]!.vertices, own = levels[level - 1]!.vertices;
  const share = (needed - coarser) / (own - coarser);
  return { level, towardCoarser: Math.min(1, Math.max(0, 1 - share / 0.3)) };
}
