/** The screens of many boards: what is drawn, what is kept of the server's words, which boards are turned up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Feed, playBetween } from "../../static/js/live-boards/feed.js";
import { BoardGrid } from "../../static/js/live-boards/grid.js";
import { picture, pieceChanges } from "../../static/js/live-boards/picture.js";
import { boardsOnPage } from "../../static/js/live-boards/tournament-boards.js";
import { lastPlay, sentence, terms } from "../../static/js/live-boards/captions.js";

const START = [0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2];

/** @param {object} [more] */
function position(more = {}) {
  const side = () => ({ points: [...START], bar: 0, off: 0, stock: 0 });
  return {
    family: "points", phase: "move", turn: "white", board: { white: side(), black: side() }, pips: { white: 167, black: 167 },
    dice: [3, 1], cube: { value: 1, owner: null, offered: null, dead: false }, outcome: null, ...more,
  };
}

/** @param {object} [more] */
function board(more = {}) {
  return {
    id: "a", version: 3, status: "live", game: 1, score: { length: 5, white: 0, black: 2, crawford: false }, result: null,
    position: position(), clock: null, paused: null, offer: null, last: null, ended: null, receivedAt: 0,
    about: {
      variant: "backgammon", length: 5, clock: "club", rated: true, title: "", from_url: "",
      players: { white: { name: "ana", bot: false, guest: false, rating: null }, black: { name: "bea", bot: false, guest: false, rating: 1512.4 } },
      words: { game: "Backgammon", length: "match to 5 points", clock: "Club" },
    },
    ...more,
  };
}

function feed() {
  const sent = [];
  const calls = [];
  const subject = new Feed({
    query: () => "",
    onBoards: (ids) => calls.push(ids),
    onBoard: (now, before) => calls.push([now.id, now.version, before?.version ?? null]),
    open: () => ({ readyState: 1, send: (text) => sent.push(JSON.parse(text)) }),
  });
  return { subject, sent, calls };
}

test("the start has thirty checkers, two dice and a cube in the middle", () => {
  const drawn = picture(position(), null);
  assert.equal(drawn.pieces.length, 30);
  assert.deepEqual(drawn.dice.map((die) => die.value), [3, 1]);
  assert.equal(drawn.cube?.value, 1);
  assert.deepEqual(drawn.counts, []);
  assert.equal(drawn.table, "points");
});

test("a tall point shows five checkers and their number, a tray one bar for all of them", () => {
  const at = position();
  at.board.white.points[5] = 7;
  at.board.white.points[12] = 0;
  at.board.white.off = 3;
  const drawn = picture(at, null);
  assert.equal(drawn.pieces.filter((piece) => piece.kind === "white" && piece.at.startsWith("6:")).length, 5);
  assert.deepEqual(drawn.counts.map(({ text, kind }) => [text, kind]), [["7", "white"], ["3", "tray"]]);
  assert.equal(drawn.bars.length, 1);
});

test("the board of damas is drawn from White's seat, kings as a kind of their own", () => {
  const drawn = picture(
    { ...position({ family: "squares", dice: null, cube: null, pips: null, colours: { white: "black", black: "white" } }),
      board: { white: { men: [1], kings: [17] }, black: { men: [36], kings: [] } } },
    { seat: "white", dice: null, text: "11-16" },
  );
  assert.equal(drawn.table, "squares turned");
  assert.deepEqual(drawn.pieces.map(({ kind, at }) => [kind, at]), [["black", "1"], ["black king", "17"], ["white", "36"]]);
  assert.equal(drawn.marks.length, 2);
});

test("pieces that stay are not touched, one that moves keeps its element", () => {
  const before = [{ kind: "white", at: "8:0" }, { kind: "white", at: "6:0" }, { kind: "black", at: "1:0" }];
  const { moved, added, removed } = pieceChanges(before, [
    { kind: "white", at: "6:0", x: 0, y: 0 }, { kind: "white", at: "5:0", x: 1, y: 1 }, { kind: "black king", at: "1:0", x: 2, y: 2 },
  ]);
  assert.deepEqual(moved.map(([piece, spot]) => `${piece.at}>${spot.at}`), ["6:0>6:0", "8:0>5:0"]);
  assert.deepEqual(added.map((spot) => spot.kind), ["black king"]);
  assert.deepEqual(removed, [before[2]]);
});

test("the list says which boards there are, and a message about a board changes that board", () => {
  const { subject, calls } = feed();
  subject.receive({ t: "boards", ids: ["a", "b"], boards: [board(), board({ id: "b" })] });
  subject.receive({ ...board({ version: 4 }), t: "board", about: undefined });
  assert.deepEqual(calls, [["a", "b"], ["a", 3, null], ["b", 3, null], ["a", 4, 3]]);
  subject.receive({ t: "boards", ids: ["b", "a"], boards: [] });
  assert.deepEqual(subject.ids, ["b", "a"]);
  assert.equal(subject.boards.get("a")?.version, 4);
});

test("an older message, and one about a board that is not shown, change nothing", () => {
  const { subject, calls } = feed();
  subject.receive({ t: "boards", ids: ["a"], boards: [board()] });
  subject.receive({ ...board({ version: 2 }), t: "board" });
  subject.receive({ ...board({ id: "z", version: 9 }), t: "board" });
  assert.equal(calls.length, 2);
  subject.receive({ t: "boards", ids: ["a"], boards: [board({ version: 1 })] }); // read before the last word was said
  assert.equal(subject.boards.get("a")?.version, 3);
});

