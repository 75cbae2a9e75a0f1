// What lies over the picture: the divider between its halves, what each half shows, the state of the frame, the heat
// map's scale.
import type { App } from '../app';
import { kHeatGradient } from '../scene/heat';
import { make, setText } from './elements';
import { kShownNames } from './panel';

export class Overlay {
  private readonly divider = document.getElementById('divider')!;
  private readonly left = make('span');
  private readonly right = make('span');
  private readonly range = make('span', { class: 'chip' });
  private readonly level = make('span', { class: 'chip' });
  private readonly truth = make('span', { class: 'chip warn' });
  private readonly carried = make('span', { class: 'chip', title: 'The motion is another body\'s. To see limbs brought out of '
    + 'this one, carry it over with: sinew poses CHARACTER --from MOTION -o walk.poses, and show that.' },
  'Another body\'s motion: limbs may pass through this one');
  private readonly legend = document.getElementById('legend')!;
  private readonly legendName = make('div');
  private readonly legendEnd = make('span');
  private readonly legendLongest = make('div');

  constructor(private readonly app: App) {
    document.getElementById('labels')!.append(this.left, this.right);
    document.getElementById('status')!.append(this.level, this.range, this.carried, this.truth);
    const bar = make('div', { class: 'bar' });
    bar.style.background = kHeatGradient;
    this.legend.append(this.legendName, bar, make('div', { class: 'ends' }, make('span', {}, '0'), this.legendEnd), this.legendLongest);
    this.drag();
  }

  update(): void {
    const { app } = this, { choices, result } = app;
    const split = app.current !== null && choices.compared !== null;
    this.divider.hidden = !split;
    this.left.hidden = this.right.hidden = !split;
    if (split) {
      const at = 100 * choices.split;
      this.divider.style.left = `${at}%`;
      this.divider.setAttribute('aria-valuenow', at.toFixed(0));
      this.left.style.left = `${at / 2}%`;
      this.right.style.left = `${50 + at / 2}%`;
      setText(this.left, kShownNames[choices.shown]);
      setText(this.right, kShownNames[choices.compared!]);
    }
    this.level.hidden = this.range.hidden = result === null;
    this.truth.hidden = result === null || !(result.truthMissing || (split && app.otherResult?.truthMissing === true));
    setText(this.truth, 'true shape on its way');
    this.carried.hidden = result === null || app.clip?.carried !== true;
    if (result === null) return;
    this.showLevel();
    this.showRange();
    this.showLegend();
  }

  private showLevel(): void {
    const { app } = this, of = app.current!.character.levels.length;
    const why = app.interrupted ? ', out of time' : app.choices.level === 0 ? ', by distance' : '';
    const text = `Level ${app.result!.level} of ${of}${why}`;
    if (this.level.textContent === text) return;
    this.level.replaceChildren(make('i'), text);
    this.level.classList.toggle('warn', app.interrupted);
  }

  // The runtime says how far the pose is from what was trained: from 0 to 1 correctives fade, from there some are gone.
  private showRange(): void {
    const { app } = this, outside = app.result!.outOfRange;
    this.range.hidden = app.choices.shown !== 'sinew';
    const text = outside <= 0 ? 'Within the trained range'
      : outside < 1 ? `Outside the trained range: fading, ${Math.round(100 * outside)}%` : 'Far outside: some correctives are off';
    if (this.range.textContent === text) return;
    this.range.replaceChildren(make('i'), text);
    this.range.classList.toggle('warn', outside > 0 && outside < 1);
    this.range.classList.toggle('bad', outside >= 1);
  }

  private showLegend(): void {
    const { app } = this, shown = app.choices.surface !== 'material' && app.heatLongest > 0;
    this.legend.hidden = !shown;
    if (!shown) return;
    setText(this.legendName, app.choices.surface === 'error' ? 'Distance from the truth' : 'Corrective before skinning');
    const { length, name } = app.heatUnit, text = (of: number) => `${numberText(of / length)}${name}`;
    setText(this.legendEnd, text(app.heatScale));
    setText(this.legendLongest, `largest now ${text(app.heatLongest)}`);
  }

  private drag(): void {
    const { divider, app } = this, stage = document.getElementById('stage')!;
    const place = (x: number) => {
      const box = stage.getBoundingClientRect();
      app.choices.split = Math.min(0.95, Math.max(0.05, (x - box.left) / box.width));
    };
    divider.addEventListener('pointerdown', (event) => {
      divider.setPointerCapture(event.pointerId);
      place(event.clientX);
    });
    divider.addEventListener('pointermove', (event) => {
      if (divider.hasPointerCapture(event.pointerId)) place(event.clientX);
    });
    divider.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowLeft' ? -0.02 : event.key === 'ArrowRight' ? 0.02 : 0;
      if (step === 0) return;
      app.choices.split = Math.min(0.95, Math.max(0.05, app.choices.split + step));
      event.stopPropagation();
      event.preventDefault();
    });
  }
}

function numberText(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2);
}
