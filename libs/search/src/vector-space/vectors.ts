import vectors from './vectors.json' with { type: 'json' };

/**
 * Mean of the unit gte-small vectors of 156 endpoint descriptions. The mean vector never changes: another mean vector
 * gives another vector space and needs another id in `EMBEDDING_MODEL`.
 */
export const MEAN_VECTOR: readonly number[] = vectors.mean;

/** Fixed text whose vector identifies the model. */
export const REFERENCE_TEXT = 'Current weather and five day forecast for any city';
/** Raw gte-small vector of {@link REFERENCE_TEXT}, rounded to 4 decimals. */
export const REFERENCE_VECTOR: readonly number[] = vectors.reference;

/** Share of the mean vector that is subtracted. The share is a part of the id of the vector space. */
const MEAN_FACTOR = 0.5;

/**
 * Subtracts half of the mean vector and scales the result to length 1. Raw gte-small vectors of English texts all have
 * cosines between 0.65 and 0.95, so no minimum similarity separates related from unrelated texts. After the
 * subtraction, a minimum similarity of 0.5 separates related from unrelated texts.
 */
export function centreVector(raw: readonly number[]): number[] {
  const unit = scaleToUnit(raw);
  return scaleToUnit(unit.map((value, index) => value - MEAN_FACTOR * (MEAN_VECTOR[index] ?? 0)));
}

/** Returns the cosine of the angle between two vectors of the same length. */
export function computeCosine(one: readonly number[], other: readonly number[]): number {
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

function scaleToUnit(vector: readonly number[]): number[] {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
