// What the page opens with, how it compares two methods, its light and its times: in headless Chromium, by the pixels that it draws.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
import type { App } from '../src/app';
import type { Comparison } from '../src/choices';
import type { Instance } from '../src/runtime/runtime';
import { choose, drop, fixture, picture, site_page, test, Viewer } from './browser';
import { serve } from './server';

declare global {
  interface Window {
    // Added by addTools(): the pixels of a frame drawn now, and of part of its width.
    pixels(): ImageData;
    part(of: ImageData, from: number, to: number): number[];
    // How far Sinew is from linear skinning on the coarsest level, vertex by vertex; or how much nearer to the truth.
    differences(pose: Float32Array, truth?: number): Float64Array;
  }
}

let viewer: Viewer, page: Page;

async function addTools(on: Page): Promise<void> {
  await on.evaluate(() => {
    const app = () => window.sinew as App;
    window.pixels = () => {
      app().drawFrame();
      const { canvas } = app().stage, copy = document.createElement('canvas');
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = copy.getContext('2d')!;
      context.drawImage(canvas, 0, 0);
      return context.getImageData(0, 0, copy.width, copy.height);
    };
    window.part = ({ data, width }, from, to) => Array.from(data).filter((_, i) => {
      const x = (i >> 2) % width;
      return x >= from && x < to;
    });
    window.differences = (pose, truth) => {
      const { instance } = (app() as unknown as { figure: { instance: Instance } }).figure;
      const shape = (method: 'linear' | 'sinew') => {
        instance.evaluate(pose, { level: 1, method });
        return instance.positions(1).slice();
      };
      const linear = shape('linear'), sinew = shape('sinew'), exact = new Float32Array(linear.length);
      if (truth !== undefined) app().current!.truth!.coarsest(truth, exact);
      const far = (a: Float32Array, b: Float32Array, i: number) => Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!, a[i + 2]! - b[i + 2]!);
      return Float64Array.from({ length: linear.length / 3 }, (_, v) => truth === undefined ? far(linear, sinew, 3 * v)
        : Math.max(0, far(linear, exact, 3 * v) - far(sinew, exact, 3 * v)));
    };
  });
}

// Sets choices, and what the page draws then.
async function compare(comparison: Comparison, compared: 'linear' | 'sinew' | null): Promise<void> {
  await page.evaluate(([how, other]) => {
    const { choices } = window.sinew as App;
    Object.assign(choices, { shown: 'sinew', comparison: how, compared: other, blinking: false, playing: false, level: 3, split: 0.5 });
  }, [comparison, compared] as const);
}

before(async () => {
  viewer = await Viewer.start();
  // Time stands still until the page is ready, so that its search for a frame to open at never runs out of time.
  await viewer.browser.addInitScript(() => {
    const now = performance.now.bind(performance);
    performance.now = () => (document.documentElement.dataset['ready'] === 'yes' ? now() : 0);
  });
  page = await viewer.open(viewer.address);
  await addTools(page);
});

after(async () => viewer.stop());

test('opens paused at the frame of the largest difference, close to its place, compared side by side', async () => {
  const found = await page.evaluate(() => {
    const app = window.sinew as App, { choices, stage } = app, clips = app.current!.clips.filter(({ truth }) => truth === undefined);
    const score = (pose: Float32Array) => {
      const lengths = window.differences(pose);
      return (lengths.reduce((sum, length) => sum + length ** 4, 0) / lengths.length) ** 0.25;
    };
    const all = clips.flatMap((clip) => clip.frames.map(score));
    app.drawFrame();
    const lengths = window.differences(app.pose), worst = lengths.indexOf(Math.max(...lengths));
    const { instance } = (app as unknown as { figure: { instance: Instance } }).figure;
    // Squared differences around the middle of the picture, and around the vertex that differs most.
    const positions = instance.positions(1).slice(), { target } = stage.controls, point = target.clone();
    const around = (place: typeof target) => lengths.reduce((sum, length, v) =>
      sum + (point.fromArray(positions, 3 * v).distanceTo(place) <= 0.07 * app.size ? length ** 2 : 0), 0);
    const seen = around(target), most = around(target.clone().fromArray(positions, 3 * worst));
    const near = stage.camera.position.distanceTo(target);
    stage.camera.updateMatrixWorld();
    const { x, y } = target.clone().project(stage.camera), at = [x, y];
    const { shown, compared, comparison, playing } = choices;
    app.look();
    const whole = stage.camera.position.distanceTo(stage.controls.target);
    app.openAtDifference();
    return { mine: score(app.pose), best: Math.max(...all), least: Math.min(...all), seen, most, at, near, whole, shown, compared, comparison, playing };
  });
  assert.deepEqual([found.shown, found.compared, found.comparison, found.playing], ['sinew', 'linear', 'side', false]);
  assert.ok(found.best > 1.2 * found.least, 'frames differ');
  assert.ok(found.mine > 0.95 * found.best, `${found.mine} at the frame that is shown, ${found.best} at the best one`);
  // Bodies are the same left and right, so that the vertex that differs most may have its like on the other side.
  assert.ok(found.seen > 0.9 * found.most, `${found.seen} in the middle of the picture, ${found.most} around the largest difference`);
  assert.ok(Math.max(...found.at.map(Math.abs)) < 0.6, `its middle is at ${found.at.join(', ')} of the picture`);
  assert.ok(found.near < 0.75 * found.whole, `from ${found.near} m; all of the body is seen from ${found.whole} m`);
  await picture(page, 'opening');
});

