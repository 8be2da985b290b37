// The board's pure parts: where fields lie for every room and layout, how positions are read, how moves become frames.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const board = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "board");

async function load(...names) {
  const contents = names.map((name) => `export * from "./${name}";`).join("\n");
  const { outputFiles } = await build({ stdin: { contents, resolveDir: board, loader: "ts" }, bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

const { STANDARD_LAYOUT, bestColumns, lay, route, alongRoute, readPosition, framesOf, roughOptions } = await load("model", "geometry", "routes", "notation", "frames");

const LONG = {
  fields: 60,
  goals: [[54, 1], [55, 2], [56, 3], [57, 4], [58, 5], [59, 6]],
  switches: [[5, 40], [41, 50]],
  backs: [[12, 9], [33, 30]],
};
const SHORT = { fields: 4, goals: [[3, 1]], switches: [[1, 2]], backs: [] };
const LAYOUTS = { standard: STANDARD_LAYOUT, long: LONG, short: SHORT };
const COLUMNS = [5, 6, 7, 8, 9, 10, 11, 14];
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

for (const [name, layout] of Object.entries(LAYOUTS)) {
  for (const columns of COLUMNS.filter((count) => count >= layout.goals.length)) {
    const geometry = lay(layout, columns);
    const fields = Array.from({ length: layout.fields }, (_, field) => field);

    test(`${name} in ${columns} columns: no two fields overlap and all lie on the board`, () => {
      for (const a of fields) {
        const at = geometry.field(a);
        assert.ok(at.x > 0.5 && at.x < geometry.width - 0.5 && at.y > 0.5 && at.y < geometry.height - 0.5, `field ${a}`);
        for (const b of fields.slice(a + 1)) assert.ok(distance(at, geometry.field(b)) > 0.84, `${a} and ${b}`);
      }
    });

    test(`${name} in ${columns} columns: stacks lie on the board and touch no field`, () => {
      for (const seat of [0, 1, 2]) {
        const at = geometry.stack(seat);
        assert.ok(at.x > 0.5 && at.x < geometry.width - 0.5 && at.y < geometry.height - 0.4);
        for (const field of fields) assert.ok(distance(at, geometry.field(field)) > 0.85, `stack ${seat} and field ${field}`);
      }
    });

    test(`${name} in ${columns} columns: the way along the track has no jumps`, () => {
      let last = geometry.along(0);
      for (let place = 0.05; place <= layout.fields - 1; place += 0.05) {
        const next = geometry.along(place);
        assert.ok(distance(last, next) < 0.2, `at ${place.toFixed(2)}`);
        last = next;
      }
      for (const field of fields) assert.ok(distance(geometry.along(field), geometry.field(field)) < 1e-9);
    });

    test(`${name} in ${columns} columns: a switch's way joins its two ends`, () => {
      for (const [low, high] of layout.switches) {
        const way = route(geometry, low, high, 0);
        assert.ok(distance(alongRoute(way, 0), geometry.field(low)) < 1e-9);
        assert.ok(distance(alongRoute(way, 1), geometry.field(high)) < 1e-9);
      }
    });
  }
}

test("an upright room gets an upright board and a flat one a flat board", () => {
  const upright = lay(STANDARD_LAYOUT, bestColumns(STANDARD_LAYOUT, 380, 520));
  const flat = lay(STANDARD_LAYOUT, bestColumns(STANDARD_LAYOUT, 600, 300));
  assert.ok(upright.height > upright.width);
  assert.ok(flat.width > 1.5 * flat.height);
});

test("positions are read as games/jostle writes them", () => {
  const start = readPosition("-1,-1,-1/-1,-1,-1/-1,-1,-1 r");
  assert.deepEqual([start.seat, start.points, start.again, start.lastTurns], [0, 0, null, null]);
  const six = readPosition("4,-1,-1/1,-1,-1/3,-1,-1 g !2 6?");
  assert.deepEqual([six.pieces[0], six.seat, six.points, six.again, six.lastTurns], [4, 1, 6, "may", 2]);
  assert.equal(readPosition("4,-1,-1/1,-1,-1/3,-1,-1 b 6+").again, "due");
  assert.equal(readPosition("30,29,28/27,26,1/2,3,4 -").seat, null);
  assert.throws(() => readPosition("4,-1/1 r"), /nine fields/);
});

test("a committed move and the die after it become two frames of two seats", () => {
  const before = readPosition("3,-1,-1/14,-1,-1/-1,-1,-1 r 3");
  const steps = [[0, 3, 6, "move"], [0, 6, 14, "switch"], [3, 14, 12, "jostle"]];
  const frames = framesOf({ ply: 9, moves: ["p0", "5"], steps, position: "14,-1,-1/12,-1,-1/-1,-1,-1 g 5" }, before);
  assert.deepEqual(frames.map(({ ply, seat, move }) => [ply, seat, move]), [[9, 0, "p0"], [10, 1, "5"]]);
  assert.deepEqual(frames[0].state.pieces, [14, -1, -1, 12, -1, -1, -1, -1, -1]);
  assert.deepEqual(frames[1].state.pieces, frames[0].state.pieces);
  assert.deepEqual(frames[1].steps, []);
});

test("without the rules at hand the landing and its special field are still shown", () => {
  const state = readPosition("3,19,-1/14,-1,-1/-1,-1,-1 r 3");
  const options = roughOptions(state, ["p0", "p1", "p2"], STANDARD_LAYOUT);
  assert.deepEqual(options.map(({ landing, steps }) => [landing, steps.at(-1).to]), [[6, 14], [22, 19], [2, 2]]);
});
