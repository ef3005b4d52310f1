// The shapes of docs/protocol.md, for the type checker alone: no browser loads this file.

type Side = "white" | "black";
type Seat = Side | "chance" | "server";

/** [from, to, die, hit, next] in the mover's numbering: 25 the bar, 26 the stock, 0 off; next -1: the play is complete. */
type Half = [from: number, to: number, die: number, hit: number, next: number];
type Tree = Half[][];

interface Men { points: number[]; bar: number; off: number; stock: number }
type Men2 = Record<Side, Men>;
interface Cube { value: number; owner: Side | null; offered: number | null; dead: boolean }
interface Outcome { winner: Side | null; points: number; kind: string }

interface PositionView {
  family: string;
  phase: "opening" | "roll" | "rolling" | "move" | "doubled" | "over" | string;
  turn: Side | "chance" | "over";
  board: Men2;
  pips: Record<Side, number>;
  dice: number[] | null;
  cube: Cube | null;
  outcome: Outcome | null;
  tree?: Tree | null;
}

interface Action { n: number; game: number; seat: Seat; text: string }
interface Score { length: number | null; white: number; black: number; crawford: boolean }
interface ClockState { white: number; black: number; delay: number; delay_left: number; running: Side | null }
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
  rematch: string | null;
}

interface State {
  version: number;
  you: Side | null;
  match: MatchInfo;
  position: PositionView;
  may: string[];
  offer: { seat: Side; level: number | "match"; points: number } | null;
  ready: Side[];
  clock: ClockState | null;
  last: { seat: Side; dice: number[]; text: string } | null;
  ended?: Outcome | null;
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
}

interface StateMessage extends State { t: "state" }
interface ActionsMessage extends State { t: "event" | "actions"; from: number; actions: Action[] }
interface AckMessage { t: "ack"; id: string; version: number }
interface RefusedMessage { t: "refused"; id: string; version: number; code: string; ruling: string | null; text: string }
interface WhyMessage { t: "why"; id: string; version: number; code: string | null; ruling: string | null; text: string }
interface PongMessage { t: "pong"; version: number }
interface PresenceMessage { t: "presence"; version: number; white: boolean; black: boolean }
interface RestartMessage { t: "restart"; version: number }
type ServerMessage =
  | StateMessage | ActionsMessage | AckMessage | RefusedMessage | WhyMessage | PongMessage | PresenceMessage | RestartMessage;

interface ReplayFrame { action: { seat: Seat; text: string; n: number }; position: PositionView }
interface ReplayGame { number: number; score: Score; start?: PositionView; frames: ReplayFrame[]; outcome: Outcome | null }
interface ReplayContent {
  games: ReplayGame[];
  score: Score;
  result?: { winner: Side | null; by: string } | null;
}

/** A place on the drawn board as the viewer sees it: points by the viewer's own numbers, "me" the side at the bottom. */
type Place = number | "bar-me" | "bar-them" | "off-me" | "off-them" | "stock-me" | "stock-them";

interface DieDrawn { value: number; used: boolean; dim: boolean; mine: boolean; mark: Side | null }
interface Scene {
  bottom: Side;
  board: Men2;
  dice: DieDrawn[];
  rollKey: string;
  cube: { value: number; at: "middle" | "me" | "them" | "offer-me" | "offer-them"; dead: boolean; live: boolean } | null;
  movable: Place[];
  picked: Place | null;
  targets: Place[];
  marks: { from: Place[]; to: Place[] };
  swappable: boolean;
  mover: Side | null;
}
