import Ajv2020, { type Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Creates a JSON Schema validator (Ajv) that refuses schemas with unknown keywords. */
export function createStrictAjv(): Ajv {
  const ajv = new Ajv2020.default({ strict: true, allErrors: true });
  addFormats.default(ajv);
  return ajv;
}
