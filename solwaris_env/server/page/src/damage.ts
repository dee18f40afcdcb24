// A hit, in the rules' own arithmetic.

const MULTIPLIER_CAP = 300 * 100; // three times, in hundredths of a percent (D7)
const ONE = 2_000_000; // a hit point, in the formula's units

/** The rules' formula of a hit before armour, or of one of its equal parts: in whole numbers, rounded once (D1 to D8). */
export function reduced(base: number, added: number, boost: number, resistance: number, critical: boolean, parts: number): number {
  const kept = 100 - resistance;
  const raised = (base + added) * Math.max(0, 100 + boost) * Math.max(100, kept);
  const numerator = Math.min(raised, base * MULTIPLIER_CAP) * Math.min(100, kept) * (critical ? 3 : 2);
  const denominator = ONE * parts;
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}
