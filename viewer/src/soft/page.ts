// The page around the picture of a soft object: the top bar, settings, what goes on, messages, files, keys, themes.
import { sentenceOf } from '../sentence';
import { messageBox } from '../ui/messages';
import { listenForFiles } from '../ui/dropped_files';
import { iconButton, make, setIcon, setText } from '../ui/elements';
import type { SoftApp } from './app';
import { kLargestStretch, type Palette } from './drawing';
import { kTurn } from './hand';
import { SoftPanel } from './panel';
import { kHeatGradient } from '../scene/heat';
import { flagsText } from './words';

const kPalettes: Record<'dark' | 'light', Palette> = {
  dark: {
    background: '#14161a', body: '#c8a48c', outline: '#f3ddcc', mesh: '#5a3d2c66', collider: '#46618f', colliderEdge: '#7d9ccd',
    floor: '#20242b', floorEdge: '#48505e', accent: '#f0c75e', text: '#e7e9ee',
  },
  light: {
    background: '#eef0f3', body: '#dcb79b', outline: '#8a5a3a', mesh: '#8a5a3a4d', collider: '#7191c4', colliderEdge: '#46618f',
    floor: '#d9dee6', floorEdge: '#a9b2c0', accent: '#c2410c', text: '#1b1f27',
  },
};
const kSpeeds = [0.1, 0.25, 0.5, 1];

export class SoftPage {
  private readonly objects = make('select', { 'aria-label': 'Object' });
  private readonly facts = make('span', { class: 'facts' });
  private readonly panelElement = document.getElementById('panel')!;
  private readonly panel: SoftPanel;
  private readonly play: HTMLButtonElement;
  private readonly clock = make('span', { class: 'clock' });
  private readonly speed = make('select', { 'aria-label': 'Speed' });
  private readonly who = make('span', { class: 'chip' });
  private readonly state = make('span', { class: 'chip', id: 'step-state' });
  private readonly dashed = make('span', { class: 'chip' }, 'Dashed: the linear shape, without learned dents');
  private readonly legend = document.getElementById('legend')!;
  private readonly legendLongest = make('div');
  private readonly chooser = make('input', { type: 'file', multiple: '', accept: '.soft,.dent', id: 'file' });

  constructor(private readonly app: SoftApp) {
    this.panel = new SoftPanel(app, this.panelElement);
    this.play = iconButton('pause', 'Pause', () => (app.choices.playing = !app.choices.playing));
    this.buildTop();
    this.buildTransport();
    this.buildOverlay();
    listenForFiles(this.chooser, (files) => void this.open(files));
    this.listenForKeys();
    this.applyTheme();
    app.onMessage = (text, kind) => this.message(text, kind);
    app.onChange = () => this.refresh();
    app.onFrame = () => this.update();
    this.refresh();
  }

  message(text: string, kind: 'error' | 'note'): void {
    messageBox(text, kind);
  }

  private refresh(): void {
    const { app } = this, { current } = app;
    this.objects.replaceChildren(...app.loaded.map(({ object }, i) => new Option(object.name, String(i))));
    this.objects.value = String(current === null ? -1 : app.loaded.indexOf(current));
    this.objects.hidden = app.loaded.length === 0;
    document.getElementById('empty')!.hidden = current !== null;
    document.getElementById('transport')!.style.visibility = current === null ? 'hidden' : 'visible';
    const object = current?.object;
    setText(this.facts, object === undefined ? '' : `${object.handles.length} handles, ${(object.triangles.length / 3).toLocaleString('en')} triangles, `
      + `${object.points.toLocaleString('en')} contact points`);
    document.title = object === undefined ? 'Sinew' : `${object.name} · Sinew`;
    this.panel.refresh();
  }

  private update(): void {
    const { app } = this, { play, choices } = app;
    this.panel.update();
    setIcon(this.play, choices.playing ? 'pause' : 'play', choices.playing ? 'Pause' : 'Play');
    this.speed.value = String(choices.speed);
    this.who.hidden = this.state.hidden = this.legend.hidden = play === null;
    this.dashed.hidden = play?.comparing !== true;
    if (play === null) return;
    setText(this.clock, `${play.time.toFixed(2)} s`);
    setText(this.who, play.touched ? 'In your hands: R restarts' : 'The scene plays until you take something');
    const { text, state } = flagsText(app);
    if (this.state.textContent !== text) this.state.replaceChildren(make('i'), text);
    this.state.classList.toggle('warn', state === 'warn');
    this.state.classList.toggle('bad', state === 'bad');
    this.legend.hidden = !choices.stretch;
    setText(this.legendLongest, `largest now ${(100 * app.drawing.largestStretch).toFixed(0)}%`);
  }

