// Colliders on the page in headless Chromium: switched on, dragged, turned, carried, linked to; the skin answers in the same frame.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
import type { App } from '../src/app';
import { choose, drop, fixture, picture, test, Viewer } from './browser';
import { worstDistance } from './files';

let viewer: Viewer, page: Page;

before(async () => {
  viewer = await Viewer.start();
  page = await viewer.open(viewer.address);
});

after(async () => viewer.stop());

// What is on screen after one frame.
const state = (on = page) => on.evaluate(() => {
  const app = window.sinew as App, { contact, stage } = app;
  app.drawFrame();
  const held = contact.colliders.held[0];
  return { place: held?.place.toArray() ?? [], turn: held?.turn.toArray() ?? [], joint: held?.joint ?? -1, on: held?.on ?? false,
    pressing: contact.pressing, flags: contact.flags, positions: Array.from(app.positions()),
    unpressed: Array.from(app.result!.unpressed ?? []), camera: stage.camera.position.toArray(), away: stage.direction().toArray(),
    longest: app.heat.longest, words: document.getElementById('contact-state')!.textContent };
});

// Where a place of model space is on the page, in the first picture or in the second.
const onPage = (place: number[], cell = 0) => page.evaluate(({ place: [x, y, z], cell: i }) => {
  const { stage } = window.sinew as App, of = stage.cells()[i]!, box = stage.canvas.getBoundingClientRect();
  stage.camera.updateMatrixWorld();
  const at = stage.camera.position.clone().set(x!, y!, z!).project(stage.camera);
  return { x: box.left + of.x + (0.5 + 0.5 * at.x) * of.width, y: box.top + of.y + (0.5 - 0.5 * at.y) * of.height };
}, { place, cell });

async function dragFrom(from: { x: number; y: number }, dx: number, dy: number, button: 'left' | 'right' = 'left'): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button });
  await page.mouse.move(from.x + dx / 2, from.y + dy / 2);
  await page.mouse.move(from.x + dx, from.y + dy);
  await page.mouse.up({ button });
}

const difference = (a: number[], b: number[]) => a.map((value, i) => value - b[i]!);
const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const length = (a: number[]) => Math.sqrt(dot(a, a));
// The camera comes to rest by smaller and smaller steps.
const stays = (now: number[], then: number[]) => assert.ok(length(difference(now, then)) < 1e-9, `the camera moved by ${length(difference(now, then))} m`);
// Along the camera's direction, and across it.
function parts(moved: number[], away: number[]): { along: number; across: number } {
  const along = dot(moved, away);
  return { along, across: length(moved.map((value, k) => value - along * away[k]!)) };
}

test('a character without contact has the page as it was', async () => {
  assert.equal(await page.locator('summary', { hasText: /^Contact$/ }).isVisible(), false);
  assert.equal(await page.locator('fieldset[aria-label="Colours"] label', { hasText: 'Contact' }).isVisible(), false);
  assert.equal(await page.locator('#contact-state').isVisible(), false);
  const first = await state();
  for (const key of ['k', 'p', 'a', 'q', 'x']) await page.keyboard.press(key);
  const then = await state();
  assert.deepEqual(then.positions, first.positions);
  assert.deepEqual([then.place, then.unpressed], [[], []]);
  await page.keyboard.press('l');
  assert.ok(!page.url().includes('collider'), page.url());
  await page.keyboard.press('h');
  await page.keyboard.press('h');
  assert.notEqual(await page.evaluate(() => (window.sinew as App).choices.surface), 'contact');
  await choose(page, 'Colours', 'Material');
});

test('a collider that is switched on presses what the picture is of, in the same frame', async () => {
  await drop(page, 'contact.sinew', readFileSync(join(fixture, 'body_contact.sinew')));
  await page.waitForFunction(() => (window.sinew as App).current?.character.name === 'contact');
  await page.evaluate(() => {
    const app = window.sinew as App, { stage } = app;
    app.resetPose();
    app.choices.level = 3;
    app.choices.follow = false;
    stage.look(stage.camera.position.clone().set(0.3, 1.1, 2), stage.camera.position.clone().set(0, 0.95, 0));
  });
  assert.ok(await page.locator('summary', { hasText: /^Contact$/ }).isVisible());
  const before_it = await state();
  await page.getByRole('switch', { name: 'Press the skin' }).click();
  const pressed = await state();
  assert.ok(pressed.on && pressed.pressing !== null && pressed.pressing.depth > 0, JSON.stringify(pressed.pressing));
  assert.deepEqual(pressed.unpressed, before_it.positions);
  assert.ok(worstDistance(pressed.positions, before_it.positions) > 1e-3, 'there is a dent');
  await page.waitForFunction(() => /^Co.* mm deep/.test(document.getElementById('contact-state')!.textContent!));
  // Far from it no bit has changed.
  let same = 0;
  for (let i = 0; i < pressed.positions.length; i += 3) {
    const moved = [0, 1, 2].some((k) => pressed.positions[i + k] !== before_it.positions[i + k]);
    if (length(difference(pressed.positions.slice(i, i + 3), pressed.place)) > 0.3) assert.ok(!moved);
    same += moved ? 0 : 1;
  }
  assert.ok(same > 0.5 * (pressed.positions.length / 3));
});

