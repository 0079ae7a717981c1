import { isObject } from '../json/is-object.ts';
import { findPatternFault } from './pattern-fault.ts';
import { findReferenceFault, findSchemaFault } from './schema-fault.ts';

/** Faults of a schema, as text for people; null without a fault. */
export interface SchemaFaults {
  readonly form: string | null;
  readonly reference: string | null;
}

/**
 * Finds the faults of an untrusted JSON Schema, once for all rules that need them.
 *
 * @returns null when the schema is not an object
 */
export function findSchemaFaults(schema: unknown): SchemaFaults | null {
  if (!isObject(schema)) return null;
  // Patterns are compiled only when all keywords of the schema have valid values.
  return { form: findSchemaFault(schema) ?? findPatternFault(schema), reference: findReferenceFault(schema) };
}
