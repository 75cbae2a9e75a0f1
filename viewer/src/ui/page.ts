// The page around the picture: the top bar, messages, files, keys, themes.
import { Quaternion, type Vector3 } from 'three';
import type { App } from '../app';
import type { Theme } from '../choices';
import type { Shown, Surface } from '../scene/figure';
import { kComparisonWords } from './words';
import { isLink, linkOf, openLink } from '../link';
import { listenForFiles } from './dropped_files';
import { iconButton, make, setText } from './elements';
import { messageBox } from './messages';
import { Overlay } from './overlay';
import { Panel } from './panel';
import { kSpeeds, Transport } from './transport';

const kThemes: Record<'dark' | 'light', Theme> = {
  dark: { background: '#14161a', ground: '#77808f', shadow: 1, body: '#c8b3a2', accent: '#f0c75e' },
  light: { background: '#eef0f3', ground: '#7c8798', shadow: 0.55, body: '#c9ab95', accent: '#b3303d' },
};

// Of a collider by a key, in radians.
const kTurn = Math.PI / 36;

export class Page {
  private readonly characters = make('select', { 'aria-label': 'Character' });
  private readonly facts = make('span', { class: 'facts' });
  private readonly panel: Panel;
  private readonly transport: Transport;
  private readonly overlay: Overlay;
  private readonly panelElement = document.getElementById('panel')!;
  private readonly chooser = make('input', { type: 'file', multiple: '', accept: '.sinew,.bvh,.glb,.truth', id: 'file' });

  constructor(private readonly app: App) {
    this.panel = new Panel(app, this.panelElement);
    this.transport = new Transport(app, document.getElementById('transport')!);
    this.overlay = new Overlay(app);
    this.buildTop();
    this.buildEmpty();
    listenForFiles(this.chooser, (files) => void this.open(files));
    this.listenForKeys();
    this.applyTheme();
    window.addEventListener('hashchange', () => this.openAddress());
    app.onMessage = (text, kind) => this.message(text, kind);
    app.onChange = () => this.refresh();
    app.onFrame = () => this.update();
    this.refresh();
  }

  message(text: string, kind: 'error' | 'note'): void {
    messageBox(text, kind);
  }

  private refresh(): void {
    const { app } = this, character = app.current?.character;
    this.characters.replaceChildren(...app.loaded.map((loaded, i) => new Option(loaded.character.name, String(i))));
    this.characters.value = String(app.current === null ? -1 : app.loaded.indexOf(app.current));
    this.characters.hidden = app.loaded.length === 0;
    document.getElementById('empty')!.hidden = character !== undefined;
    document.getElementById('transport')!.style.visibility = character === undefined ? 'hidden' : 'visible';
    setText(this.facts, character === undefined ? '' : `${character.levels.length} levels, ${character.joints.length} joints, ` +
      `${(character.bytes / 1e6).toFixed(1)} MB`);
    document.title = character === undefined ? 'Sinew' : `${character.name} · Sinew`;
    this.panel.refresh();
    this.transport.refresh();
  }

  private update(): void {
    this.panel.update();
    this.transport.update();
    this.overlay.update();
  }

  private buildTop(): void {
    const { app } = this, top = document.getElementById('top')!;
    this.characters.addEventListener('change', () => app.show(app.loaded[Number(this.characters.value)]!));
    const settings = iconButton('settings', 'Settings', () => this.panelElement.classList.toggle('open'));
    const transport = document.getElementById('transport')!;
    new ResizeObserver(() => this.uncover(transport)).observe(this.panelElement);
    new MutationObserver(() => this.uncover(transport)).observe(this.panelElement, { attributeFilter: ['class'] });
    settings.id = 'panel-toggle';
    this.chooser.hidden = true;
    top.append(make('span', { class: 'brand' }, 'Sinew'), this.characters, this.facts, make('span', { class: 'grow' }),
      iconButton('near', 'Close to the largest difference', () => this.lookAtDifference()),
      iconButton('camera', 'All of the body', () => this.look()),
      iconButton('link', 'Copy a link to this', () => this.copyLink()),
      iconButton('open', 'Open files', () => this.chooser.click()),
      iconButton('theme', 'Light or dark', () => this.toggleTheme()), settings, this.chooser);
    document.getElementById('stage')!.addEventListener('pointerdown', () => this.panelElement.classList.remove('open'));
  }

  private buildEmpty(): void {
    const open = make('button', { class: 'button', type: 'button' }, 'Choose a file');
    open.addEventListener('click', () => this.chooser.click());
    document.getElementById('empty')!.append(make('h1', {}, 'Drop a character here'),
      make('p', {}, 'A bundle (.sinew) as Sinew bakes it. Then motions for it (.bvh, .glb). Nothing leaves your machine.'), open);
  }

  // On a phone the settings are a sheet over the picture.
  private uncover(transport: HTMLElement): void {
    const { classList, offsetHeight } = this.panelElement;
    const over = getComputedStyle(this.panelElement).position === 'fixed' && classList.contains('open');
    this.app.stage.cover(over ? Math.max(0, offsetHeight - transport.offsetHeight) : 0);
  }

  private look(): void {
    if (this.app.current !== null) this.app.look();
  }

  private lookAtDifference(): void {
    if (this.app.current !== null && !this.app.lookAtDifference()) this.message('In this pose the methods do not differ.', 'note');
  }

  // ---- Links ----

