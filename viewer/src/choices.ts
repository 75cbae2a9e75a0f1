// What the user can choose of what is shown, and what it is at first.
import type { Shown, Surface } from './scene/figure';

export interface Theme {
  background: string;
  ground: string;
  shadow: number;
  body: string;
  accent: string;
}

// How two methods are compared: two figures beside each other, two halves of one picture, or one in the place of the other by turns.
export type Comparison = 'side' | 'split' | 'blink';

// What the user has chosen.
export interface Choices {
  shown: Shown;
  compared: Shown | null;
  comparison: Comparison;
  blinking: boolean;  // blink: they change places by themselves, once a second
  split: number;      // split: where the right half begins, as a share of the width
  surface: Surface;
  skeleton: boolean;
  wireframe: boolean;
  level: number;     // 0: by distance
  budgetMs: number;  // 0: no limit
  crowd: number;
  playing: boolean;
  speed: number;
  follow: boolean;
}

export function firstChoices(): Choices {
  // People who asked for less movement blink by hand.
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return {
    shown: 'sinew', compared: 'linear', comparison: 'side', blinking: !still, split: 0.5, surface: 'material', skeleton: false,
    wireframe: false, level: 0, budgetMs: 0, crowd: 0, playing: false, speed: 1, follow: true,
  };
}
