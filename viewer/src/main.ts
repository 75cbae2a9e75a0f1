// Begins with what was asked for before (early.ts): the two modules, then what site.json lists, if there is one.
import { App, sentenceOf } from './app';
import type { Downloads, Early } from './early';
import { MotionModule } from './motion/motions';
import { Runtime } from './runtime/runtime';
import { Page } from './ui/page';

declare global {
  interface Window {
    sinew?: App;  // for tests, and for people who look inside
  }
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
      app.run();
      if (character.truth === undefined) return;
      await app.addTruthFrom(character.truth, opened);
      // Without a motion of its own it would stand still.
      if (app.clip !== null || app.current?.character !== opened) return;
      app.setClip(app.current.clips[0] ?? null);
      app.look();
    });
  }
}

// The name that people gave it, with the ending that says what it is.
function fileName(file: string, name: string): string {
  return `${name}${/\.[^./]*$/.exec(file)?.[0] ?? ''}`;
}

export async function begin(early: Early): Promise<void> {
  const [runtime, motions] = await Promise.all([Runtime.load(early.runtime), MotionModule.load(early.motions)]);
  const app = new App(document.getElementById('canvas') as HTMLCanvasElement, runtime, motions);
  new Page(app);
  window.sinew = app;
  const found = await early.downloads;
  // Runs from the first character on: drawing an empty stage before would keep it waiting.
  if (found !== null) await fill(app, found);
  app.run();
  document.documentElement.dataset['ready'] = 'yes';
}
