/** The tab's title and icon say when it is your turn. */
import { fill, gettext } from "../i18n.js";

export class Title {
  /** @param {string | undefined} turnIcon the address of the icon with a dot */
  constructor(turnIcon) {
    this.plain = document.title;
    this.turnIcon = turnIcon;
    this.link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel~="icon"]'));
    this.icon = this.link?.getAttribute("href") ?? null;
  }

  /** @param {boolean} yours */
  set(yours) {
    document.title = yours ? fill(gettext("● Your turn – %(page)s"), { page: this.plain }) : this.plain;
    if (!this.link || !this.turnIcon || !this.icon) return;
    this.link.setAttribute("href", yours ? this.turnIcon : this.icon);
  }
}
