// What methods, comparisons, colours and the state of contact are called.
import type { Comparison } from '../choices';
import type { Contact } from '../contact';
import { lengthText } from '../heat_scale';
import { kContactBeyond, kContactRefused } from '../runtime/runtime';
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
  ['contact', 'Contact', 'How far colliders move the skin'],
  ['error', 'Error', 'How far the figure is from the true shape'],
];

export const kLegendNames: Record<Surface, string> = {
  material: '', corrective: 'How far corrections move the skin', contact: 'How far colliders move the skin',
  error: 'Distance from the true shape',
};

// How the colliders that are on stand to the skin. size: of the body.
export function pressingText({ answered, flags, pressing }: Contact, size: number): { text: string; state: 'good' | 'warn' | 'bad' } {
  if (!answered) return { text: 'Skinning alone does not answer to colliders', state: 'warn' };
  if ((flags & kContactRefused) !== 0) return { text: 'A collider is left out: what carries it is stretched unevenly', state: 'bad' };
  const beyond = (flags & kContactBeyond) !== 0, deep = pressing === null ? '' : `${lengthText(pressing.depth, size)} deep`;
  if (pressing !== null && pressing.depth > pressing.learned) {
    return { text: `Contact ${deep}, beyond the ${lengthText(pressing.learned, size)} that Sinew learned: clamped, faded`, state: 'warn' };
  }
  // pressing null: the selected collider is off, and others are on.
  const touches = pressing === null || pressing.depth > 0, comma = pressing === null ? '' : ',';
  if (beyond) {
    const what = pressing === null ? 'Contact' : touches ? `Collider ${deep}` : 'Collider touches nothing';
    return { text: `${what}${comma} beyond the joints and poses that Sinew learned: faded there`, state: 'warn' };
  }
  return { text: touches ? `Contact within what Sinew learned${comma} ${deep}`.trim() : 'Collider touches nothing', state: 'good' };
}
