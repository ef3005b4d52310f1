/**
 * A socket that reconnects for as long as the page lives: ever more slowly when it breaks, within three seconds when the
 * site restarts, and at once when the network is back or somebody looks at the page again. A hidden page sends heartbeats
 * too, or the server would take it for dead. Every heartbeat is answered: a line without an answer is dead, though the
 * browser may not know it for minutes, and another one is tried.
 */

const RETRY_FIRST = 1000;
const RETRY_LAST = 30_000;
const RESTART = 4012;
const TOO_MANY = 4430;
const DEAD = 4000; // of our own: the page gave the line up
const PATIENCE = 20_000; // the site waits for its database, too, before it says that it has none
const PATIENCE_AFTER_GAP = 8000; // somebody looks, or the network was gone

/**
 * @typedef {object} Options
 * @property {() => string} path the address on this site, built for each try
 * @property {number} beat milliseconds between two heartbeats
 * @property {() => void} onOpen
 * @property {(message: any) => void} onMessage one frame of the server; unknown ones are ignored
 * @property {() => void} onClose
 * @property {(url: string) => WebSocket} [open]
 * @property {() => number} [random]
 */

/** @param {Options} options */
export function reconnectingSocket({ path, beat, onOpen, onMessage, onClose, open = (url) => new WebSocket(url), random = Math.random }) {
  let wait = RETRY_FIRST;

  function connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = open(`${scheme}://${location.host}${path()}`);
    const heart = setInterval(ping, beat);
    let watch = setTimeout(giveUp, PATIENCE);
    let unanswered = true; // nothing has come since the line was asked for, or since the last heartbeat

    function ping() {
      if (socket.readyState !== 1) return;
      socket.send('{"t":"ping"}');
      if (!unanswered) expect(PATIENCE);
    }

    /** @param {number} patience */
    function expect(patience) {
      clearTimeout(watch);
      unanswered = true;
      watch = setTimeout(giveUp, patience);
    }

    function answered() {
      clearTimeout(watch);
      unanswered = false;
    }

    function giveUp() {
      ended(DEAD);
      socket.close();
    }

    /** The page was hidden, or the network gone: does this line still live? */
    function probe() {
      if (socket.readyState !== 1) return;
      expect(PATIENCE_AFTER_GAP);
      ping();
    }

    function probeIfSeen() {
      if (!document.hidden) probe();
    }

    document.addEventListener("visibilitychange", probeIfSeen);
    addEventListener("online", probe);
    socket.onopen = () => {
      wait = RETRY_FIRST;
      answered();
      onOpen();
    };
    socket.onmessage = (event) => {
      answered();
      try {
        onMessage(JSON.parse(event.data));
      } catch {
        // a frame that this page does not know
      }
    };
    socket.onclose = ({ code }) => ended(code);

    /** @param {number} code */
    function ended(code) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      clearInterval(heart);
      clearTimeout(watch);
      document.removeEventListener("visibilitychange", probeIfSeen);
      removeEventListener("online", probe);
      onClose();
      // One window too many reconnects when it is looked at again: the person has opened others since.
      if (code === TOO_MANY) connectAfter(Infinity);
      else if (code === RESTART) connectAfter(3000 * random());
      else {
        connectAfter(wait + 1000 * random());
        wait = Math.min(2 * wait, RETRY_LAST);
      }
    }
  }

  /** Connects after so many milliseconds, or as soon as there is a better moment. @param {number} delay */
  function connectAfter(delay) {
    const now = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
      removeEventListener("online", reachable);
      connect();
    };
    const seen = () => {
      if (!document.hidden) now();
    };
    const reachable = () => {
      if (delay !== Infinity) now();
    };
    const timer = delay === Infinity ? undefined : setTimeout(now, delay);
    document.addEventListener("visibilitychange", seen);
    addEventListener("online", reachable);
  }

  connect();
}
