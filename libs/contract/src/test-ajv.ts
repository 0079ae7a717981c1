import Ajv2020, { type Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A validator that takes no schema it does not wholly understand. */
export function strictAjv(): Ajv {
  const ajv = new Ajv2020.default({ strict: true, allErrors: true });
  addFormats.default(ajv);
  return ajv;
}
