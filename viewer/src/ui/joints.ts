// Joints turned by hand, inside their limits.
import type { App } from '../app';
import type { Angles } from '../motion/motions';
import { field, make, Slider } from './elements';

const kNames = ['Bend', 'Side', 'Twist'] as const;
const kDegrees = 180 / Math.PI;

export class JointControls {
  readonly element = make('div');
  private readonly select = make('select', { 'aria-label': 'Joint' });
  private readonly sliders: Slider[];
  private readonly reset = make('button', { class: 'button', type: 'button' }, 'Rest pose');
  private readonly save = make('button', { class: 'button', type: 'button', title: 'A .bvh file: drop it here again, or give it to '
    + 'sinew poses --from' }, 'Save pose');
  private angles: Angles = [0, 0, 0];
  private listed: unknown = null;

  constructor(private readonly app: App) {
    this.element.style.cssText = 'display:grid;gap:12px';
    this.sliders = kNames.map((name, k) => new Slider(name, -90, 90, 0.5, (value) => `${Math.round(value) + 0}°`, (value) => {
      this.angles[k] = value / kDegrees;
      this.app.turn(this.joint, this.angles);
    }));
    this.select.addEventListener('change', () => this.setRanges());
    this.reset.addEventListener('click', () => app.resetPose());
    this.save.addEventListener('click', () => this.download());
    this.element.append(field('Joint', this.select), ...this.sliders.map((slider) => slider.element),
      make('div', { class: 'row' }, this.reset, this.save),
      make('p', { class: 'note' }, 'Moving a slider stops the motion and goes on from its pose.'));
  }

  private download(): void {
    try {
      const { name, text } = this.app.poseFile(), address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
      make('a', { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    } catch (error) {
      this.app.onMessage(error instanceof Error ? error.message : String(error), 'error');
    }
  }

  private get joint(): number {
    return Number(this.select.value);
  }

  refresh(): void {
    const current = this.app.current;
    if (current === this.listed) return;
    this.listed = current;
    this.select.replaceChildren();
    current?.character.joints.forEach((joint, j) => {
      if (current.skeleton?.range(j).kind === 'limited') this.select.append(new Option(joint.name.replaceAll('_', ' '), String(j)));
    });
    const elbow = [...this.select.options].find((option) => /elbow|forearm|lowerarm/i.test(option.text));
    if (elbow !== undefined) this.select.value = elbow.value;
    this.setRanges();
  }

  update(): void {
    const skeleton = this.app.current?.skeleton;
    if (this.element.offsetParent === null || skeleton == null || this.select.value === '') return;
    if (this.sliders.some((slider) => slider.input === document.activeElement) && this.app.clip === null) return;
    this.angles = skeleton.angles(this.joint, this.app.pose);
    this.sliders.forEach((slider, k) => (slider.value = this.angles[k]! * kDegrees));
  }

  private setRanges(): void {
    const skeleton = this.app.current?.skeleton;
    if (skeleton == null || this.select.value === '') return;
    const range = skeleton.range(this.joint);
    [range.bend, range.side, range.twist].forEach(([min, max], k) => {
      const slider = this.sliders[k]!;
      slider.setRange(min * kDegrees, max * kDegrees);
      slider.input.disabled = max - min < 1e-6;
      slider.element.hidden = slider.input.disabled;
    });
  }
}
