// What a frame costs: per level its networks and its surface, the sum, and drawing.
import type { App } from '../app';
import { make, setText } from './elements';

const kColours = ['#3b7ea1', '#6fb98f', '#f0c75e', '#e07a3f', '#b3303d', '#8f6fb9'];

export class TimingTable {
  readonly element = make('div', { class: 'body-times' });
  private readonly table = make('table', { class: 'times' });
  private readonly bars = make('div', { class: 'bars', 'aria-hidden': 'true' });
  private rows: { row: HTMLTableRowElement; cells: HTMLTableCellElement[]; bar: HTMLElement }[] = [];
  private readonly total = make('td');
  private readonly draw = make('td');
  private readonly rate = make('td');

  constructor(private readonly app: App) {
    this.element.style.display = 'grid';
    this.element.style.gap = '10px';
    this.element.append(this.bars, this.table);
  }

  update(): void {
    const { timings } = this.app;
    if (this.rows.length !== timings.levels.length) this.build(timings.levels.length);
    const total = Math.max(1e-6, timings.levels.reduce((sum, l) => sum + (l.reached ? l.networks.value + l.surface.value : 0), 0));
    timings.levels.forEach((level, i) => {
      const { row, cells, bar } = this.rows[i]!;
      row.classList.toggle('off', !level.reached);
      setText(cells[0]!, level.reached ? milliseconds(level.networks.value) : '–');
      setText(cells[1]!, level.reached ? milliseconds(level.surface.value) : '–');
      const share = level.reached ? (100 * (level.networks.value + level.surface.value)) / total : 0;
      bar.style.width = `${share.toFixed(1)}%`;
    });
    setText(this.total, `${milliseconds(timings.total.value)} ms`);
    setText(this.draw, `${milliseconds(timings.draw.value)} ms`);
    setText(this.rate, rateText(this.app.framesPerSecond));
  }

  private build(levels: number): void {
    this.table.replaceChildren(make('tr', {}, make('th', {}, 'Level'), make('th', {}, 'networks'), make('th', {}, 'surface, ms')));
    this.bars.replaceChildren();
    this.rows = Array.from({ length: levels }, (_, i) => {
      const cells = [make('td'), make('td')], bar = make('i');
      bar.style.background = kColours[i % kColours.length]!;
      const dot = make('span');
      dot.style.cssText = `display:inline-block;width:8px;height:8px;border-radius:2px;margin-right:7px;background:${kColours[i % kColours.length]}`;
      const row = make('tr', {}, make('td', {}, dot, String(i + 1)), ...cells);
      this.table.append(row);
      this.bars.append(bar);
      return { row, cells, bar };
    });
    const wide = (name: string, cell: HTMLTableCellElement, type: string) => {
      cell.colSpan = 2;
      return make('tr', { class: type }, make('td', {}, name), cell);
    };
    this.table.append(wide('Runtime', this.total, 'sum'), wide('Drawing', this.draw, ''), wide('Frames a second', this.rate, ''));
  }
}

export function rateText(rate: number): string {
  return rate.toFixed(rate < 10 ? 1 : 0);
}

function milliseconds(value: number): string {
  return value < 0.005 ? '0.00' : value.toFixed(value < 10 ? 2 : 1);
}