/** A feed with a line that can be opened, spoken on and lost. */
function online(query = "") {
  const lines = [];
  globalThis.location = { protocol: "https:", host: "club.example" };
  globalThis.document = { hidden: true, addEventListener() {}, removeEventListener() {} };
  Object.assign(globalThis, { addEventListener() {}, removeEventListener() {} });
  const subject = new Feed({
    query: () => query,
    onBoards: () => {},
    onBoard: () => {},
    open: (url) => {
      const line = { url, readyState: 0, sent: [], send: (text) => line.sent.push(JSON.parse(text)) };
      lines.push(line);
      return line;
    },
  });
  const open = (line) => { line.readyState = 1; line.onopen(); };
  const drop = (line) => { line.readyState = 3; line.onclose({ code: 1006 }); };
  const receive = (line, message) => line.onmessage({ data: JSON.stringify(message) });
  return { subject, lines, open, drop, receive };
}

test("the boards that a page wants are in the address, so that the first list is of these and in their order", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const { subject, lines, open, drop } = online("?from=%2Ftournaments%2F7%2F");
  subject.show(["b", "a"]);
  subject.start();
  const address = new URL(lines[0].url);
  assert.deepEqual(Object.fromEntries(address.searchParams), { from: "/tournaments/7/", ids: "b,a" });
  open(lines[0]);
  assert.deepEqual(lines[0].sent, []);
  subject.show(["a"]);
  assert.deepEqual(lines[0].sent, [{ t: "show", ids: ["a"] }]);
  drop(lines[0]);
  t.mock.timers.tick(3000);
  subject.show(["c"]); // while the next line is not open yet
  open(lines[1]);
  assert.equal(new URL(lines[1].url).searchParams.get("ids"), "a");
  assert.deepEqual(lines[1].sent, [{ t: "show", ids: ["c"] }]);
});

test("a site that was put back to a backup is believed on the next line", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const { subject, lines, open, drop, receive } = online();
  subject.start();
  open(lines[0]);
  receive(lines[0], { t: "boards", ids: ["a"], boards: [board({ version: 9 })] });
  drop(lines[0]);
  t.mock.timers.tick(3000);
  open(lines[1]);
  receive(lines[1], { t: "boards", ids: ["a"], boards: [board({ version: 4 })] });
  assert.equal(subject.boards.get("a")?.version, 4);
  receive(lines[1], { ...board({ version: 5 }), t: "board" });
  assert.equal(subject.boards.get("a")?.version, 5);
});

/** As much of an element as a figure asks for. */
class Piece {
  children = [];
  dataset = {};
  textContent = "";
  hidden = false;
  classList = { toggle() {}, add() {} };
  constructor(tag) { this.tag = tag; }
  append(...children) { this.children.push(...children); }
  insertBefore(child) { this.children.push(child); }
  remove() {}
  setAttribute() {}
}

test("a link to a board has its text from the first moment, also when the server sent the board before", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  Object.assign(globalThis, {
    document: { createElement: (tag) => new Piece(tag), createElementNS: (_, tag) => new Piece(tag) },
    HTMLAnchorElement: Piece,
    IntersectionObserver: class { observe() {} unobserve() {} },
    requestAnimationFrame() {},
  });
  const wall = new Piece("div");
  const grid = new BoardGrid(wall, {});
  grid.lay(["a"], new Map([["a", board()]]));
  const [link] = wall.children[0].children;
  assert.match(link.children[0].textContent, /ana.*bea/s);
});

test("the last play is returned for display, with its roll where that was not seen", () => {
  const last = { seat: "white", dice: [3, 1], text: "8/5 6/5" };
  const after = board({ version: 4, last, position: position({ turn: "black", phase: "roll", dice: null }) });
  assert.deepEqual(playBetween(board(), after).map(({ n, text }) => [n, text]), [[4, "8/5 6/5"]]);
  const unrolled = board({ version: 1, position: position({ phase: "roll", dice: null }) });
  assert.deepEqual(playBetween(unrolled, after).map(({ text }) => text), ["roll", "dice 31", "8/5 6/5"]);
  assert.deepEqual(playBetween(board({ version: 0 }), after), []); // more than one turn lies between
  assert.deepEqual(playBetween(board({ game: 0 }), after), []);
  assert.deepEqual(playBetween(null, after), []);
  assert.deepEqual(playBetween(after, board({ ...after, version: 5 })), []);
});

test("a board is described in a sentence: players, score, pips, whose turn", () => {
  assert.equal(terms(board()), "Backgammon · match to 5 points");
  const text = sentence(board()).replace(/[\u2068\u2069]/g, "");
  assert.equal(text, "Backgammon · match to 5 points. ana 0, pip count 167; bea 2, pip count 167. ana to play 3-1");
  const last = { seat: "black", dice: [6, 4], text: "24/18 13/9" };
  assert.equal(lastPlay(board({ last })), "bea 6-4: 24/18 13/9");
  assert.equal(lastPlay(board({ last: { seat: "black", dice: [6, 4], text: "11-16" }, position: position({ family: "squares" }) })), "bea: 11-16");
});

test("more boards than fit are shown in turns of about the same size", () => {
  const ids = Array.from({ length: 20 }, (_, n) => String(n));
  assert.deepEqual([boardsOnPage(ids, 0), boardsOnPage(ids, 1)].map((part) => part.length), [10, 10]);
  assert.deepEqual([...boardsOnPage(ids, 0), ...boardsOnPage(ids, 1)], ids);
  assert.deepEqual(boardsOnPage(ids, 2), boardsOnPage(ids, 0));
  assert.deepEqual(boardsOnPage(ids.slice(0, 16), 5).length, 16);
  assert.deepEqual(boardsOnPage([], 3), []);
});
