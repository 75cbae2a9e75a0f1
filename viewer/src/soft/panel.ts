// The settings beside the picture of a soft object.
import { field, make, section, setText, Segments, Slider, toggle } from '../ui/elements';
import type { SoftApp } from './app';

const kStrengths = 20;  // steps of the scale, from a tenth to ten times

export class SoftPanel {
  private readonly gravity;
  private readonly dents;
  private readonly comparing;
  private readonly dentsNote = make('p', { class: 'note' });
  private readonly triangles;
  private readonly handles;
  private readonly colours: Segments<'material' | 'stretch'>;
  private readonly strength: Slider;
  private readonly cells = { median: make('td'), most: make('td'), iterations: make('td'), of: make('td') };

  constructor(private readonly app: SoftApp, root: HTMLElement) {
    const { choices } = app;
    this.gravity = toggle('Gravity', (on) => (choices.gravity = on));
    this.dents = toggle('Learned dents', (on) => (choices.dents = on));
    this.comparing = toggle('The linear shape beside it', (on) => (choices.comparing = on));
    this.triangles = toggle('Triangles', (on) => (choices.triangles = on));
    this.handles = toggle('Handles', (on) => (choices.handles = on));
    this.colours = new Segments('Colours', [['material', 'Material'], ['stretch', 'Stretch', 'The largest change of a length in each triangle']],
      (value) => (choices.stretch = value === 'stretch'));
    this.strength = new Slider('Strength of your pull', -kStrengths / 2, kStrengths / 2, 1, (step) => `${strengthOf(step).toPrecision(2)}×`,
      (step) => (choices.strength = strengthOf(step)));
    const row = (name: string, meaning: string, cell: HTMLElement) => make('tr', { title: meaning }, make('td', {}, name), cell);
    root.append(
      section('Simulation', true, this.gravity.element, this.strength.element),
      section('Learned contact', true, this.dents.element, this.comparing.element, this.dentsNote),
      section('Drawing', true, field('Colours', this.colours.element), this.triangles.element, this.handles.element),
      section('Time of a step', true, make('table', { class: 'times' },
        row('Median', 'Of the last steps, milliseconds in this browser', this.cells.median),
        row('99% within', 'Of the last steps', this.cells.most),
        row('Iterations', 'Of Newton\'s method, at most 12', this.cells.iterations),
        row('It stands for', 'What a step is in the scene', this.cells.of))),
      section('Mouse and keys', true, keys()));
  }

  refresh(): void {
    const fields = this.app.current?.fields ?? [];
    this.dents.input.disabled = this.comparing.input.disabled = fields.length === 0;
    if (fields.length === 0) this.app.choices.comparing = false;
    setText(this.dentsNote, fields.length === 0 ? 'Drop a field of this object (.dent) here, or give it with --field.'
      : `Acts on colliders of the shape that ${fields.map(({ name }) => name).join(', ')} was trained with.`);
  }

  update(): void {
    const { choices, times, play } = this.app;
    this.gravity.input.checked = choices.gravity;
    this.dents.input.checked = choices.dents && !this.dents.input.disabled;
    this.comparing.input.checked = choices.comparing;
    this.triangles.input.checked = choices.triangles;
    this.handles.input.checked = choices.handles;
    this.colours.value = choices.stretch ? 'stretch' : 'material';
    this.strength.value = Math.round((kStrengths / 2) * Math.log10(choices.strength));
    const milliseconds = (value: number) => `${value.toFixed(2)} ms`;
    setText(this.cells.median, milliseconds(times.quantile(0.5)));
    setText(this.cells.most, milliseconds(times.quantile(0.99)));
    setText(this.cells.iterations, times.iterations.toFixed(1));
    setText(this.cells.of, play === null ? '' : milliseconds(1000 * play.scene.step));
  }
}

function strengthOf(step: number): number {
  return 10 ** (step / (kStrengths / 2));
}

function keys(): HTMLElement {
  const list: [string, string][] = [
    ['Drag', 'a collider, or the object by its nearest handle'], ['Right button', 'drag: turn a collider; or the wheel while dragging'],
    ['Q E', 'turn the last collider'], ['Space', 'play or pause'], ['→', 'one step'], ['R', 'restart'], ['G', 'gravity'],
    ['F', 'learned dents'], ['C', 'the linear shape'], ['H', 'stretch'], ['W', 'triangles'], ['S', 'handles'], ['V', 'all of it'],
    ['N', 'next object'], ['T', 'light or dark'],
  ];
  return make('dl', { class: 'keys' },
    ...list.flatMap(([key, what]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, what)]));
}
