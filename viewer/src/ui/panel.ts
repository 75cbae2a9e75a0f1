// The settings beside the picture.
import type { App } from '../app';
import type { Shown, Surface } from '../scene/figure';
import { JointControls } from './joints';
import { make, section, Segments, setText, Slider, toggle } from './elements';
import { rateText, TimingTable } from './timing_table';

export const kShownNames: Record<Shown, string> = {
  linear: 'Linear blend', dual: 'Dual quaternion', sinew: 'Sinew', truth: 'Truth',
};
const kShortNames: [Shown, string][] = [['linear', 'Linear'], ['dual', 'Dual q.'], ['sinew', 'Sinew'], ['truth', 'Truth']];
const kNoTruth = 'Only motions that came with true shapes have them';
// The right end of the budget's scale: no limit.
const kBudgetSteps = 100;

export class Panel {
  private readonly shown: Segments<Shown>;
  private readonly compared: Segments<Shown | 'off'>;
  private readonly surface: Segments<Surface>;
  private levels: Segments<number>;
  private readonly levelBody = make('div', { class: 'field' });
  private readonly levelNote = make('p', { class: 'note' });
  private readonly skeleton;
  private readonly wireframe;
  private readonly follow;
  private readonly budget: Slider;
  private readonly crowd: Slider;
  private readonly crowdNote = make('p', { class: 'note' });
  private readonly times: TimingTable;
  private readonly joints: JointControls;
  private levelCount = 0;

  constructor(private readonly app: App, root: HTMLElement) {
    const { choices } = app;
    this.shown = new Segments('Method', kShortNames, (value) => (choices.shown = value));
    this.compared = new Segments<Shown | 'off'>('Compare with', [['off', 'Off'], ...kShortNames],
      (value) => (choices.compared = value === 'off' ? null : value));
    this.surface = new Segments<Surface>('Surface', [['material', 'Material'], ['corrective', 'Corrective'], ['error', 'Error']],
      (value) => (choices.surface = value));
    this.levels = this.makeLevels(0);
    this.skeleton = toggle('Skeleton', (on) => (choices.skeleton = on));
    this.wireframe = toggle('Wireframe', (on) => (choices.wireframe = on));
    this.follow = toggle('Follow the body', (on) => (choices.follow = on));
    this.budget = new Slider('Time budget', 0, kBudgetSteps, 1, (step) => budgetText(budgetOf(step)),
      (step) => (choices.budgetMs = budgetOf(step)));
    this.crowd = new Slider('Others', 0, 100, 1, (count) => (count === 0 ? 'none' : String(count)),
      (count) => (choices.crowd = count));
    this.times = new TimingTable(app);
    this.joints = new JointControls(app);
    root.append(
      section('Method', true, this.field('Show', this.shown.element), this.field('Compare with', this.compared.element)),
      section('Level of detail', true, this.levelBody, this.levelNote),
      section('Surface', true, this.surface.element, this.skeleton.element, this.wireframe.element, this.follow.element),
      section('Time', true, this.budget.element, this.times.element),
      section('Joints', false, this.joints.element),
      section('Crowd', false, this.crowd.element, this.crowdNote),
      section('Keys', false, keys()));
  }

  // Lists have changed.
  refresh(): void {
    const character = this.app.current?.character;
    if (character === undefined) return;
    if (character.levels.length !== this.levelCount) this.levels = this.makeLevels(character.levels.length);
    this.joints.refresh();
  }

  update(): void {
    const { app } = this, { choices } = app;
    this.shown.value = choices.shown;
    this.compared.value = choices.compared ?? 'off';
    this.surface.value = choices.surface;
    this.levels.value = choices.level;
    this.skeleton.input.checked = choices.skeleton;
    this.wireframe.input.checked = choices.wireframe;
    this.follow.input.checked = choices.follow;
    this.budget.value = stepOf(choices.budgetMs);
    this.crowd.value = choices.crowd;
    const truth = app.hasTruth();
    this.shown.enable('truth', truth, kNoTruth);
    this.compared.enable('truth', truth, kNoTruth);
    this.surface.enable('error', truth, kNoTruth);
    if (!truth && choices.shown === 'truth') choices.shown = 'sinew';
    if (!truth && choices.compared === 'truth') choices.compared = null;
    if (!truth && choices.surface === 'error') choices.surface = 'material';
    if (app.current === null || app.result === null) return;
    const level = app.current.character.level(app.result.level);
    setText(this.levelNote, `${level.vertices.toLocaleString('en')} vertices, ${level.triangles.toLocaleString('en')} triangles` +
      (level.precision === '' ? '' : `, ${level.precision} modes`));
    this.times.update();
    this.joints.update();
    const at_levels = app.crowdLevels.map((count, i) => (count > 0 ? `${count} at level ${i + 1}` : '')).filter(Boolean);
    setText(this.crowdNote, choices.crowd === 0 ? 'Each at the level that its distance asks for.' :
      `${at_levels.join(', ')}: ${app.crowdVertices.toLocaleString('en')} vertices, ` +
      `${app.timings.crowd.value.toFixed(1)} ms to evaluate, ${rateText(app.framesPerSecond)} frames a second.`);
  }

  private makeLevels(count: number): Segments<number> {
    this.levelCount = count;
    const options: [number, string][] = [[0, 'Auto'], ...Array.from({ length: count }, (_, i) => [i + 1, String(i + 1)] as [number, string])];
    const levels = new Segments('Level of detail', options, (value) => (this.app.choices.level = value));
    this.levelBody.replaceChildren(levels.element);
    return levels;
  }

  private field(name: string, control: HTMLElement): HTMLElement {
    return make('div', { class: 'field' }, make('div', { class: 'name' }, name), control);
  }
}

// 0.02 to 20 ms on a logarithmic scale; the last step is no limit.
function budgetOf(step: number): number {
  return step >= kBudgetSteps ? 0 : 0.02 * 1000 ** (step / (kBudgetSteps - 1));
}
function stepOf(budget: number): number {
  return budget === 0 ? kBudgetSteps : Math.round(((kBudgetSteps - 1) * Math.log(budget / 0.02)) / Math.log(1000));
}
function budgetText(budget: number): string {
  return budget === 0 ? 'no limit' : `${budget.toPrecision(2)} ms`;
}

function keys(): HTMLElement {
  const list: [string, string][] = [
    ['Space', 'play or pause'], ['← →', 'one frame'], ['↑ ↓', 'faster, slower'], ['0 – 9', 'level; 0 by distance'],
    ['M', 'next method'], ['C', 'compare'], ['H', 'heat map'], ['S', 'skeleton'], ['W', 'wireframe'],
    ['N', 'next character'], ['R', 'look at it again'], ['T', 'light or dark'],
  ];
  return make('dl', { class: 'keys' },
    ...list.flatMap(([key, what]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, what)]));
}
