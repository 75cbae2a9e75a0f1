// Files that are dropped on the page, or chosen.
export function listenForFiles(chooser: HTMLInputElement, open: (files: Iterable<File>) => void): void {
  const veil = document.getElementById('drop')!;
  chooser.addEventListener('change', () => {
    open([...(chooser.files ?? [])]);
    chooser.value = '';
  });
  let inside = 0;
  window.addEventListener('dragenter', () => (veil.hidden = (inside += 1) === 0));
  window.addEventListener('dragleave', () => (veil.hidden = (inside = Math.max(0, inside - 1)) === 0));
  window.addEventListener('dragover', (event) => event.preventDefault());
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    inside = 0;
    veil.hidden = true;
    open(event.dataTransfer?.files ?? []);
  });
}
