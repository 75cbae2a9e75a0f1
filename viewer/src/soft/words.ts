// What the state of the simulation is called.
import type { SoftApp } from './app';
import { kBadCollider, kBadField, kBadStep, kBadTarget, kNotConverged, kTooFast } from './module';

// What the last steps took and could not do.
export function flagsText({ times, flags, behind, play }: SoftApp): { text: string; state: 'good' | 'warn' | 'bad' } {
  const step = `${times.quantile(0.5).toFixed(2)} ms a step`;
  if ((flags & (kBadStep | kBadCollider | kBadTarget | kBadField)) !== 0) {
    return { text: `${step}; a number is out of range, and what has it is left out`, state: 'bad' };
  }
  if ((flags & kTooFast) !== 0) return { text: `${step}; the object was stopped, it had become too fast`, state: 'bad' };
  if (behind) return { text: `${step}: slower than real time`, state: 'warn' };
  const limited = times.share(kNotConverged);
  if (limited > 0) return { text: `${step}; ${Math.ceil(100 * limited)}% of them ended at the limit of iterations`, state: 'warn' };
  const touching = play?.report.touching ?? 0;
  return { text: touching > 0 ? `${step}, ${touching} points touch` : step, state: 'good' };
}
