// Motions: which, where in it, how fast.
import type { App } from '../app';
import { duration } from '../motion/pose';
import { iconButton, make, setIcon, setText } from './elements';

export const kSpeeds = [0.1, 0.25, 0.5, 1, 1.5, 2];

export class Transport {
  private readonly play;
  private readonly scrub = make('input', { type: 'range', class: 'scrub', 'aria-label': 'Time', min: '0', max: '1', step: 'any' });
  private readonly clock = make('span', { class: 'clock' });
  private readonly motions = make('select', { 'aria-label': 'Motion' });
  private readonly speed = make('select', { 'aria-label': 'Speed' });

  constructor(private readonly app: App, root: HTMLElement) {
    this.play = iconButton('play', 'Play', () => (app.choices.playing = !app.choices.playing));
    this.play.classList.add('play');
    this.scrub.addEventListener('input', () => {
      if (app.clip === null) return;
      app.choices.playing = false;
      app.setTime(this.scrub.valueAsNumber * duration(app.clip) * 0.99999);
    });
    for (const speed of kSpeeds) this.speed.append(new Option(`${speed}×`, String(speed)));
    this.speed.addEventListener('change', () => (app.choices.speed = Number(this.speed.value)));
    this.motions.addEventListener('change', () => {
      const i = Number(this.motions.value);
      app.setClip(i < 0 ? null : app.current?.clips[i] ?? null);
    });
    root.append(this.play, this.scrub, this.clock, this.motions, this.speed);
  }

  refresh(): void {
    const clips = this.app.current?.clips ?? [];
    this.motions.replaceChildren(...clips.map((clip, i) => new Option(clip.name, String(i))), new Option('By hand', '-1'));
    this.motions.value = String(this.app.clip === null ? -1 : clips.indexOf(this.app.clip));
  }

  update(): void {
    const { app } = this, { clip } = app;
    const playing = app.choices.playing && clip !== null;
    setIcon(this.play, playing ? 'pause' : 'play', playing ? 'Pause' : 'Play');
    this.play.disabled = clip === null;
    this.scrub.disabled = clip === null;
    this.speed.value = String(app.choices.speed);
    const share = clip === null ? 0 : app.time / duration(clip);
    if (document.activeElement !== this.scrub || playing) this.scrub.value = String(share);
    this.scrub.style.setProperty('--filled', `${(100 * share).toFixed(1)}%`);
    setText(this.clock, clip === null ? '' :
      clip.rate > 0 ? `${app.time.toFixed(2)} / ${duration(clip).toFixed(2)} s` : `pose ${app.frame + 1} / ${clip.frames.length}`);
  }
}
