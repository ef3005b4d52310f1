/**
 * Bytes, their hex, and SHA-256: what the dice (bgdice/1) are made of. A small library does the hashing, because WebCrypto's
 * does not exist on plain http, as a club's own network has it.
 */
import { hmac } from "../../vendor/noble-hashes/hmac.js";
import { sha256 } from "../../vendor/noble-hashes/sha2.js";

export const BYTES = 32;

const HEX = /^[0-9a-f]{64}$/;

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Is it 32 bytes, as 64 small hex digits? @param {unknown} text @returns {text is string} */
export function isHex(text) {
  return typeof text === "string" && HEX.test(text);
}

/** 32 bytes from their hex. Throws where that is not what it is. @param {unknown} text */
export function bytesOf(text) {
  if (!isHex(text)) throw new TypeError("not 32 bytes in hex");
  return Uint8Array.from({ length: BYTES }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

/** @param {string} text */
export function utf8(text) {
  return new TextEncoder().encode(text);
}

/** @param {Uint8Array[]} parts */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** SHA-256 of a word of this version of the dice and of what comes after it. @param {string} word @param {Uint8Array[]} parts */
export function sha(word, ...parts) {
  return sha256(joined(utf8(`bgdice/1/${word}`), ...parts));
}

/** SHA-256 of bytes as they are. @param {Uint8Array} bytes */
export function plain(bytes) {
  return sha256(bytes);
}

/** @param {Uint8Array} key @param {Uint8Array} message */
export function mac(key, message) {
  return hmac(sha256, key, message);
}

/** 32 bytes that nobody could have foreseen. */
export function secret() {
  return crypto.getRandomValues(new Uint8Array(BYTES));
}
