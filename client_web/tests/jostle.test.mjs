// The pure parts of Jostle's board: where fields lie for every room and layout, how positions are read, how moves become frames.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./loading.mjs";

const { columnsOf, lay, route, alongRoute, readPosition, plain, pieceOf, framesOf, roughOptions, exactOptions } = await load(...["model", "geometry", "routes", "notation", "frames"].map((name) => `games/jostle/${name}`));

const STANDARD = {
  fields: 31,
  goals: [[26, 1], [27, 2], [28, 3], [29, 4], [30, 5]],
  switches: [[6, 14], [13, 18]],
  backs: [[10, 7], [22, 19], [23, 20]],
};
const LONG = {
  fields: 60,
  goals: [[54, 1], [55, 2], [56, 3], [57, 4], [58, 5], [59, 6]],
  switches: [[5, 40], [41, 50]],
  backs: [[12, 9], [33, 30]],
};
const SHORT = { fields: 4, goals: [[3, 1]], switches: [[1, 2]], backs: [] };
const LAYOUTS = { standard: STANDARD, long: LONG, short: SHORT };
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

test("a layout has one shape, which is about as wide as high", () => {
  assert.equal(columnsOf(STANDARD), 7);
  for (const layout of Object.values(LAYOUTS)) {
    const { width, height } = lay(layout, columnsOf(layout));
    assert.ok(0.6 < width / height && width / height < 2.5, `${width} × ${height}`);
  }
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

const moment = (position, acting) => ({ position, acting, over: false, shown: { grid: null, facts: [] } });

test("a committed move and the die after it become two frames of two seats", () => {
  const before = readPosition("3,-1,-1/14,-1,-1/-1,-1,-1 r 3");
  const events = [["move", "0", "3", "6"], ["switch", "0", "6", "14"], ["jostle", "3", "14", "12"]];
  const frames = framesOf({ ply: 9, moves: ["p0", "5"], seats: [0, -1], events, after: moment("14,-1,-1/12,-1,-1/-1,-1,-1 g 5", [1]) }, before);
  assert.deepEqual(frames.map(({ ply, seat, move }) => [ply, seat, move]), [[9, 0, "p0"], [10, 1, "5"]]);
  assert.deepEqual(frames[0].state.pieces, [14, -1, -1, 12, -1, -1, -1, -1, -1]);
  assert.deepEqual(frames[1].state.pieces, frames[0].state.pieces);
  assert.deepEqual(frames[1].steps, []);
});

test("an own move is shown before the referee has told where it leads", () => {
  const before = readPosition("3,-1,-1/14,-1,-1/-1,-1,-1 r !2 3");
  const [frame] = framesOf({ ply: 9, moves: ["p0"], seats: [0], events: [["move", "0", "3", "6"]], after: null }, before);
  assert.deepEqual([frame.state.pieces[0], frame.state.seat, frame.state.points, frame.state.lastTurns], [6, 1, 0, 2]);
  const [again] = framesOf({ ply: 9, moves: ["again"], seats: [0], events: [], after: null }, readPosition("3,-1,-1/14,-1,-1/-1,-1,-1 r 6?"));
  assert.equal(again.state.again, "due");
});

test("options that the rules tell carry everything they would do", () => {
  const state = readPosition("3,19,-1/6,-1,-1/-1,-1,-1 r 3");
  const [option] = exactOptions([{ move: "p0", events: [["move", "0", "3", "6"], ["jostle", "3", "6", "5"]] }], state);
  assert.deepEqual([option.piece, option.from, option.landing, option.steps.length], [0, 3, 6, 2]);
});

test("without the rules at hand the landing and its special field are still shown", () => {
  const state = readPosition("3,19,-1/14,-1,-1/-1,-1,-1 r 3");
  const options = roughOptions(state, ["p0", "p1", "p2"], STANDARD);
  assert.deepEqual(options.map(({ landing, steps }) => [landing, steps.at(-1).to]), [[6, 14], [22, 19], [2, 2]]);
});

const FACTS = "(at 0 4) (at 1 -1) (at 2 -1) (at 3 1) (at 4 -1) (at 5 -1) (at 6 3) (at 7 -1) (at 8 -1) (control red)";
const SAME = {
  [`${FACTS} (points 4)`]: "4,-1,-1/1,-1,-1/3,-1,-1 r 4",
  [`${FACTS} (left 3) rolling`]: "4,-1,-1/1,-1,-1/3,-1,-1 r !3",
  [`${FACTS} deciding`]: "4,-1,-1/1,-1,-1/3,-1,-1 r 6?",
  [`${FACTS} deciding / (sealed 0 (again dice))`]: "4,-1,-1/1,-1,-1/3,-1,-1 r 6+",
  [FACTS.replace("(control red)", "(left 0)")]: "4,-1,-1/1,-1,-1/3,-1,-1 -",
};

test("the described game is read as the same positions and moves", () => {
  for (const [facts, text] of Object.entries(SAME)) assert.deepEqual({ ...readPosition(facts), text }, readPosition(text));
  assert.deepEqual(["(move 7)", "(again dice)", "keep", "(pass 3)", "4"].map(plain), ["p7", "again", "keep", "pass", "4"]);
  assert.equal(pieceOf("(move 7)"), 7);
  assert.throws(() => readPosition("(at 0 4) (control red)"), /nine facts/);
});

test("a roll that is called for is shown as the roll alone", () => {
  const before = readPosition(`${FACTS} rolling`);
  const frames = framesOf({ ply: 8, moves: ["(roll dice)", "4"], events: [], after: { position: `${FACTS} (points 4)` } }, before);
  assert.deepEqual(frames.map(({ ply, move, state }) => [ply, move, state.points]), [[9, "4", 4]]);
});
