/** The page of a match: reads what the server wrote into it, and starts the live match or the replay. */
import { LiveMatch } from "./live.js";
import { Reader } from "./reader.js";

/** @param {string} id */
function json(id) {
  const block = document.getElementById(id);
  return block?.textContent ? JSON.parse(block.textContent) : null;
}

const root = document.getElementById("match");
const config = json("match-config");
if (root && config) {
  const replay = json("replay-data");
  if (replay) new Reader(root, config, replay);
  else new LiveMatch(root, config, json("match-state"));
}
