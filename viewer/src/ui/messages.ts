// Sentences for people, over the page.
import { make } from './elements';

export function messageBox(text: string, kind: 'error' | 'note'): void {
  const close = make('button', { type: 'button', 'aria-label': 'Close' }, '✕');
  const box = make('div', { class: `message ${kind}` }, make('span', {}, text), close);
  close.addEventListener('click', () => box.remove());
  const list = document.getElementById('messages')!;
  // Said again, it is not said twice.
  for (const other of [...list.children]) if (other.firstElementChild?.textContent === text) other.remove();
  list.append(box);
  while (list.children.length > 3) list.firstElementChild!.remove();
  setTimeout(() => box.remove(), kind === 'error' ? 12000 : 5000);
}
