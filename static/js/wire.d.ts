// The shapes of docs/protocol.md, for the type checker alone: no browser loads this file.

type Side = "white" | "black";
type Seat = Side | "chance" | "server";

/** [from, to, die, hit, next] in the mover's numbering: 25 the bar, 26 the stock, 0 off; next -1: the play is complete. */
type Half = [from: number, to: number, die: number, hit: number, next: number];
type Tree = Half[][];

/** The checkers of one side on 24 points, in its own numbering. */
interface SideCheckers { points: number[]; bar: number; off: number; stock: number }
type Checkers = Record<Side, SideCheckers>;
interface Cube { value: number; owner: Side | null; offered: number | null; dead: boolean }
interface Outcome { winner: Side | null; points: number; kind: string; resigned?: boolean }

/** What every game says of a position; the board of its family knows the rest. */
interface GameView {
  family: string;
  phase: "opening" | "roll" | "rolling" | "move" | "name" | "doubled" | "over" | string;
  turn: Side | "chance" | "over";
  board: unknown;
  pips: Record<Side, number> | null;
  dice: number[] | null;
  cube: Cube | null;
  outcome: Outcome | null;
  tree?: unknown[] | null;
  names?: number[] | null;
  colours?: Record<Side, Side> | null;
  huff?: { squares: number[]; compel: boolean } | null;
  countdown?: { rule: string; left: number } | null;
}

interface PositionView extends GameView {
  board: Checkers;
  tree?: Tree | null;
}

/** A legal move of damas: `path` is one way through the squares where the piece lands, `taken` the squares of the men it captures. */
interface SquaresMove { text: string; from: number; to: number; taken: number[]; path: number[] }
interface SquaresMen { men: number[]; kings: number[] }

interface SquaresView extends GameView {
  colours: Record<Side, Side> | null;
  board: Record<Side, SquaresMen>;
  mode: "soplar" | "obligatoria" | string;
  huff: { squares: number[]; compel: boolean } | null;
  countdown: { rule: string; left: number } | null;
  tree?: SquaresMove[] | null;
}

interface Action {
  n: number; game: number; seat: Seat; text: string; proof?: Proof;
  /** when it was recorded: in the record of a match, not in a replay or in a page's own words */
  at?: string;
  /** the site did it on an order of its player (by correspondence) */
  ordered?: boolean;
}

/** What proves a roll (bgdice/1), all numbers in hex: the elements of the rollers (`a` White's, `b` Black's) and the server's. */
interface Proof { i: number; who: "A" | "B" | "O"; a?: string; b?: string; s: string; held?: boolean }
interface TranscriptRoll extends Proof { dice: number[] }
interface Transcript {
  v: string; match: string; rolls: TranscriptRoll[];
  s0: string; a0: string; b0: string; cA: string; cB: string; nA: string; nB: string;
}
/** What a seat has given for the dice; `used` counts the elements of its chain that were shown, `shown` is the last of them. */
interface DiceSeat {
  end: string | null; commit: string | null; nonce: string | null; held: boolean; used: number; shown: string | null; deposited: boolean;
  /** whether the server rolls for this seat, also where it could double, and whether the element for that is there: by correspondence, and sent to its player alone */
  order?: boolean; unless_double?: boolean; left?: boolean;
}
/** `ready`: each seat has committed or is held; null where nothing can be proved, as in matches out of files. */
interface DiceState { ready: boolean; s0: string; white: DiceSeat; black: DiceSeat }

/** Standing orders of a player by correspondence, sent to them alone; `may` is what can be ordered for a double now. */
interface OrdersState { double: string | null; forced: boolean | null; may: string[] }

interface Score { length: number | null; white: number; black: number; crawford: boolean }
interface ClockState {
  white: number; black: number; delay: number; delay_left: number; running: Side | null;
  /** added to a reserve for every turn that ends; and what a side has once in the match when its reserve is gone */
  bonus?: number; overtime?: Record<Side, number>;
}
interface Player { name: string; bot: boolean; guest: boolean }