test('with true shapes alone it opens where Sinew is nearest to them in comparison', async () => {
  await viewer.browser.route('**/site.json', async (route) => {
    const site = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...site, motions: [] } });
  });
  const still = await viewer.open(viewer.address);
  await viewer.browser.unroute('**/site.json');
  await addTools(still);
  const found = await still.evaluate(() => {
    const app = window.sinew as App;
    const score = (pose: Float32Array, truth: number) => {
      const lengths = window.differences(pose, truth);
      return (lengths.reduce((sum, length) => sum + length ** 4, 0) / lengths.length) ** 0.25;
    };
    const all = app.current!.clips.flatMap((clip) => clip.frames.map((pose, f) => score(pose, clip.truth![f]!)));
    app.drawFrame();
    return { playing: app.choices.playing, mine: score(app.pose, app.clip!.truth![app.frame]!), best: Math.max(...all) };
  });
  assert.equal(found.playing, false);
  assert.ok(found.best > 0 && found.mine > 0.95 * found.best, `${found.mine} at the frame that is shown, ${found.best} at the best one`);
  await still.close();
});

test('without a motion it opens with one joint bent', async () => {
  const { url, server } = await serve(site_page);
  const alone = await viewer.open(url);
  await drop(alone, 'body.sinew', readFileSync(join(fixture, 'body_i8.sinew')));
  await alone.waitForFunction(() => (window.sinew as App).result !== null);
  const turned = await alone.evaluate(() => {
    const { clip, pose, current } = window.sinew as App, rest = current!.character.restPose;
    return { clip, joints: current!.character.joints.filter((_, j) => [3, 4, 5, 6].some((k) => Math.abs(pose[10 * j + k]! - rest[10 * j + k]!) > 1e-3)).length };
  });
  assert.deepEqual(turned, { clip: null, joints: 1 });
  await alone.close();
  server.close();
  await page.bringToFront();
});

test('two figures side by side have the same camera, pose and light', async () => {
  await compare('side', 'sinew');
  const halves = () => page.evaluate(() => {
    const now = window.pixels(), half = now.width / 2, a = window.part(now, 0, half), b = window.part(now, half, now.width);
    // The edges of shadows are grainy, and the grain is the screen's.
    return { other: a.filter((value, i) => Math.abs(value - b[i]!) > 40).length, all: a.length, plain: a.every((value, i) => value === a[i % 4]) };
  });
  const same = await halves();
  assert.ok(same.other < 2e-4 * same.all, `the same method twice differs in ${same.other} of ${same.all}`);
  assert.equal(same.plain, false, 'there is something in it');
  await compare('side', 'linear');
  assert.ok((await halves()).other > 2e-3 * same.all, 'two methods are not');
  // They change places as long as B is held.
  const left = () => page.evaluate(() => {
    const now = window.pixels();
    return window.part(now, 0, now.width / 2).join();
  });
  const first = await left();
  await page.keyboard.down('b');
  const swapped = await left();
  await page.keyboard.up('b');
  assert.notEqual(swapped, first);
  assert.equal(await left(), first);
  await page.evaluate(() => ((window.sinew as App).choices.shown = 'linear'));
  assert.equal(swapped, await left());
});

