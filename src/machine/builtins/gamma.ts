/** The gamma function, by the approximation of Lanczos (g = 7, nine terms). */

const terms = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
  12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** Exact for whole numbers as far as a float is; NaN at the poles below zero. */
export function gamma(x: number): number {
  if (x === 0) return 1 / x;
  if (Number.isInteger(x) || x === -Infinity) return x < 0 ? NaN : factorial(x - 1);
  if (!Number.isFinite(x)) return x;
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
  if (x > 171.7) return Infinity;
  const y = x - 1;
  let sum = terms[0] ?? 0;
  for (let i = 1; i < terms.length; i++) sum += (terms[i] ?? 0) / (y + i);
  const t = y + 7.5;
  // In two steps, since the power alone is too large from about 143 on.
  const half = t ** ((y + 0.5) / 2);
  return Math.sqrt(2 * Math.PI) * half * Math.exp(-t) * half * sum;
}

function factorial(n: number): number {
  if (n > 170) return Infinity;
  let product = 1;
  for (let i = 2; i <= n; i++) product *= i;
  return product;
}
