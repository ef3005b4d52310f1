/**
 * A socket that reconnects for as long as the page lives: ever more slowly when it breaks, within three seconds when the
 * site restarts, and at once when the network is back or somebody looks at the page again. A hidden page sends heartbeats
 * too, or the server would take it for dead.
 */

const RETRY_FIRST = 1000;
const RETRY_LAST = 30_000;
const RESTART = 4012;
const TOO_MANY = 4430;

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
    const heart = setInterval(() => {
      if (socket.readyState === 1) socket.send('{"t":"ping"}');
    }, beat);
    socket.onopen = () => {
      wait = RETRY_FIRST;
      onOpen();
    };
    socket.onmessage = (event) => {
      try {
        onMessage(JSON.parse(event.data));
      } catch {
        // a frame that this page does not know
      }
    };
    socket.onclose = ({ code }) => {
      clearInterval(heart);
      onClose();
      // One window too many reconnects when it is looked at again: the person has opened others since.
      if (code === TOO_MANY) connectAfter(Infinity);
      else if (code === RESTART) connectAfter(3000 * random());
      else {
        connectAfter(wait + 1000 * random());
        wait = Math.min(2 * wait, RETRY_LAST);
      }
    };
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