test('halves and blinking show what each method shows alone', async () => {
  const all = () => page.evaluate(() => Array.from(window.pixels().data).join());
  const half = (from: number) => page.evaluate((at) => {
    const now = window.pixels();
    return window.part(now, at * now.width, (at + 0.5) * now.width).join();
  }, from);
  await compare('split', null);
  const sinew = await all(), sinew_left = await half(0);
  await page.evaluate(() => ((window.sinew as App).choices.shown = 'linear'));
  const linear = await all(), linear_right = await half(0.5);
  assert.notEqual(sinew, linear);
  await compare('split', 'linear');
  assert.equal(await half(0), sinew_left);
  assert.equal(await half(0.5), linear_right);
  await picture(page, 'split');
  await compare('blink', 'linear');
  assert.equal(await all(), sinew);
  // The button is held as the key is.
  const button = (await page.locator('#swap').boundingBox())!;
  await page.mouse.move(button.x + 10, button.y + 10);
  await page.mouse.down();
  assert.equal(await all(), linear);
  await page.mouse.up();
  assert.equal(await all(), sinew);
});

test('blinks by itself once a second, and says which one it is', async () => {
  await choose(page, 'How to compare', 'Blink');
  await page.locator('label', { hasText: 'Blink by itself' }).click();
  // Of a clock that the test sets, half a second at a time: a busy machine draws few frames in a second.
  const seen = await page.evaluate(async () => {
    const labels = () => [...document.querySelectorAll<HTMLElement>('#labels span')].filter(({ hidden }) => !hidden).map(({ textContent }) => textContent).join();
    const frame = () => new Promise(requestAnimationFrame), now = performance.now, start = 1000 * Math.ceil(now.call(performance) / 1000);
    const names: string[] = [];
    try {
      for (let half = 0; half < 8; ++half) {
        performance.now = () => start + 500 * half + 100;
        // One frame to draw at the new time, and one to be sure that it was drawn.
        await frame();
        await frame();
        names.push(labels());
      }
    } finally {
      performance.now = now;
    }
    return names;
  });
  const [first, second] = seen[0] === 'Sinew' ? ['Sinew', 'Linear blend skinning'] : ['Linear blend skinning', 'Sinew'];
  assert.deepEqual(seen, [first, first, second, second, first, first, second, second]);
  await page.keyboard.press('v');
  assert.equal(await page.evaluate(() => (window.sinew as App).choices.comparison), 'side');
});

test('light comes from the side of the camera, and folds are in shadow', async () => {
  const found = await page.evaluate(() => {
    const app = window.sinew as App, { stage, choices } = app, character = app.current!.character;
    Object.assign(choices, { compared: null, playing: false });
    app.setPose(character.restPose);
    const sides = [0, 2, 4].map((turn) => {
      app.look();
      stage.look(stage.controls.target.clone().add({ x: 4 * Math.sin(turn), y: 0.2, z: 4 * Math.cos(turn) }), stage.controls.target.clone());
      const { data, width } = window.pixels(), sums = [0, 0], counts = [0, 0];
      for (let i = 0; i < data.length; i += 4) {
        // Clay is warm, the ground and the background are not.
        if (data[i]! < data[i + 2]! + 8) continue;
        const side = (i >> 2) % width < width / 2 ? 0 : 1;
        sums[side]! += data[i]!;
        counts[side]! += 1;
      }
      return (sums[0]! / counts[0]!) / (sums[1]! / counts[1]!);
    });
    const elbow = character.joints.findIndex(({ name }) => name === 'left_elbow');
    app.turn(elbow, [(140 * Math.PI) / 180, 0, 0]);
    app.look();
    const lit = window.pixels().data;
    stage.first.traverse((part) => (part.castShadow = false));
    const flat = window.pixels().data;
    stage.first.traverse((part) => (part.castShadow = true));
    let darker = 0;
    for (let i = 0; i < lit.length; i += 4) if (lit[i]! < 0.75 * flat[i]!) darker += 1;
    return { sides, darker };
  });
  for (const ratio of found.sides) assert.ok(ratio > 1.1, `left to right: ${found.sides.join(', ')}`);
  assert.ok(found.darker > 200, `${found.darker} pixels in shadow`);
  await page.evaluate(() => ((window.sinew as App).choices.compared = 'linear'));
  await page.keyboard.press('f');
  await picture(page, 'elbow');
  await page.evaluate(() => {
    const app = window.sinew as App, { joints } = app.current!.character;
    app.resetPose();
    for (const [name, degrees] of [['hip', 95], ['knee', 90]] as const) {
      for (const side of ['left', 'right']) {
        const joint = joints.findIndex((other) => other.name === `${side}_${name}`), { bend } = app.current!.skeleton!.range(joint);
        app.turn(joint, [((Math.abs(bend[1]) > Math.abs(bend[0]) ? degrees : -degrees) * Math.PI) / 180, 0, 0]);
      }
    }
    app.look();
  });
  await picture(page, 'seated');
});

