// What methods, comparisons and colours are called.
import type { Comparison } from '../choices';
import type { Shown, Surface } from '../scene/figure';

export const kShownNames: Record<Shown, string> = {
  linear: 'Linear blend skinning', dual: 'Dual quaternion skinning', sinew: 'Sinew', truth: 'True shape',
};

// A choice: its value, what stands on it, and what that means.
export type Word<T> = [value: T, text: string, meaning: string];

export const kShownWords: Word<Shown>[] = [
  ['linear', 'Linear', 'Linear blend skinning: what engines do without Sinew'],
  ['dual', 'Dual q.', 'Dual quaternion skinning: keeps the volume of twisted limbs, bulges where they bend'],
  ['sinew', 'Sinew', 'Skinning with the corrections for muscle and skin that Sinew has learned'],
  ['truth', 'Truth', 'The shape that Sinew learns from: simulated flesh, or what another program made'],
];

export const kComparisonWords: Word<Comparison>[] = [
  ['side', 'Side by side', 'Two whole figures, seen from the same side in the same light'],
  ['split', 'Split', 'Two halves of one picture; drag the line between them'],
  ['blink', 'Blink', 'One in the place of the other, once a second or while B is held'],
];

export const kSurfaceWords: Word<Surface>[] = [
  ['material', 'Material', 'The character\'s own colours, clay if it has none'],
  ['corrective', 'Corrections', 'How far Sinew moves the skin before skinning it'],
  ['error', 'Error', 'How far the figure is from the true shape'],
];
