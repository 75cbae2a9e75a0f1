// Begins: the two modules, then what site.json lists, if there is one.
import { App, sentenceOf } from './app';
import { MotionModule } from './motion/motions';
import { Runtime } from './runtime/runtime';
import { Page } from './ui/page';

// docs/viewer.md
interface Site {
  version: number;
  characters: { name: string; bundle: string; truth?: string }[];
  motions: { name: string; file: string }[];
}

declare global {
  interface Window {
    sinew?: App;  // for tests, and for people who look inside
  }
}

async function bytesOf(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

// A site's description; null where the page stands alone.
async function siteOf(): Promise<Site | null> {
  const response = await fetch('./site.json').catch(() => null);
  if (response === null || !response.ok) return null;
  const site = (await response.json().catch(() => null)) as Site | null;
  return site !== null && site.version === 1 ? site : null;
}

interface Downloads {
  site: Site;
  characters: Promise<Uint8Array>[];
  motions: Promise<Uint8Array>[];
}

// All at once, as soon as it is known what there is.
async function download(): Promise<Downloads | null> {
  const site = await siteOf();
  if (site === null) return null;
  const characters = site.characters.map(({ bundle }) => bytesOf(bundle));
  const motions = site.motions.map(({ file }) => bytesOf(file));
  // Whoever waits for them says what failed.
  for (const bytes of [...characters, ...motions]) bytes.catch(() => undefined);
  return { site, characters, motions };
}

async function fill(app: App, { site, characters, motions }: Downloads): Promise<void> {
  const attempt = async (name: string, act: () => Promise<void>) => {
    await act().catch((error: unknown) => app.onMessage(sentenceOf(name, error), 'error'));
  };
  for (const [i, motion] of site.motions.entries()) {
    await attempt(motion.name, async () => app.addMotion(fileName(motion.file, motion.name), await motions[i]!, false));
  }
  for (const [i, character] of site.characters.entries()) {
    await attempt(character.name, async () => {
      const opened = app.addCharacter(character.name, await characters[i]!, app.current === null);
      app.readyAfter ||= performance.now();
      if (character.truth !== undefined) await app.addTruthFrom(character.truth, opened);
    });
  }
}

// The name that people gave it, with the ending that says what it is.
function fileName(file: string, name: string): string {
  return `${name}${/\.[^./]*$/.exec(file)?.[0] ?? ''}`;
}

async function begin(): Promise<void> {
  const downloads = download();
  const [runtime, motions] = await Promise.all(
    [Runtime.load(fetch('./sinew.wasm')), MotionModule.load(fetch('./motion.wasm'))]);
  const app = new App(document.getElementById('canvas') as HTMLCanvasElement, runtime, motions);
  new Page(app);
  window.sinew = app;
  app.run();
  const found = await downloads;
  if (found !== null) await fill(app, found);
  document.documentElement.dataset['ready'] = 'yes';
}

begin().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  document.getElementById('messages')!.textContent = `This browser cannot show the page: ${text}`;
});
