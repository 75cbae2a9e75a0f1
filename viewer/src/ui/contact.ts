// Colliders in the settings: which is on, what carries it, and how it is moved.
import type { App } from '../app';
import { lengthText } from '../heat_scale';
import { field, make, setText, toggle } from './elements';
import { pressingText } from './words';

export class ContactControls {
  readonly element = make('div');
  private readonly select = make('select', { 'aria-label': 'Collider' });
  private readonly chooser = field('Collider', this.select);
  private readonly on = toggle('Press the skin', (on) => this.app.setCollider(on));
  private readonly drawn = toggle('Show the collider', (on) => (this.app.contact.drawn = on));
  private readonly joint = make('select', { 'aria-label': 'Carried by' });
  private readonly press = make('button', { class: 'button', type: 'button',
    title: 'It comes from the camera to the skin that the picture is of' }, 'Press what I see');
  private readonly note = make('p', { class: 'note' });
  private listed: unknown = null;

  constructor(private readonly app: App) {
    const { contact } = app;
    this.element.style.cssText = 'display:grid;gap:12px';
    this.select.addEventListener('change', () => (contact.colliders.selected = Number(this.select.value)));
    this.joint.addEventListener('change', () => contact.carry(Number(this.joint.value)));
    this.press.addEventListener('click', () => app.press());
    this.element.append(this.chooser, this.on.element, this.drawn.element, field('Carried by', this.joint), this.press, this.note, keys());
  }

  // Whether the character has learned any.
  get any(): boolean {
    return (this.app.current?.character.contacts.length ?? 0) > 0;
  }

  refresh(): void {
    const character = this.app.current?.character;
    if (character === undefined || character === this.listed) return;
    this.listed = character;
    this.select.replaceChildren(...character.contacts.map((name, i) => new Option(name.replaceAll('_', ' '), String(i))));
    this.chooser.hidden = character.contacts.length < 2;
    this.joint.replaceChildren(new Option('nothing', '-1'),
      ...character.joints.map(({ name }, j) => new Option(name.replaceAll('_', ' '), String(j))));
  }

  update(): void {
    const { app } = this, { colliders } = app.contact, held = colliders.held[colliders.selected];
    if (held === undefined || this.element.offsetParent === null) return;
    this.select.value = String(colliders.selected);
    this.on.input.checked = held.on;
    this.drawn.input.checked = app.contact.drawn;
    this.joint.value = String(held.joint);
    this.joint.disabled = this.press.disabled = !held.on;
    setText(this.note, held.on ? `${pressingText(app.contact, app.size).text}. ${this.reachText()}` : 'It comes to the skin that you look at.');
  }

  private reachText(): string {
    const { colliders } = this.app.contact, { depth, window } = colliders.learned(colliders.selected), { size } = this.app;
    return `Learned up to ${lengthText(depth, size)} deep; skin within ${lengthText(window, size)} of it may move.`;
  }
}

function keys(): HTMLElement {
  const list: [string, string][] = [
    ['Drag', 'move it'], ['Shift, wheel', 'while dragging: nearer, farther'], ['Right button', 'drag: turn it'],
    ['A D', 'turn it left, right'], ['Z X', 'tip it'], ['Q E', 'roll it'], ['K', 'on or off'], ['O', 'show it or not'], ['P', 'press what I see'],
  ];
  return make('dl', { class: 'keys' },
    ...list.flatMap(([key, what]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, what)]));
}
