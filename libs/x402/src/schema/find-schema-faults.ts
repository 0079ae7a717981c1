import { isObject } from '../json/is-object.ts';
import { findPatternFault } from './pattern-fault.ts';
import { findReferenceFault, findSchemaFault } from './schema-fault.ts';

/**
 * First fault in the keywords and first fault in the references of a JSON Schema, as text for people; null without a
 * fault.
 */
export interface SchemaFaults {
  readonly form: string | null;
  readonly reference: string | null;
}

/**
 * Finds the faults of an untrusted JSON Schema. Several rules use the result.
 *
 * @returns null when the schema is not an object
 */
export function findSchemaFaults(schema: unknown): SchemaFaults | null {
  if (!isObject(schema)) return null;
  // Patterns are compiled only when every keyword in the schema has a valid value.
  return { form: findSchemaFault(schema) ?? findPatternFault(schema), reference: findReferenceFault(schema) };
}
