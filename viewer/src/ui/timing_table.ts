// What the frame on screen costs: each figure that is shown, with its method and level, and drawing.
import type { App } from '../app';
import type { FigureTimes } from '../timings';
import { make, setText } from './elements';
import { kShownNames } from './words';

const kNone = '–';

interface Column {
  head: HTMLTableCellElement;
  corrections: HTMLTableCellElement;
  surface: HTMLTableCellElement;
  total: HTMLTableCellElement;
}

export class TimingTable {
  readonly element = make('div', { class: 'body-times' });
  private readonly note = make('p', { class: 'note' });
  private readonly columns: Column[] = [makeColumn(), makeColumn()];
  private readonly draw = make('td');
  private readonly rate = make('td');

  constructor(private readonly app: App) {
    const row = (name: string, meaning: string, type: string, part: keyof Column) =>
      make('tr', { class: type, title: meaning }, make('td', {}, name), ...this.columns.map((column) => column[part]));
    this.element.append(this.note, make('table', { class: 'times' },
      make('tr', {}, make('th', {}, 'Milliseconds'), ...this.columns.map(({ head }) => head)),
      row('Corrections', 'Asking what was learned how muscle and skin move in this pose', '', 'corrections'),
      row('Surface', 'Moving every vertex: corrections, skinning, normals', '', 'surface'),
      row('Together', 'What Sinew or skinning takes of a frame', 'sum', 'total')),
    make('table', { class: 'times' },
      make('tr', { title: 'The page\'s own work, for all figures' }, make('td', {}, 'Drawing'), this.draw),
      make('tr', {}, make('td', {}, 'Pictures a second'), this.rate)));
  }

  update(): void {
    const { app } = this, { timings, choices, current } = app;
    [timings.first, timings.second].forEach((times, i) => {
      const column = this.columns[i]!;
      for (const cell of Object.values(column) as HTMLElement[]) cell.hidden = i === 1 && choices.compared === null;
      fill(column, times);
    });
    const level = timings.first.level, vertices = current?.character.levels[level - 1]?.vertices ?? 0;
    setText(this.note, `Detail level ${level}: ${vertices.toLocaleString('en')} vertices`);
    setText(this.draw, `${milliseconds(timings.draw.value)} ms`);
    setText(this.rate, rateText(app.framesPerSecond));
  }
}

function makeColumn(): Column {
  return { head: make('th'), corrections: make('td'), surface: make('td'), total: make('td') };
}

// Skinning has no corrections, and a true shape is read from a file.
function fill(column: Column, times: FigureTimes): void {
  const timed = times.shown !== null && times.shown !== 'truth';
  setText(column.head, times.shown === null ? '' : kShownNames[times.shown].replace(/ skinning$/, ''));
  setText(column.corrections, times.shown === 'sinew' ? milliseconds(times.corrections) : kNone);
  setText(column.surface, timed ? milliseconds(times.surface) : kNone);
  setText(column.total, timed ? milliseconds(times.total.value) : 'from a file');
}

export function rateText(rate: number): string {
  return rate.toFixed(rate < 10 ? 1 : 0);
}

function milliseconds(value: number): string {
  return value < 0.005 ? '0.00' : value.toFixed(value < 10 ? 2 : 1);
}
