// What is needed first, asked for before the program itself is here, so that all of it comes at once.

import { bytesOf, siteOf, type Site } from './site';

export interface Downloads {
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

export interface Early {
  runtime: Promise<Response>;
  motions: Promise<Response>;
  downloads: Promise<Downloads | null>;
}

const early: Early = { runtime: fetch('./sinew.wasm'), motions: fetch('./motion.wasm'), downloads: download() };

import('./main').then(({ begin }) => begin(early)).catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  document.getElementById('messages')!.textContent = `This browser cannot show the page: ${text}`;
});