  // Shows what the page's address says, if it says something.
  openAddress(): void {
    if (!isLink(location.hash)) return;
    for (const problem of openLink(this.app, location.hash)) this.message(problem, 'error');
  }

  // Also into the address, from where everybody can copy it.
  private copyLink(): void {
    if (this.app.current === null) return;
    history.replaceState(null, '', linkOf(this.app));
    const there = 'The address of this page now leads to what you see.';
    const copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error('no clipboard'));
    copied.then(() => this.message(`Copied. ${there}`, 'note'), () => this.message(`${there} Copy it from above.`, 'note'));
  }

  // ---- Files ----

  // Characters first: motions need one.
  private async open(files: Iterable<File>): Promise<void> {
    const sorted = [...files].sort((a, b) => Number(b.name.endsWith('.sinew')) - Number(a.name.endsWith('.sinew')));
    for (const file of sorted) {
      try {
        await this.app.openFile(file.name, new Uint8Array(await file.arrayBuffer()));
      } catch {
        this.message(`${file.name}: the browser cannot read it`, 'error');
      }
    }
  }

  // ---- Themes ----

  private toggleTheme(): void {
    const theme = document.documentElement.dataset['theme'] === 'light' ? 'dark' : 'light';
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem('sinew-theme', theme);
    this.applyTheme();
  }
  private applyTheme(): void {
    this.app.setTheme(kThemes[document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark']);
  }

  // ---- Keys ----

  private listenForKeys(): void {
    window.addEventListener('keydown', (event) => {
      const on = event.target as HTMLElement;
      const typed = on.tagName === 'SELECT' || (on instanceof HTMLInputElement && on.type !== 'checkbox');
      if (event.ctrlKey || event.metaKey || event.altKey || (typed && event.key.startsWith('Arrow'))) return;
      if (event.key === ' ' && (on.tagName === 'BUTTON' || on.tagName === 'SUMMARY')) return;
      if (this.key(event.key.toLowerCase())) event.preventDefault();
    });
    for (const kind of ['keydown', 'pointerdown', 'wheel', 'drop']) {
      window.addEventListener(kind, () => (this.app.touched = true), { capture: true, passive: true });
    }
    window.addEventListener('keyup', (event) => {
      if (event.key.toLowerCase() === 'b') this.app.held = false;
    });
    // A key that is let go elsewhere.
    window.addEventListener('blur', () => (this.app.held = false));
  }

  private key(key: string): boolean {
    const { app } = this, { choices } = app;
    if (/^[0-9]$/.test(key)) {
      if (Number(key) <= (app.current?.character.levels.length ?? 0)) choices.level = Number(key);
      return true;
    }
    const acts: Record<string, () => void> = {
      ' ': () => (choices.playing = !choices.playing),
      arrowleft: () => app.step(-1),
      arrowright: () => app.step(1),
      arrowup: () => (choices.speed = next(kSpeeds, choices.speed, 1, false)),
      arrowdown: () => (choices.speed = next(kSpeeds, choices.speed, -1, false)),
      m: () => (choices.shown = next(this.methods(), choices.shown, 1, true)),
      c: () => (choices.compared = choices.compared === null ? (choices.shown === 'linear' ? 'sinew' : 'linear') : null),
      v: () => (choices.comparison = next(kComparisonWords.map(([value]) => value), choices.comparison, 1, true)),
      b: () => (app.held = true),
      f: () => this.lookAtDifference(),
      h: () => (choices.surface = next(this.surfaces(), choices.surface, 1, true)),
      s: () => (choices.skeleton = !choices.skeleton),
      w: () => (choices.wireframe = !choices.wireframe),
      n: () => app.current !== null && app.show(next(app.loaded, app.current, 1, true)),
      l: () => this.copyLink(),
      r: () => this.look(),
      t: () => this.toggleTheme(),
    };
    if (app.current !== null && app.current.character.contacts.length > 0) Object.assign(acts, this.contactKeys());
    acts[key]?.();
    return key in acts;
  }

  // For characters that have learned contact.
  private contactKeys(): Record<string, () => void> {
    const { app } = this, { contact, stage } = app;
    const turn = (axis: () => Vector3, by: number) => () => {
      if (contact.holds) contact.rotate(new Quaternion().setFromAxisAngle(axis(), by));
    };
    const up = () => stage.axes().up, right = () => stage.axes().right, away = () => stage.direction();
    return {
      k: () => app.setCollider(!contact.holds),
      o: () => (contact.drawn = !contact.drawn),
      p: () => app.press(),
      a: turn(up, -kTurn), d: turn(up, kTurn),
      z: turn(right, -kTurn), x: turn(right, kTurn),
      q: turn(away, -kTurn), e: turn(away, kTurn),
    };
  }

  private surfaces(): Surface[] {
    const { app } = this, pressed: Surface[] = app.contact.colliders.any ? ['contact'] : [];
    return ['material', 'corrective', ...pressed, ...(app.hasTruth() ? ['error' as const] : [])];
  }

  private methods(): Shown[] {
    return this.app.hasTruth() ? ['linear', 'dual', 'sinew', 'truth'] : ['linear', 'dual', 'sinew'];
  }
}

function next<T>(list: readonly T[], now: T, step: number, around: boolean): T {
  const at = list.indexOf(now) + step;
  return list[around ? (at + list.length) % list.length : Math.min(list.length - 1, Math.max(0, at))]!;
}
