// The socket that comes back: against connections that end in every way a network knows, with time in our hands.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { mock, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const live = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "live");
const { outputFiles } = await build({ entryPoints: [join(live, "socket.ts")], bundle: true, write: false, format: "esm" });
const { LiveSocket } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);

/** A connection that never ends by itself: not even when it is closed, as behind a network that is gone. */
class Wire {
  static OPEN = 1;
  static all = [];
  readyState = 0;
  sent = [];
  constructor() {
    Wire.all.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 2;
  }
  open() {
    this.readyState = 1;
    this.onopen();
  }
  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  end(code) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

function begin() {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  Wire.all = [];
  const page = new EventTarget();
  Object.assign(globalThis, {
    WebSocket: Wire,
    window: Object.assign(page, { setTimeout: globalThis.setTimeout }),
    document: new EventTarget(),
    location: { href: "http://example.org/matches/1" },
  });
  const told = [];
  const socket = new LiveSocket("/live/matches/1", {
    opened: () => told.push("opened"),
    received: (message) => told.push(message),
    lost: () => told.push("lost"),
    closed: (code) => told.push(code),
  });
  Wire.all[0].open();
  return { page, socket, told };
}

test("when the network goes, the loss is told at once, and the socket comes back", () => {
  const { page, told } = begin();
  page.dispatchEvent(new Event("offline"));
  assert.deepEqual(told, ["opened", "lost"]);
  mock.timers.tick(1_000);
  assert.equal(Wire.all.length, 2);
});

test("a question that stays unanswered makes the connection anew; one that is answered does not", () => {
  const { socket, told } = begin();
  socket.ask({ type: "hello" });
  Wire.all[0].say("state");
  mock.timers.tick(60_000);
  assert.deepEqual(told, ["opened", "state"]);
  socket.ask({ type: "play" });
  mock.timers.tick(10_000);
  mock.timers.tick(1_000);
  assert.deepEqual(told, ["opened", "state", "lost"]);
  assert.equal(Wire.all.length, 2);
});

test("what a connection says after it was given up is not heard, nor is its end", () => {
  const { page, told } = begin();
  page.dispatchEvent(new Event("offline"));
  Wire.all[0].say("late");
  Wire.all[0].end(1006);
  assert.deepEqual(told, ["opened", "lost"]);
});

test("when the network is back, nobody waits for the pause to end", () => {
  const { page } = begin();
  page.dispatchEvent(new Event("offline"));
  page.dispatchEvent(new Event("online"));
  assert.equal(Wire.all.length, 2);
  mock.timers.tick(1_000);
  assert.equal(Wire.all.length, 2, "and it is not opened twice");
});

test("pauses grow while nothing is answered", () => {
  begin();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    Wire.all.at(-1).end(1006);
    const before = Wire.all.length;
    mock.timers.tick(150 * 2 ** attempt);
    assert.equal(Wire.all.length, before, `attempt ${attempt} waits`);
    mock.timers.tick(10_000);
    assert.equal(Wire.all.length, before + 1);
  }
});

test("a goodbye for good is believed", () => {
  const { told } = begin();
  Wire.all[0].end(4403);
  mock.timers.tick(60_000);
  assert.deepEqual(told, ["opened", 4403]);
  assert.equal(Wire.all.length, 1);
});