interface MatchInfo {
  id: string;
  variant: string;
  family: string;
  length: number | null;
  rated: boolean;
  status: "open" | "live" | "over" | "cancelled";
  options: Record<string, unknown>;
  clock: string | null;
  players: Record<Side, Player | null>;
  score: Score;
  game: number;
  result: { winner: Side | null; by: string } | null;
  /** what a rated match changed; null while it goes on, and where it changed nothing */
  ratings: Record<Side, { before: number; after: number }> | null;
  rematch: string | null;
  /** whether a tournament arranged it: then there is no rematch */
  arranged: boolean;
  /** what it is part of, and the path of that page; empty when it is part of nothing */
  title: string;
  from_url: string;
  /** how many plays were taken back */
  taken_back: number;
}

interface State {
  version: number;
  you: Side | null;
  match: MatchInfo;
  position: GameView;
  may: string[];
  offer: { seat: Side; level: number; points: number; draw?: boolean } | null;
  ready: Side[];
  /** whether a resignation needs no answer, because the opponent could win no more */
  resigns_at_once: boolean;
  clock: ClockState | null;
  /** who stopped the clocks, and why; of an adjourned match who wants to go on; null while nobody has */
  paused?: { by: string; why?: string; at: string; adjourned?: boolean; ready?: Side[] } | null;
  /** who is away; only over HTTP (on a socket it comes with `pong`), and in a match that is played live */
  away?: Away;
  last: { seat: Side; dice: number[] | null; text: string } | null;
  ended?: Outcome | null;
  dice?: DiceState | null;
  /** of a player by correspondence alone */
  orders?: OrdersState;
}

interface Preferences {
  auto_roll: boolean;
  auto_forced: boolean;
  sound: boolean;
  direction: "ccw" | "cw";
  confirm: boolean;
}

interface MatchConfig {
  matchId: string;
  socketUrl: string;
  apiUrl: string;
  you: Side | null;
  prefs: Preferences;
  names: Record<Side, string>;
  bots: Side[];
  rulesUrl?: string;
}

interface StateMessage extends State { t: "state" }
interface ActionsMessage extends State { t: "event" | "actions"; from: number; actions: Action[]; more?: boolean }
interface AckMessage { t: "ack"; id: string; version: number }
interface RefusedMessage { t: "refused"; id: string; version: number; code: string; ruling: string | null; text: string }
interface WhyMessage { t: "why"; id: string; version: number; code: string | null; ruling: string | null; text: string }
/** `left_ms`, `may`: for a player about the opponent: how long to wait, and what can be done after that. */
type Away = Partial<Record<Side, { since_ms: number; left_ms?: number; may?: string[] }>>;
interface PongMessage { t: "pong"; version: number; stamp?: number; away?: Away }
interface PresenceMessage { t: "presence"; version: number; white: boolean; black: boolean }
interface RestartMessage { t: "restart" }
type ServerMessage =
  | StateMessage | ActionsMessage | AckMessage | RefusedMessage | WhyMessage | PongMessage | PresenceMessage | RestartMessage;

/** A board of `/ws/wall/` as it is now: what any spectator sees, and no more than is drawn. */
interface LiveBoardMessage {
  t: "board"; id: string; version: number; status: "live" | "over"; game: number; score: Score; result: MatchInfo["result"];
  position: GameView; clock: ClockState | null; paused: NonNullable<State["paused"]> | null; offer: State["offer"]; last: State["last"]; ended: Outcome | null;
}
/** What never changes of it; `words` are in the viewer's language. */
interface LiveBoardInfo {
  variant: string; length: number; clock: string | null; rated: boolean; title: string; from_url: string;
  players: Record<Side, Player & { rating: number | null }>;
  words: { game: string; length: string; clock: string };
}
/** `receivedAt`: when the page received it, by its own steady time. */
type LiveBoard = Omit<LiveBoardMessage, "t"> & { about: LiveBoardInfo; receivedAt: number };
/** The boards in their places, and of those that are new all that there is. */
interface LiveBoardsMessage { t: "boards"; ids: string[]; boards: LiveBoard[] }
interface LiveBoardsPong { t: "pong"; versions: Record<string, number> }
type LiveBoardsFrame = LiveBoardsMessage | LiveBoardMessage | LiveBoardsPong | RestartMessage;

