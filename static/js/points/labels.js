/** What a screen reader says of the places of a board of 24 points. Pure. */
import { fill, gettext, ngettext } from "../i18n.js";
import { checkersByPlace } from "./state.js";

/** @param {number} white @param {number} black */
function checkers(white, black) {
  if (white) return fill(ngettext("%(count)s white checker", "%(count)s white checkers", white), { count: white });
  if (black) return fill(ngettext("%(count)s black checker", "%(count)s black checkers", black), { count: black });
  return gettext("empty");
}

/**
 * @param {Place} place
 * @param {Side} bottom
 */
export function placeName(place, bottom) {
  if (typeof place === "number") return fill(gettext("Point %(number)s"), { number: place });
  const [kind, owner] = place.split("-");
  const white = (owner === "me") === (bottom === "white");
  if (kind === "bar") return white ? gettext("White's bar") : gettext("Black's bar");
  if (kind === "off") return white ? gettext("Borne off by White") : gettext("Borne off by Black");
  return white ? gettext("White's stock") : gettext("Black's stock");
}

/**
 * The button of each place.
 * @param {PointsScene} scene
 * @returns {(place: Place) => import("../board/accessible-grid.js").Cell}
 */
export function cellsOf(scene) {
  const [white, black] = [checkersByPlace(scene, "white"), checkersByPlace(scene, "black")];
  return (place) => ({
    label: labelOf(scene, place, checkers(white.get(place) ?? 0, black.get(place) ?? 0)),
    classes: {
      movable: scene.movable.includes(place),
      picked: scene.picked === place,
      legal: scene.targets.includes(place),
      white: white.has(place),
      black: black.has(place),
    },
  });
}

/** @param {PointsScene} scene @param {Place} place @param {string} checkersText */
function labelOf(scene, place, checkersText) {
  const named = fill(gettext("%(place)s: %(checkers)s"), { place: placeName(place, scene.bottom), checkers: checkersText });
  if (scene.picked === place) return fill(gettext("%(place)s, picked up"), { place: named });
  if (scene.targets.includes(place)) return fill(gettext("%(place)s, legal destination"), { place: named });
  if (scene.picked === null && scene.movable.includes(place)) return fill(gettext("%(place)s, can move"), { place: named });
  return named;
}