for (const cell of [0, 1]) {
  test(`it is dragged in the plane of the picture, in picture ${cell + 1}`, async () => {
    const start = await state(), from = await onPage(start.place, cell);
    await dragFrom(from, 14, -10);
    const moved = await state(), to = await onPage(moved.place, cell), { along, across } = parts(difference(moved.place, start.place), start.away);
    assert.ok(across > 0.002 && Math.abs(along) < 1e-6, `${along} m along, ${across} m across`);
    // The point that was grabbed lies nearer than the middle, and so the middle moves by a little less than the mouse.
    assert.ok(Math.hypot(to.x - from.x - 14, to.y - from.y + 10) < 3, `by ${to.x - from.x}, ${to.y - from.y} pixels`);
    stays(moved.camera, start.camera);
    assert.deepEqual(moved.turn, start.turn);
    assert.notDeepEqual(moved.positions, start.positions);
  });
}

test('Shift and the wheel move it in depth', async () => {
  const start = await state(), from = await onPage(start.place);
  await page.keyboard.down('Shift');
  await dragFrom(from, 0, 20);
  await page.keyboard.up('Shift');
  const nearer = await state(), first = parts(difference(nearer.place, start.place), start.away);
  assert.ok(first.along < -0.005 && first.across < 1e-6, JSON.stringify(first));
  assert.ok(nearer.pressing!.depth < start.pressing!.depth);
  const there = await onPage(nearer.place);
  await page.mouse.move(there.x, there.y);
  await page.mouse.down();
  await page.mouse.wheel(0, -200);
  await page.waitForFunction((then) => (window.sinew as App).contact.colliders.held[0]!.place.toArray().some((x, k) => x !== then[k]), nearer.place);
  await page.mouse.up();
  const deeper = await state(), second = parts(difference(deeper.place, nearer.place), start.away);
  assert.ok(second.along > 0.005 && second.across < 1e-6, JSON.stringify(second));
  stays(deeper.camera, start.camera);
});

test('the right button and keys turn it where it is', async () => {
  const start = await state();
  await dragFrom(await onPage(start.place), 30, 10, 'right');
  const turned = await state();
  assert.ok(Math.abs(dot(turned.turn, start.turn)) < 0.999);
  assert.ok(length(difference(turned.place, start.place)) < 1e-9);
  stays(turned.camera, start.camera);
  for (const [there, back] of [['a', 'd'], ['z', 'x'], ['q', 'e']] as const) {
    await page.keyboard.press(there);
    const one = await state();
    assert.ok(Math.abs(2 * Math.acos(Math.min(1, Math.abs(dot(one.turn, turned.turn)))) - Math.PI / 36) < 1e-4, there);
    await page.keyboard.press(back);
    assert.ok(Math.abs(dot((await state()).turn, turned.turn)) > 1 - 1e-9, back);
  }
});

test('beside it the mouse turns the camera, and the collider stays', async () => {
  const start = await state(), at = await onPage([start.place[0]! - 0.4, start.place[1]!, start.place[2]!]);
  await dragFrom(at, 60, 0);
  await page.waitForFunction((then) => (window.sinew as App).stage.camera.position.x !== then, start.camera[0]!);
  assert.deepEqual((await state()).place, start.place);
  await page.waitForTimeout(300);
  await page.evaluate(() => {
    const { stage } = window.sinew as App;
    stage.look(stage.camera.position.clone().set(0.3, 1.1, 2), stage.camera.position.clone().set(0, 0.95, 0));
  });
});