/** What the pages of a match ask of a board, whatever its family. */
interface AnyBoard {
  events: {
    on(name: "play", listener: (play: unknown) => void): unknown;
    on(name: "illegal", listener: (tried: { from: number; to: number; path?: string }) => void): unknown;
    on(name: "cube" | "done", listener: (detail: null) => void): unknown;
    on(name: "sound", listener: (name: "step" | "hit" | "roll") => void): unknown;
  };
  view: { canMove: boolean } | null;
  /** the left and the right half, where buttons have room, as shares of the width; null where pieces stand everywhere */
  halves: { x: number; w: number }[] | null;
  /** the pip counts after the half-moves made so far */
  pips: Record<Side, number> | null;
  complete: boolean;
  started: boolean;
  text: string;
  forced: unknown;
  set(situation: Pick<State, "position" | "you" | "may" | "last"> & { game?: number }, actions?: Action[]): void;
  type(text: string): boolean;
  undo(): void;
  reset(): void;
  lock(): void;
  playForced(): void;
  setDirection(direction: "ccw" | "cw"): void;
  setText(on: boolean): void;
  announce(text: string): void;
}

interface ReplayFrame { action: { seat: Seat; text: string; n: number }; position: GameView }
/** A game of a finished match: `count` actions, whose frames are at `url`. */
interface ReplayHead { number: number; score: Score; count: number; url: string }
interface ReplayGameFrames { start: GameView; frames: ReplayFrame[]; outcome: Outcome | null }
type ReplayGame = ReplayHead & Partial<ReplayGameFrames>;
interface ReplayContent {
  games: ReplayGame[];
  score: Score;
  result?: { winner: Side | null; by: string } | null;
}

/** A place on the drawn board as the viewer sees it: points by the viewer's own numbers, "me" the side at the bottom. */
type Place = number | "bar-me" | "bar-them" | "off-me" | "off-them" | "stock-me" | "stock-them";

interface DieDrawn { value: number; used: boolean; dim: boolean; atBottom: boolean; mark: Side | null }
interface PointsScene {
  bottom: Side;
  board: Checkers;
  dice: DieDrawn[];
  rollKey: string;
  cube: { value: number; at: "middle" | "me" | "them" | "offer-me" | "offer-them"; dead: boolean; live: boolean } | null;
  movable: Place[];
  picked: Place | null;
  targets: Place[];
  marks: { from: Place[]; to: Place[] };
  swappable: boolean;
  /** the play is complete: pressing the dice ends the turn */
  finishing: boolean;
  mover: Side | null;
}

/** A piece on the drawn squares board, in its own colour; a captured one stays until the move ends. */
interface PieceDrawn { square: number; colour: Side; king: boolean; captured: boolean }
interface SquaresScene {
  turned: boolean;
  pieces: PieceDrawn[];
  movable: number[];
  picked: number | null;
  targets: number[];
  waypoints: number[];
  marks: { from: number[]; to: number[] };
  huff: number[];
  dice: DieDrawn[];
  rollKey: string;
}

/** The chat of a match (docs/protocol.md): what one reader may read, and the rooms are the server's choice. */
type ChatRoom = "players" | "watchers";
interface ChatLine { id: number; room: ChatRoom; by: string; mine: boolean; at: string; text: string; gone: boolean }
interface ChatState {
  t: "talk"; room: ChatRoom; rooms: ChatRoom[]; over: boolean; may: ("text" | "phrase")[];
  why: { code: string; ruling: string; text: string } | null;
  messages: ChatLine[]; gone: number[]; more: boolean; anew: boolean;
}
interface ChatRefused { t: "refused"; id: string | null; code: string; ruling: string; text: string }
type ChatFrame = ChatState | ({ t: "said" } & ChatLine) | { t: "gone"; id: number } | { t: "ack"; id: string; message: number } | ChatRefused | { t: "pong" };
