/** Small sounds of wood and dice, made by the browser itself; silent until the first gesture and whenever switched off. */

export class Sounds {
  /** @type {AudioContext | null} */
  #audio = null;

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

  /** @param {"step" | "hit" | "roll" | "turn" | "end" | "low"} name */
  play(name) {
    const audio = this.on && this.#audio ? this.#context() : null;
    if (!audio || audio.state !== "running") return;
    if (name === "step") this.#knock(audio, 0, 1500, 0.16);
    else if (name === "hit") [0, 0.05].forEach((at) => this.#knock(audio, at, 800, 0.26));
    else if (name === "roll") [0, 0.06, 0.11, 0.19, 0.24].forEach((at, i) => this.#knock(audio, at, 2300 - i * 190, 0.13));
    else if (name === "turn") [660, 880].forEach((tone, i) => this.#tone(audio, i * 0.11, tone, 0.07));
    else if (name === "end") [523, 659, 784].forEach((tone, i) => this.#tone(audio, i * 0.13, tone, 0.09));
    else this.#tone(audio, 0, 990, 0.05);
  }

  /** @param {AudioContext} audio @param {number} at @param {number} pitch @param {number} volume */
  #knock(audio, at, pitch, volume) {
    const start = audio.currentTime + at;
    const length = Math.floor(audio.sampleRate * 0.05);
    const buffer = audio.createBuffer(1, length, audio.sampleRate);
    const wave = buffer.getChannelData(0);
    for (let i = 0; i < length; i += 1) wave[i] = (Math.random() * 2 - 1) * Math.exp((-7 * i) / length);
    const noise = new AudioBufferSourceNode(audio, { buffer });
    const body = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 3.2 });
    const gain = new GainNode(audio, { gain: volume });
    noise.connect(body).connect(gain).connect(audio.destination);
    noise.start(start);
  }

  /** @param {AudioContext} audio @param {number} at @param {number} pitch @param {number} volume */
  #tone(audio, at, pitch, volume) {
    const start = audio.currentTime + at;
    const tone = new OscillatorNode(audio, { type: "sine", frequency: pitch });
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume, start + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.0004, start + 0.32);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.34);
  }
}
