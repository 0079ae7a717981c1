export const METHODOLOGY_URI = 'touchstone://methodology';
export const LLMS_URI = 'touchstone://llms.txt';
/** Start of the URI of a JSON Schema; the name of the schema follows. */
export const SCHEMA_URI_PREFIX = 'touchstone://schemas/';
