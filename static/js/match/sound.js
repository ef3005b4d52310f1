/**
 * The sounds of a board, made by the browser itself: wood on wood, dice that roll and come to rest. Silent until the first
 * gesture and whenever switched off. The volume is that of the page (`data-volume`). Phones also vibrate, if wanted.
 */

/** @typedef {"step" | "hit" | "roll" | "turn" | "end" | "low"} SoundName */

/** How a phone vibrates, in milliseconds. @type {Partial<Record<SoundName, number[]>>} */
const PULSES = { step: [8], hit: [25], roll: [10, 40, 10, 30, 10], turn: [30, 60, 30], end: [60, 80, 60] };
/** When the dice strike the table, and how hard. */
const STRIKES = [[0, 1], [0.07, 0.8], [0.12, 0.65], [0.2, 0.5], [0.25, 0.35], [0.33, 0.22], [0.37, 0.15]];

export class Sounds {
  /** @type {AudioContext | null} */
  #audio = null;
  /** @type {GainNode | null} what all sounds pass through */
  #master = null;

  /** @param {boolean} on */
  constructor(on) {
    this.on = on;
    const wake = () => this.#context();
    addEventListener("pointerdown", wake, { once: true });
    addEventListener("keydown", wake, { once: true });
  }

  #context() {
    if (!this.on || typeof AudioContext === "undefined") return null;
    this.#audio ??= new AudioContext();
    if (this.#audio.state === "suspended") void this.#audio.resume();
    return this.#audio;
  }

  /** @param {SoundName} name */
  play(name) {
    vibrate(name);
    const audio = this.on && this.#audio ? this.#context() : null;
    if (!audio || audio.state !== "running") return;
    const out = this.#out(audio);
    if (name === "step") wood(out, 0, 0.55);
    else if (name === "hit") [[0, 1], [0.06, 0.6]].forEach(([at, force]) => wood(out, at, force));
    else if (name === "roll") STRIKES.forEach(([at, force], i) => bone(out, at, force, i));
    else if (name === "turn") [660, 880].forEach((pitch, i) => tone(out, i * 0.11, pitch, 0.16));
    else if (name === "end") [523, 659, 784, 1047].forEach((pitch, i) => tone(out, i * 0.13, pitch, 0.18));
    else tone(out, 0, 990, 0.12);
  }

  /** @param {AudioContext} audio */
  #out(audio) {
    if (!this.#master) {
      this.#master = new GainNode(audio);
      this.#master.connect(new DynamicsCompressorNode(audio, { threshold: -12, ratio: 6 })).connect(audio.destination);
    }
    // The ear hears loudness as a power of the amplitude.
    this.#master.gain.value = (Number(document.documentElement.dataset.volume ?? 60) / 100) ** 1.6;
    return this.#master;
  }
}

/** @param {SoundName} name */
function vibrate(name) {
  const pulse = PULSES[name];
  const wanted = document.documentElement.dataset.haptics === "1" && navigator.userActivation?.hasBeenActive;
  if (pulse && wanted && "vibrate" in navigator && matchMedia("(pointer: coarse)").matches) navigator.vibrate(pulse);
}

/** A checker set down: a short click, and the low body of the board. @param {AudioNode} out @param {number} at @param {number} force */
function wood(out, at, force) {
  noise(out, at, { length: 0.018, pitch: 2600, q: 1.1, volume: 0.5 * force });
  noise(out, at, { length: 0.07, pitch: 420, q: 5, volume: 1.3 * force });
  thump(out, at, 190, 0.5 * force);
}

/** A die that strikes the table: bright and dry, each strike a little different. @param {AudioNode} out @param {number} at @param {number} force @param {number} i */
function bone(out, at, force, i) {
  noise(out, at, { length: 0.014, pitch: 4200 - 260 * (i % 3), q: 2.5, volume: 0.7 * force });
  noise(out, at, { length: 0.05, pitch: 900 + 90 * (i % 4), q: 6, volume: 0.7 * force });
}

/**
 * Noise that dies away through a resonance.
 * @param {AudioNode} out
 * @param {number} at
 * @param {{length: number, pitch: number, q: number, volume: number}} shape
 */
function noise(out, at, { length, pitch, q, volume }) {
  const audio = /** @type {AudioContext} */ (out.context);
  const count = Math.floor(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, count, audio.sampleRate);
  const wave = buffer.getChannelData(0);
  for (let i = 0; i < count; i += 1) wave[i] = (Math.random() * 2 - 1) * Math.exp((-6 * i) / count);
  const source = new AudioBufferSourceNode(audio, { buffer });
  source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: q })).connect(new GainNode(audio, { gain: volume })).connect(out);
  source.start(audio.currentTime + at);
}

/** A low tone that falls and dies at once. @param {AudioNode} out @param {number} at @param {number} pitch @param {number} volume */
function thump(out, at, pitch, volume) {
  const audio = /** @type {AudioContext} */ (out.context);
  const start = audio.currentTime + at;
  const source = new OscillatorNode(audio, { type: "sine", frequency: pitch });
  source.frequency.exponentialRampToValueAtTime(pitch / 2, start + 0.07);
  fade(audio, source, start, volume, 0.09).connect(out);
}

/** @param {AudioNode} out @param {number} at @param {number} pitch @param {number} volume */
function tone(out, at, pitch, volume) {
  const audio = /** @type {AudioContext} */ (out.context);
  fade(audio, new OscillatorNode(audio, { type: "triangle", frequency: pitch }), audio.currentTime + at, volume, 0.36).connect(out);
}

/** @param {AudioContext} audio @param {OscillatorNode} source @param {number} start @param {number} volume @param {number} length */
function fade(audio, source, start, volume, length) {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0004, start + length);
  source.connect(gain);
  source.start(start);
  source.stop(start + length + 0.02);
  return gain;
}
