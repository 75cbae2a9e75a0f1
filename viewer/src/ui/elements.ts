// The few controls that the page is made of: plain elements, so that keyboards and screen readers know them.

type Child = Node | string | null;

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {},
  ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child): child is Node | string => child !== null));
  return element;
}

const kIcons = {
  play: '<path d="M5 3.200v9.600L13 8z"/>',
  pause: '<path d="M4.500 3h2.600v10H4.500zM9 3h2.600v10H9z"/>',
  open: '<path d="M2 5V3.500h4L7.500 5H14v8H2zM8 7v4M6 9h4"/>',
  theme: '<circle cx="8" cy="8" r="5.500"/><path d="M8 2.500v11a5.500 5.500 0 0 0 0-11z" fill="currentColor"/>',
  settings: '<path d="M2.500 5h6M12 5h1.500M2.500 11H4M7.500 11h6"/><circle cx="10.200" cy="5" r="1.700"/><circle cx="5.700" cy="11" r="1.700"/>',
  near: '<circle cx="7" cy="7" r="4.200"/><path d="M10.200 10.200 14 14M7 5.200v3.600M5.200 7h3.600"/>',
  link: '<path d="M6.600 9.400a2.600 2.600 0 0 0 3.700 0l2.400-2.400a2.600 2.600 0 0 0-3.700-3.700l-.8.8M9.400 6.600a2.600 2.600 0 0 0-3.700 0L3.300 9a2.600 2.600 0 0 0 3.700 3.700l.8-.8"/>',
  camera: '<path d="M2.500 6V3.500a1 1 0 0 1 1-1H6M10 2.500h2.500a1 1 0 0 1 1 1V6M13.500 10v2.500a1 1 0 0 1-1 1H10M6 13.500H3.500a1 1 0 0 1-1-1V10"/><circle cx="8" cy="8" r="1.600"/>',
};

export function iconButton(icon: keyof typeof kIcons, label: string, act: () => void): HTMLButtonElement {
  const button = make('button', { class: 'button icon', type: 'button' });
  setIcon(button, icon, label);
  button.addEventListener('click', act);
  return button;
}
export function setIcon(button: HTMLButtonElement, icon: keyof typeof kIcons, label: string): void {
  if (button.title === label) return;
  button.title = label;
  button.setAttribute('aria-label', label);
  const solid = icon === 'play' || icon === 'pause' ? ' class="solid"' : '';
  button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"${solid}>${kIcons[icon]}</svg>`;
}

export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  const details = make('details', {}, make('summary', {}, title), make('div', { class: 'body' }, ...children));
  details.open = open;
  return details;
}

export function field(name: string, control: HTMLElement, value: HTMLOutputElement | null = null): HTMLDivElement {
  return make('div', { class: 'field' }, make('div', { class: 'name' }, name, value), control);
}

// One of a few choices.
export class Segments<T extends string | number> {
  readonly element = make('fieldset', { class: 'segments' });
  private static count = 0;
  private readonly inputs = new Map<T, HTMLInputElement>();

  private readonly meanings = new Map<T, string>();

  // Options: value, what stands on it, and what that means.
  constructor(label: string, options: (readonly [T, string, string?])[], choose: (value: T) => void) {
    const name = `segments-${(Segments.count += 1)}`;
    this.element.setAttribute('aria-label', label);
    for (const [value, text, meaning = ''] of options) {
      const input = make('input', { type: 'radio', name, value: String(value) });
      input.addEventListener('change', () => choose(value));
      this.inputs.set(value, input);
      this.meanings.set(value, meaning);
      this.element.append(make('label', { title: meaning }, input, make('span', {}, text)));
    }
  }

  set value(value: T) {
    const input = this.inputs.get(value);
    if (input !== undefined && !input.checked) input.checked = true;
  }
  show(value: T, shown: boolean): void {
    const label = this.inputs.get(value)?.parentElement;
    if (label != null && label.hidden === shown) label.hidden = !shown;
  }
  enable(value: T, enabled: boolean, why: string): void {
    const input = this.inputs.get(value);
    if (input === undefined || input.disabled === !enabled) return;
    input.disabled = !enabled;
    input.parentElement!.title = enabled ? this.meanings.get(value) ?? '' : why;
  }
}

export class Slider {
  readonly input = make('input', { type: 'range' });
  readonly output = make('output');
  readonly element: HTMLDivElement;

  constructor(name: string, private min: number, private max: number, step: number,
    private readonly format: (value: number) => string, change: (value: number) => void) {
    this.element = field(name, this.input, this.output);
    this.input.setAttribute('aria-label', name);
    this.input.step = String(step);
    this.setRange(min, max);
    this.input.addEventListener('input', () => {
      change(this.input.valueAsNumber);
      this.show(this.input.valueAsNumber);
    });
  }

  setRange(min: number, max: number): void {
    this.min = min;
    this.max = max;
    this.input.min = String(min);
    this.input.max = String(max);
  }
  set value(value: number) {
    if (document.activeElement !== this.input || Math.abs(this.input.valueAsNumber - value) > 1e-3) {
      this.input.value = String(value);
    }
    this.show(value);
  }
  private show(value: number): void {
    const share = this.max > this.min ? (100 * (value - this.min)) / (this.max - this.min) : 0;
    this.input.style.setProperty('--filled', `${share.toFixed(1)}%`);
    const text = this.format(value);
    if (this.output.value !== text) this.output.value = text;
  }
}

export function toggle(name: string, change: (on: boolean) => void): { element: HTMLElement; input: HTMLInputElement } {
  const input = make('input', { type: 'checkbox', role: 'switch' });
  input.addEventListener('change', () => change(input.checked));
  return { element: make('label', { class: 'switch' }, name, input), input };
}

// Sets text only where it changes: most of it does not from frame to frame.
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
