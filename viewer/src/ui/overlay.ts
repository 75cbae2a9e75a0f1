// What lies over the picture: what each of its figures is, the divider between halves, the button that lets them change places, the
// state of the frame, the heat map's scale.
import type { App } from '../app';
import { kHeatGradient } from '../scene/heat';
import type { Cell } from '../scene/stage';
import { make, setText } from './elements';
import { kLegendNames, kShownNames, pressingText } from './words';

export class Overlay {
  private readonly divider = document.getElementById('divider')!;
  private readonly seam = document.getElementById('seam')!;
  private readonly swap = document.getElementById('swap')!;
  private readonly left = make('span');
  private readonly right = make('span');
  private readonly range = make('span', { class: 'chip' });
  private readonly level = make('span', { class: 'chip' });
  private readonly contact = make('span', { class: 'chip', id: 'contact-state' });
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
    document.getElementById('status')!.append(this.level, this.range, this.contact, this.carried, this.truth);
    const bar = make('div', { class: 'bar' });
    bar.style.background = kHeatGradient;
    this.legend.append(this.legendName, bar, make('div', { class: 'ends' }, make('span', {}, '0'), this.legendEnd), this.legendLongest);
    this.drag();
    this.holdToSwap();
  }

  update(): void {
    const { app } = this, { choices, result } = app;
    const compared = app.current !== null && choices.compared !== null;
    this.showComparison(compared);
    this.level.hidden = this.range.hidden = result === null;
    this.truth.hidden = result === null || !(result.truthMissing || (compared && app.otherResult?.truthMissing === true));
    setText(this.truth, 'true shape on its way');
    this.carried.hidden = result === null || app.clip?.carried !== true;
    this.contact.hidden = result === null || !app.contact.colliders.any;
    if (result === null) return;
    this.showLevel();
    this.showRange();
    this.showContact();
    this.showLegend();
  }

  // Labels stand at the bottom of the picture, or of the half, that they name.
  private showComparison(compared: boolean): void {
    const { app } = this, { choices } = app, blink = choices.comparison === 'blink';
    this.divider.hidden = !compared || choices.comparison !== 'split';
    this.seam.hidden = !compared || choices.comparison !== 'side';
    this.swap.hidden = !compared;
    this.left.hidden = !compared;
    this.right.hidden = !compared || blink;
    if (!compared) return;
    const names = [kShownNames[choices.shown], kShownNames[choices.compared!]] as const, cells = app.stage.cells();
    setText(this.left, names[app.swapped ? 1 : 0]);
    setText(this.right, names[app.swapped ? 0 : 1]);
    const whole = cells[0]!, at = choices.split * whole.width;
    const halves: [Cell, Cell] = choices.comparison === 'split'
      ? [{ ...whole, width: at }, { ...whole, x: at, width: whole.width - at }] : [whole, cells[1] ?? whole];
    [this.left, this.right].forEach((label, i) => {
      label.style.left = `${halves[i]!.x + halves[i]!.width / 2}px`;
      label.style.top = `${halves[i]!.y + halves[i]!.height - 40}px`;
    });
    this.divider.style.left = `${at}px`;
    this.divider.style.height = `${whole.height}px`;
    this.divider.setAttribute('aria-valuenow', (100 * choices.split).toFixed(0));
    this.placeSeam(whole, cells[1] ?? whole);
    // Above the label, which is as wide as a narrow half.
    this.swap.style.top = `${halves[1].y + halves[1].height - 86}px`;
  }

  private placeSeam(first: Cell, second: Cell): void {
    const across = second.x > 0, { style } = this.seam;
    style.left = `${second.x}px`;
    style.top = `${across ? 0 : second.y}px`;
    style.width = across ? '1px' : `${first.width}px`;
    style.height = across ? `${first.height}px` : '1px';
  }

  private showLevel(): void {
    const { app } = this, of = app.current!.character.levels.length;
    const why = app.interrupted ? ': out of time' : app.choices.level === 0 ? ', automatic' : '';
    const text = `Detail level ${app.result!.level} of ${of}${why}`;
    if (this.level.textContent === text) return;
    this.level.replaceChildren(make('i'), text);
    this.level.classList.toggle('warn', app.interrupted);
  }

  // The runtime says how far the pose is from what was trained: from 0 to 1 correctives fade, from there some are gone.
  private showRange(): void {
    const { app } = this, outside = app.result!.outOfRange;
    this.range.hidden = app.choices.shown !== 'sinew';
    const text = outside <= 0 ? 'Pose within what Sinew learned'
      : outside < 1 ? `Pose beyond what Sinew learned: corrections ${Math.round(100 * outside)}% faded`
        : 'Pose far beyond what Sinew learned: some corrections are off';
    if (this.range.textContent === text) return;
    this.range.replaceChildren(make('i'), text);
    this.range.classList.toggle('warn', outside > 0 && outside < 1);
    this.range.classList.toggle('bad', outside >= 1);
  }

  private showContact(): void {
    if (this.contact.hidden) return;
    const { text, state } = pressingText(this.app.contact, this.app.size);
    if (this.contact.textContent === text) return;
    this.contact.replaceChildren(make('i'), text);
    this.contact.classList.toggle('warn', state === 'warn');
    this.contact.classList.toggle('bad', state === 'bad');
  }

  private showLegend(): void {
    const { app } = this, shown = app.choices.surface !== 'material' && app.heat.longest > 0;
    this.legend.hidden = !shown;
    if (!shown) return;
    setText(this.legendName, kLegendNames[app.choices.surface]);
    setText(this.legendEnd, app.heat.text(app.heat.end));
    setText(this.legendLongest, `largest now ${app.heat.text(app.heat.longest)}`);
  }

  private holdToSwap(): void {
    const { swap, app } = this;
    swap.addEventListener('pointerdown', (event) => {
      swap.setPointerCapture(event.pointerId);
      app.held = true;
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture', 'blur', 'keyup']) {
      swap.addEventListener(end, () => (app.held = false));
    }
    swap.addEventListener('keydown', (event) => {
      if (event.key === ' ' || event.key === 'Enter') app.held = true;
    });
    swap.addEventListener('contextmenu', (event) => event.preventDefault());
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
