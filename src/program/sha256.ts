/** SHA-256 (FIPS 180-4) of a string's UTF-8 bytes, so that the core needs no platform for it. */

const roundConstants = Int32Array.from({ length: 64 }, (_, i) => fractionBits(prime(i), 1 / 3));
const initialState = Uint32Array.from({ length: 8 }, (_, i) => fractionBits(prime(i), 1 / 2));

function prime(n: number): number {
  let candidate = 1;
  for (let found = -1; found < n; ) {
    candidate++;
    let divisor = 2;
    while (divisor * divisor <= candidate && candidate % divisor !== 0) divisor++;
    if (divisor * divisor > candidate) found++;
  }
  return candidate;
}

/** The first 32 bits of the fractional part of a root. */
function fractionBits(value: number, exponent: number): number {
  const root = value ** exponent;
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Lower-case hexadecimal, 64 characters. */
export function sha256(text: string): string {
  const message = utf8(text);
  const blocks = (message.length + 72) >>> 6;
  const padded = new Uint8Array(blocks << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const state = Uint32Array.from(initialState);
  for (let block = 0; block < blocks; block++) compress(state, view, block << 6);
  let digest = '';
  for (let i = 0; i < 8; i++) digest += (state[i] as number).toString(16).padStart(8, '0');
  return digest;
}

/** UTF-8 of a string; a lone surrogate becomes U+FFFD, as platforms' encoders do. */
export function utf8(text: string): Uint8Array {
  const out = new Uint8Array(text.length * 3);
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    let point = text.codePointAt(i) as number;
    if (point > 0xffff) i++;
    if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    if (point < 0x80) {
      out[n++] = point;
    } else if (point < 0x800) {
      out[n++] = 0xc0 | (point >> 6);
      out[n++] = 0x80 | (point & 63);
    } else if (point < 0x10000) {
      out[n++] = 0xe0 | (point >> 12);
      out[n++] = 0x80 | ((point >> 6) & 63);
      out[n++] = 0x80 | (point & 63);
    } else {
      out[n++] = 0xf0 | (point >> 18);
      out[n++] = 0x80 | ((point >> 12) & 63);
      out[n++] = 0x80 | ((point >> 6) & 63);
      out[n++] = 0x80 | (point & 63);
    }
  }
  return out.subarray(0, n);
}

/** The message schedule, made once: allocating it costs as much as hashing a short text. */
const w = new Int32Array(64);

function compress(state: Uint32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(offset + 4 * i);
  for (let i = 16; i < 64; i++) {
    const near = w[i - 15] as number;
    const far = w[i - 2] as number;
    const s0 = rotate(near, 7) ^ rotate(near, 18) ^ (near >>> 3);
    const s1 = rotate(far, 17) ^ rotate(far, 19) ^ (far >>> 10);
    w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + s1 + choice + (roundConstants[i] as number) + (w[i] as number)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}