test('the heat map shows how far it moves the skin, in millimetres', async () => {
  // As it was learned: few rotations are.
  await page.evaluate(() => (window.sinew as App).contact.colliders.held[0]!.turn.identity());
  await page.keyboard.press('p');
  await choose(page, 'Colours', 'Contact');
  await page.waitForFunction(() => document.getElementById('legend')!.hidden === false);
  const { positions, unpressed, longest } = await state();
  assert.ok(Math.abs(longest - worstDistance(positions, unpressed)) < 1e-9, `${longest} m`);
  await page.waitForFunction(() => document.getElementById('legend')!.textContent!.startsWith('How far colliders move the skin'));
  const text = await page.locator('#legend').innerText();
  assert.match(text, /\d mm\s+largest now [\d.]+ mm$/);
  await picture(page, 'contact_heat');
  await choose(page, 'Colours', 'Material');
  await picture(page, 'contact');
});

test('words say what was not learned, and what does not answer', async () => {
  const says = (words: RegExp) => page.waitForFunction((source) => new RegExp(source).test(document.getElementById('contact-state')!.textContent!),
    words.source);
  const push = (by: number) => page.evaluate((metres) => {
    const app = window.sinew as App;
    app.contact.move(app.stage.direction().multiplyScalar(metres));
  }, by);
  await push(0.04);
  await says(/^Contact \d+ mm deep, beyond the \d+ mm that Sinew learned: clamped, faded$/);
  await push(-0.5);
  await says(/^Collider touches nothing$/);
  await push(0.46);
  await says(/^Co.* mm deep/);
  await choose(page, 'Show', 'Linear');
  await choose(page, 'Compare with', 'Dual q.');
  await says(/^Skinning alone does not answer to colliders$/);
  await choose(page, 'Compare with', 'Sinew');
  await says(/^Co.* mm deep/);
  await choose(page, 'Show', 'Sinew');
  await choose(page, 'Compare with', 'Linear');
});

test('it can be hidden, and goes with the joint that carries it', async () => {
  const drawn = () => page.evaluate(() => {
    let count = 0;
    (window.sinew as App).drawFrame();
    (window.sinew as App).stage.both.traverseVisible((object) => (count += 'isMesh' in object && object.renderOrder === 5 ? 1 : 0));
    return count;
  });
  assert.equal(await drawn(), 1);
  await page.getByRole('switch', { name: 'Show the collider' }).click();
  assert.equal(await drawn(), 0);
  await page.keyboard.press('o');
  assert.equal(await drawn(), 1);
  const start = await state();
  await page.locator('select[aria-label="Carried by"]').selectOption({ label: 'left hip' });
  const carried = await state();
  assert.ok(carried.joint >= 0 && worstDistance(carried.positions, start.positions) < 1e-5, 'it stays where it is');
  const place = () => page.evaluate(() => {
    const app = window.sinew as App;
    app.drawFrame();
    const models = app.contact.colliders.matrix(0, (app.contact as unknown as { models: Float32Array }).models).elements;
    return models.slice(12, 15);
  });
  const first = await place();
  await page.evaluate((joint) => (window.sinew as App).turn(joint, [0.3, 0, 0]), carried.joint);
  assert.ok(length(difference(await place(), first)) > 0.005, 'it has gone along');
});

test('a link brings colliders back, and broken ones are told', async () => {
  const start = await state();
  await page.keyboard.press('l');
  const link = page.url();
  assert.ok(link.includes('collider='), link);
  await page.keyboard.press('k');
  assert.equal((await state()).on, false);
  const open = (hash: string) => page.evaluate((text) => (location.hash = text), hash);
  await open('#character=contact');
  await page.waitForFunction(() => !(window.sinew as App).contact.colliders.any);
  await open(new URL(link).hash);
  await page.waitForFunction(() => (window.sinew as App).contact.colliders.any);
  const again = await state();
  assert.equal(again.joint, start.joint);
  assert.ok(worstDistance(again.positions, start.positions) < 2e-5, `off by ${worstDistance(again.positions, start.positions)} m`);
  for (const [word, sentence] of [['0,0,0,0,0,0,1,cube', 'is not 8 numbers'], ['0,0,0,0,0,0,0,-1,cube', 'is not 8 numbers'],
    ['0,0,0,0,0,0,1,-1,stool', 'has not learned'], ['0,0,0,0,0,0,1,99,cube', 'does not have']] as const) {
    await open(`#character=contact&collider=${word}`);
    await page.waitForFunction((text) => [...document.querySelectorAll('.message.error')].some((box) => box.textContent!.includes(text)), sentence);
    await page.evaluate(() => document.getElementById('messages')!.replaceChildren());
    assert.equal(await page.evaluate(() => (window.sinew as App).contact.colliders.any), false);
  }
});

test('nothing went wrong but what was broken on purpose', () => {
  assert.deepEqual(viewer.problems, []);
});
