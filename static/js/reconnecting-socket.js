/**
 * A socket that reconnects for as long as the page lives: ever more slowly when it breaks, within three seconds when the
 * site restarts. A hidden page sends heartbeats too, or the server would take it for dead.
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
      if (code === TOO_MANY) waitForVisitor();
      else if (code === RESTART) setTimeout(connect, 3000 * random());
      else {
        setTimeout(connect, wait + 1000 * random());
        wait = Math.min(2 * wait, RETRY_LAST);
      }
    };
  }

  /** The person has opened many windows since: this one reconnects when it is looked at again. */
  function waitForVisitor() {
    const back = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", back);
      connect();
    };
    document.addEventListener("visibilitychange", back);
  }

  connect();
}