test('times are those of the method and the level that are shown', async () => {
  const table = () => page.locator('.body-times table').first().locator('tr').evaluateAll((rows) => rows.map((row) =>
    [...row.children].filter((cell) => !(cell as HTMLElement).hidden).map((cell) => cell.textContent)));
  await choose(page, 'Detail level', '2');
  await choose(page, 'Show', 'Sinew');
  await choose(page, 'Compare with', 'Linear');
  await page.waitForFunction(() => (window.sinew as App).timings.first.corrections > 0);
  const both = await table();
  assert.deepEqual(both[0], ['Milliseconds', 'Sinew', 'Linear blend']);
  assert.equal(both[1]![2], '–', 'skinning has no corrections');
  assert.match(await page.locator('.body-times .note').innerText(), /^Detail level 2: /);
  const [first, second] = await page.evaluate(() => {
    const { timings } = window.sinew as App;
    return [timings.first, timings.second].map(({ shown, level, total, corrections, surface }) =>
      ({ shown, level, total: total.value, corrections, surface }));
  });
  assert.deepEqual([first!.shown, first!.level, second!.shown, second!.level], ['sinew', 2, 'linear', 2]);
  assert.ok(first!.corrections > 0 && Math.abs(first!.corrections + first!.surface - first!.total) < 1e-9);
  assert.ok(second!.total > 0 && second!.corrections === 0);
  await choose(page, 'Show', 'Linear');
  await choose(page, 'Compare with', 'Off');
  await choose(page, 'Detail level', '1');
  await page.waitForFunction(() => (window.sinew as App).timings.first.level === 1);
  const one = await table();
  assert.deepEqual(one[0], ['Milliseconds', 'Linear blend']);
  assert.equal(one[1]![1], '–');
});

test('nothing overflows or overlaps on a narrow page', async () => {
  const narrow = await viewer.open(viewer.address, { width: 400, height: 800 });
  for (const comparison of ['side', 'split', 'blink'] as const) {
    await narrow.evaluate((how) => {
      (window.sinew as App).choices.comparison = how;
      (window.sinew as App).drawFrame();
    }, comparison);
    const found = await narrow.evaluate(() => {
      const box = (element: Element) => element.getBoundingClientRect(), stage = box(document.getElementById('stage')!);
      const labels = [...document.querySelectorAll<HTMLElement>('#labels span')].filter(({ hidden }) => !hidden).map(box);
      const placed = [...labels, box(document.getElementById('swap')!)];
      const apart = placed.every((a, i) => placed.every((b, k) => i >= k || a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top));
      return { wide: document.documentElement.scrollWidth, apart,
        inside: placed.every((a) => a.left >= stage.left && a.right <= stage.right && a.top >= stage.top && a.bottom <= stage.bottom) };
    });
    assert.deepEqual(found, { wide: 400, apart: true, inside: true }, comparison);
  }
  await narrow.evaluate(() => ((window.sinew as App).choices.comparison = 'side'));
  await picture(narrow, 'narrow');
  await narrow.locator('#panel-toggle').click();
  const cut = await narrow.evaluate(() => [...document.querySelectorAll<HTMLElement>('.segments')]
    .filter((list) => list.scrollWidth > list.clientWidth).map((list) => list.ariaLabel));
  assert.deepEqual(cut, [], 'all choices can be read');
  await narrow.close();
  await page.bringToFront();
});

test('nothing went wrong', () => {
  assert.deepEqual(viewer.problems, []);
});
