// The settings beside the picture.
import type { App } from '../app';
import type { Comparison } from '../choices';
import type { Shown, Surface } from '../scene/figure';
import { ContactControls } from './contact';
import { JointControls } from './joints';
import { field, make, section, Segments, setText, Slider, toggle } from './elements';
import { rateText, TimingTable } from './timing_table';
import { kComparisonWords, kShownWords, kSurfaceWords } from './words';

const kBits: Record<string, number> = { f32: 32, f16: 16, i8: 8 };
const kNoTruth = 'Only motions that came with true shapes have them';
// The right end of the budget's scale: no limit.
const kBudgetSteps = 100;

export class Panel {
  private readonly shown: Segments<Shown>;
  private readonly compared: Segments<Shown | 'off'>;
  private readonly comparison: Segments<Comparison>;
  private readonly surface: Segments<Surface>;
  private levels: Segments<number>;
  private readonly levelBody = make('div', { class: 'field' });
  private readonly levelNote = make('p', { class: 'note' });
  private readonly blinking;
  private readonly skeleton;
  private readonly wireframe;
  private readonly follow;
  private readonly budget: Slider;
  private readonly crowd: Slider;
  private readonly crowdNote = make('p', { class: 'note' });
  private readonly times: TimingTable;
  private readonly joints: JointControls;
  private readonly contact: ContactControls;
  private readonly contactSection: HTMLElement;
  private levelCount = 0;

  constructor(private readonly app: App, root: HTMLElement) {
    const { choices } = app;
    this.shown = new Segments('Show', kShownWords, (value) => (choices.shown = value));
    this.compared = new Segments<Shown | 'off'>('Compare with', [['off', 'Off', 'One figure alone'], ...kShownWords],
      (value) => (choices.compared = value === 'off' ? null : value));
    this.comparison = new Segments('How to compare', kComparisonWords, (value) => (choices.comparison = value));
    this.blinking = toggle('Blink by itself', (on) => (choices.blinking = on));
    this.surface = new Segments('Colours', kSurfaceWords, (value) => (choices.surface = value));
    this.levels = this.makeLevels(0);
    this.skeleton = toggle('Skeleton', (on) => (choices.skeleton = on));
    this.wireframe = toggle('Wireframe', (on) => (choices.wireframe = on));
    this.follow = toggle('Camera follows', (on) => (choices.follow = on));
    this.budget = new Slider('Time limit for Sinew', 0, kBudgetSteps, 1, (step) => budgetText(budgetOf(step)),
      (step) => (choices.budgetMs = budgetOf(step)));
    this.crowd = new Slider('More of them', 0, 100, 1, (count) => (count === 0 ? 'none' : String(count)),
      (count) => (choices.crowd = count));
    this.times = new TimingTable(app);
    this.joints = new JointControls(app);
    this.contact = new ContactControls(app);
    this.contactSection = section('Contact', true, this.contact.element);
    root.append(
      section('Compare', true, field('Show', this.shown.element), field('Compare with', this.compared.element),
        this.comparison.element, this.blinking.element),
      this.contactSection,
      section('Detail level', true, this.levelBody, this.levelNote),
      section('Look', true, field('Colours', this.surface.element), this.skeleton.element, this.wireframe.element, this.follow.element),
      section('Time of a frame', true, this.times.element, this.budget.element),
      section('Pose by hand', false, this.joints.element),
      section('Crowd', false, this.crowd.element, this.crowdNote),
      section('Keys', false, keys()));
  }

  // Lists have changed.
  refresh(): void {
    const character = this.app.current?.character;
    this.contactSection.hidden = !this.contact.any;
    this.surface.show('contact', this.contact.any);
    if (character === undefined) return;
    if (character.levels.length !== this.levelCount) this.levels = this.makeLevels(character.levels.length);
    this.joints.refresh();
    this.contact.refresh();
  }

  update(): void {
    const { app } = this, { choices } = app;
    this.shown.value = choices.shown;
    this.compared.value = choices.compared ?? 'off';
    this.comparison.value = choices.comparison;
    this.comparison.element.hidden = choices.compared === null;
    this.blinking.input.checked = choices.blinking;
    this.blinking.element.hidden = choices.compared === null || choices.comparison !== 'blink';
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
    const pressed = app.contact.colliders.any;
    this.surface.enable('contact', pressed, 'Only where a collider presses the skin');
    if (!pressed && choices.surface === 'contact') choices.surface = 'material';
    if (app.current === null || app.result === null) return;
    const level = app.current.character.level(app.result.level);
    setText(this.levelNote, `${level.vertices.toLocaleString('en')} vertices, ${level.triangles.toLocaleString('en')} triangles` +
      (level.precision === '' ? '' : `; corrections in ${kBits[level.precision]} bits`));
    this.times.update();
    this.joints.update();
    this.contact.update();
    const at_levels = app.crowdLevels.map((count, i) => (count > 0 ? `${count} at detail level ${i + 1}` : '')).filter(Boolean);
    setText(this.crowdNote, choices.crowd === 0 ? 'Each at the detail level that its distance asks for.' :
      `${at_levels.join(', ')}: ${app.crowdVertices.toLocaleString('en')} vertices, ` +
      `${app.timings.crowd.value.toFixed(1)} ms to evaluate, ${rateText(app.framesPerSecond)} frames a second.`);
  }

  private makeLevels(count: number): Segments<number> {
    this.levelCount = count;
    const options: [number, string][] = [[0, 'Auto'], ...Array.from({ length: count }, (_, i) => [i + 1, String(i + 1)] as [number, string])];
    const levels = new Segments('Detail level', options, (value) => (this.app.choices.level = value));
    this.levelBody.replaceChildren(levels.element);
    return levels;
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
    ['Space', 'play or pause'], ['← →', 'one frame'], ['↑ ↓', 'faster, slower'], ['0 – 9', 'detail level; 0: automatic'],
    ['M', 'show another method'], ['C', 'compare'], ['V', 'side by side, split, blink'], ['B', 'hold: the two change places'],
    ['H', 'colours'], ['S', 'skeleton'], ['W', 'wireframe'], ['N', 'next character'], ['F', 'close to the largest difference'],
    ['R', 'all of the body'], ['L', 'copy a link to this'], ['T', 'light or dark'],
  ];
  return make('dl', { class: 'keys' },
    ...list.flatMap(([key, what]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, what)]));
}
