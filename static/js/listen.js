/**
 * A socket that only listens, for as long as the page lives. When it breaks it comes back, ever more slowly; when the
 * site restarts, within three seconds. A hidden page beats too, or the server would take it for dead.
 */

const RETRY_FIRST = 1000;
const RETRY_LAST = 30_000;
const RESTART = 4012;
const TOO_MANY = 4430;

/**
 * @typedef {object} Wishes
 * @property {() => string} path the address on this site, made anew for each try
 * @property {number} beat milliseconds between two heartbeats
 * @property {() => void} onOpen
 * @property {(message: any) => void} onMessage one word of the server; what the page does not know it passes over
 * @property {() => void} onClose
 * @property {(url: string) => WebSocket} [open]
 * @property {() => number} [random]
 */

/** @param {Wishes} wishes */
export function listen({ path, beat, onOpen, onMessage, onClose, open = (url) => new WebSocket(url), random = Math.random }) {
  let wait = RETRY_FIRST;

  function join() {
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
        // a word that we do not know yet
      }
    };
    socket.onclose = ({ code }) => {
      clearInterval(heart);
      onClose();
      if (code === TOO_MANY) rest();
      else if (code === RESTART) setTimeout(join, 3000 * random());
      else {
        setTimeout(join, wait + 1000 * random());
        wait = Math.min(2 * wait, RETRY_LAST);
      }
    };
  }

  /** The person has opened many windows since: this one comes back when he comes back to it. */
  function rest() {
    const back = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", back);
      join();
    };
    document.addEventListener("visibilitychange", back);
  }

  join();
}
