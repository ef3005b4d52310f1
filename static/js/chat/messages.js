/** What was said at a match, as this page has it: each message once, in its order, whatever way and however often it came. Pure. */

export class Messages {
  /** @type {Map<number, ChatLine>} */
  #lines = new Map();

  /** A frame `talk`: all that there is, or what this page lacked. Returns the messages that are new here. @param {ChatState} frame */
  take(frame) {
    if (frame.anew) {
      const kept = new Set(frame.messages.map(({ id }) => id));
      for (const line of this.#lines.values()) {
        if (!kept.has(line.id) && (!frame.more || line.id > frame.messages[0].id)) this.#lines.delete(line.id);
        else if (!frame.rooms.includes(line.room)) this.#lines.delete(line.id);
      }
    }
    const news = frame.messages.filter((line) => this.add(line));
    for (const id of frame.gone) this.remove(id);
    return news;
  }

  /** Whether it is new here. @param {ChatLine} line */
  add(line) {
    const known = this.#lines.has(line.id);
    if (!known) this.#lines.set(line.id, line);
    return !known;
  }

  /** Its words are gone. @param {number} id */
  remove(id) {
    const line = this.#lines.get(id);
    if (line) this.#lines.set(id, { ...line, text: "", gone: true });
  }

  /** The messages of a room, the earliest first. @param {ChatRoom} room */
  of(room) {
    return [...this.#lines.values()].filter((line) => line.room === room).sort((a, b) => a.id - b.id);
  }

  /** How many others' messages came after one that was read. @param {number} read */
  unread(read) {
    return [...this.#lines.values()].filter((line) => line.id > read && !line.mine && !line.gone).length;
  }

  get last() {
    return Math.max(0, ...this.#lines.keys());
  }

  get first() {
    return Math.min(...this.#lines.keys());
  }
}
