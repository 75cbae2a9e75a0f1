// Begins with what was asked for before (early.ts): the two modules, then what site.json lists, if there is one.
import { App } from './app';
import type { Downloads, Early } from './early';
import { sentenceOf } from './sentence';
import { isLink } from './link';
import { MotionModule } from './motion/motions';
import { Runtime } from './runtime/runtime';
import { Page } from './ui/page';

declare global {
  interface Window {
    sinew?: App;  // for tests, and for people who look inside
  }
}

// How long the first picture waits for true shapes: without a motion they say what it is of.
const kWaitForTruth = 500;

async function fill(app: App, { site, characters, motions }: Downloads): Promise<void> {
  const attempt = async (name: string, act: () => Promise<void>) => {
    await act().catch((error: unknown) => app.onMessage(sentenceOf(name, error), 'error'));
  };
  // A link may lead to anything that is here.
  const linked = isLink(location.hash);
  for (const [i, motion] of site.motions.entries()) {
    await attempt(motion.name, async () => app.addMotion(fileName(motion.file, motion.name), await motions[i]!, false));
  }
  for (const [i, character] of site.characters.entries()) {
    await attempt(character.name, async () => {
      const opened = app.addCharacter(character.name, await characters[i]!, app.current === null);
      app.readyAfter ||= performance.now();
      if (character.truth === undefined) return;
      const still = app.current?.character === opened && app.current.clips.length === 0;
      const truth = app.addTruthFrom(character.truth, opened);
      if (linked) return truth;
      await Promise.race([truth, new Promise((done) => setTimeout(done, kWaitForTruth))]).catch(() => undefined);
      app.run();
      await truth;
      if (still && !app.touched) app.openAtDifference();
    });
    if (!linked) app.run();
  }
}

// The name that people gave it, with the ending that says what it is.
function fileName(file: string, name: string): string {
  return `${name}${/\.[^./]*$/.exec(file)?.[0] ?? ''}`;
}

export async function begin(early: Early): Promise<void> {
  const [runtime, motions] = await Promise.all([Runtime.load(early.runtime), MotionModule.load(early.motions)]);
  const app = new App(document.getElementById('canvas') as HTMLCanvasElement, runtime, motions);
  const page = new Page(app);
  window.sinew = app;
  const found = await early.downloads;
  // Runs from the first character on: drawing an empty stage before would keep it waiting.
  if (found !== null) await fill(app, found);
  page.openAddress();
  app.run();
  document.documentElement.dataset['ready'] = 'yes';
}