  private buildTop(): void {
    const { app } = this, top = document.getElementById('top')!;
    this.objects.addEventListener('change', () => app.show(app.loaded[Number(this.objects.value)]!));
    const settings = iconButton('settings', 'Settings', () => this.panelElement.classList.toggle('open'));
    settings.id = 'panel-toggle';
    this.chooser.hidden = true;
    top.append(make('span', { class: 'brand' }, 'Sinew'), this.objects, this.facts, make('span', { class: 'grow' }),
      iconButton('camera', 'All of it', () => app.view.fit()), iconButton('open', 'Open files', () => this.chooser.click()),
      iconButton('theme', 'Light or dark', () => this.toggleTheme()), settings, this.chooser);
    document.getElementById('stage')!.addEventListener('pointerdown', () => this.panelElement.classList.remove('open'));
    const open = make('button', { class: 'button', type: 'button' }, 'Choose a file');
    open.addEventListener('click', () => this.chooser.click());
    document.getElementById('empty')!.append(make('h1', {}, 'Drop a soft object here'),
      make('p', {}, 'An object (.soft) as sinew dynamics --save-object writes it, then learned contact for it (.dent). Nothing leaves your machine.'), open);
  }

  private buildTransport(): void {
    const { app } = this;
    this.play.classList.add('play');
    const step = make('button', { class: 'button', type: 'button', title: 'One step, and stay (→)' }, 'Step');
    step.addEventListener('click', () => this.stepOnce());
    const reset = make('button', { class: 'button', type: 'button', title: 'From the start, by the script (R)' }, 'Restart');
    reset.addEventListener('click', () => app.reset());
    for (const speed of kSpeeds) this.speed.append(new Option(`${speed}×`, String(speed)));
    this.speed.addEventListener('change', () => (app.choices.speed = Number(this.speed.value)));
    document.getElementById('transport')!.append(this.play, step, reset, make('span', { style: 'flex:1' }), this.clock, this.speed);
  }

  private buildOverlay(): void {
    document.getElementById('status')!.append(this.who, this.state, this.dashed);
    const bar = make('div', { class: 'bar' });
    bar.style.background = kHeatGradient;
    this.legend.style.bottom = '16px';
    this.legend.append(make('div', {}, 'Largest change of a length'), bar,
      make('div', { class: 'ends' }, make('span', {}, '0'), make('span', {}, `${100 * kLargestStretch}%`)), this.legendLongest);
  }

  private stepOnce(): void {
    this.app.choices.playing = false;
    this.app.step();
  }

  // Objects first: fields need one.
  private async open(files: Iterable<File>): Promise<void> {
    const sorted = [...files].sort((a, b) => Number(b.name.endsWith('.soft')) - Number(a.name.endsWith('.soft')));
    for (const file of sorted) {
      try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (file.name.toLowerCase().endsWith('.dent')) this.app.addField(file.name, bytes);
        else if (file.name.toLowerCase().endsWith('.soft')) this.app.add(file.name.replace(/\.soft$/i, ''), bytes, null, []);
        else throw new Error('is neither a soft object (.soft) nor learned contact (.dent)');
      } catch (error) {
        this.message(sentenceOf(file.name, error), 'error');
      }
    }
  }

  private toggleTheme(): void {
    const theme = document.documentElement.dataset['theme'] === 'light' ? 'dark' : 'light';
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem('sinew-theme', theme);
    this.applyTheme();
  }
  private applyTheme(): void {
    this.app.palette = kPalettes[document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark'];
  }

  private listenForKeys(): void {
    const { app } = this, { choices } = app;
    const next = () => {
      const at = app.current === null ? -1 : app.loaded.indexOf(app.current);
      if (app.loaded.length > 1) app.show(app.loaded[(at + 1) % app.loaded.length]!);
    };
    const acts: Record<string, () => void> = {
      ' ': () => (choices.playing = !choices.playing),
      arrowright: () => this.stepOnce(),
      r: () => app.reset(),
      g: () => (choices.gravity = !choices.gravity),
      f: () => (choices.dents = !choices.dents),
      c: () => (choices.comparing = app.play?.comparable === true && !choices.comparing),
      q: () => app.hand.turn(kTurn),
      e: () => app.hand.turn(-kTurn),
      w: () => (choices.triangles = !choices.triangles),
      s: () => (choices.handles = !choices.handles),
      h: () => (choices.stretch = !choices.stretch),
      v: () => app.view.fit(),
      n: next,
      t: () => this.toggleTheme(),
    };
    window.addEventListener('keydown', (event) => {
      const on = event.target as HTMLElement, key = event.key.toLowerCase();
      const typed = on.tagName === 'SELECT' || (on instanceof HTMLInputElement && on.type !== 'checkbox');
      if (event.ctrlKey || event.metaKey || event.altKey || (typed && key.startsWith('arrow')) || !(key in acts)) return;
      if (key === ' ' && (on.tagName === 'BUTTON' || on.tagName === 'SUMMARY')) return;
      acts[key]!();
      event.preventDefault();
    });
  }
}
