// The page in headless Chromium, on a character that `sinew view` serves: what its tests share. SINEW_FIXTURE, SINEW_PAGE, SINEW,
// SINEW_PICTURES: the files of scripts/viewer, the built page, the program, and where pictures go.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as timeless } from 'node:test';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

export const fixture = process.env['SINEW_FIXTURE']!, site_page = process.env['SINEW_PAGE']!, program = process.env['SINEW']!;
const pictures = process.env['SINEW_PICTURES']!;
export const kDesktop = { width: 1280, height: 800 }, kPhone = { width: 390, height: 844 };
export const kHeight = 1.7;

export const test = (name: string, act: () => Promise<void> | void) => timeless(name, { timeout: 60000 }, async () => act());

// A browser, and the server that users run.
export class Viewer {
  readonly problems: string[] = [];
  private constructor(readonly browser: BrowserContext, readonly address: string, private readonly server: ChildProcess,
    private readonly profile: string) {}

  // shown: what `sinew view` is called with; without it a small character with its truth.
  static async start(shown?: string[]): Promise<Viewer> {
    mkdirSync(pictures, { recursive: true });
    const profile = mkdtempSync(join(tmpdir(), 'sinew_viewer_'));
    const browser = await chromium.launchPersistentContext(profile, {
      executablePath: '/usr/bin/chromium', headless: true,
      args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run',
        '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
    const file = (name: string) => join(fixture, name);
    const character = [file('body_i8.sinew'), '--motion', file('body.glb'), '--dataset', file('body.dataset'), '--hierarchy', file('body.lod'),
      '--truth-frames', '8'];
    const server = spawn(program, ['view', ...(shown ?? character), '--page', site_page], { stdio: ['ignore', 'pipe', 'inherit'] });
    return new Viewer(browser, await addressOf(server), server, profile);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.server.removeAllListeners('exit');
    this.server.kill('SIGINT');
    rmSync(this.profile, { recursive: true, force: true });
  }

  async open(url: string, size = kDesktop, theme: 'dark' | 'light' = 'dark'): Promise<Page> {
    const opened = await this.browser.newPage();
    opened.setDefaultTimeout(20000);
    await opened.emulateMedia({ colorScheme: theme });
    await opened.setViewportSize(size);
    opened.on('pageerror', (error) => this.problems.push(error.message));
    await opened.goto(url);
    await opened.waitForFunction(() => document.documentElement.dataset['ready'] === 'yes', null, { timeout: 60000 });
    return opened;
  }
}

// The address is the first thing that the server prints.
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let text = '';
    server.stdout!.on('data', (more: Buffer) => {
      text += more.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(text);
      if (url !== null) found(url[0]);
    });
    server.on('exit', () => failed(new Error(`sinew view ended: ${text}`)));
  });
}

export const choose = (on: Page, section: string, option: string) =>
  on.locator(`fieldset[aria-label="${section}"] label`, { hasText: new RegExp(`^${option}$`) }).click();

export async function drop(on: Page, name: string, bytes: Uint8Array): Promise<void> {
  await on.evaluate(({ name: file, base64 }) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], file));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  }, { name, base64: Buffer.from(bytes).toString('base64') });
}

export async function picture(on: Page, name: string): Promise<void> {
  // What earlier tests were told.
  await on.evaluate(() => document.getElementById('messages')!.replaceChildren());
  await on.waitForTimeout(400);
  await on.screenshot({ path: join(pictures, `${name}.png`) });
}
