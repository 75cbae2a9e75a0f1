// Begins with what was asked for first: the module, and what site.json lists, if there is one.
import { bytesOf, siteOf } from '../site';
import { sentenceOf } from '../sentence';
import { SoftApp } from './app';
import { SoftModule } from './module';
import { SoftPage } from './page';

declare global {
  interface Window {
    soft?: SoftApp;  // for tests, and for people who look inside
  }
}

async function scriptOf(url: string): Promise<unknown> {
  const text = new TextDecoder().decode(await bytesOf(url));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error('its script is no JSON');
  }
}

async function begin(): Promise<void> {
  const [wasm, listed] = [fetch('./soft.wasm'), siteOf()];
  const objects = (await listed)?.objects ?? [];
  const contents = objects.map(({ object, script, fields }) => Promise.all([
    bytesOf(object), script === undefined ? null : scriptOf(script),
    Promise.all(fields.map(async ({ name, file }) => ({ name, bytes: await bytesOf(file) })))]));
  // Whoever waits for them says what failed.
  for (const content of contents) content.catch(() => undefined);
  const app = new SoftApp(document.getElementById('canvas') as HTMLCanvasElement, await SoftModule.load(wasm)), page = new SoftPage(app);
  window.soft = app;
  for (const [i, { name }] of objects.entries()) {
    try {
      app.add(name, ...(await contents[i]!));
    } catch (error) {
      page.message(sentenceOf(name, error), 'error');
    }
  }
  const [first] = app.loaded;
  if (first !== undefined) app.show(first);
  app.run();
  document.documentElement.dataset['ready'] = 'yes';
}

begin().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  document.getElementById('messages')!.textContent = `This browser cannot show the page: ${text}`;
});
