import { isObject } from '../json/is-object.ts';
import { findPatternFault } from './pattern-fault.ts';
import { findReferenceFault, findSchemaFault } from './schema-fault.ts';

/** What is wrong with a schema, in words to show; null where nothing is. */
export interface SchemaFaults {
  readonly form: string | null;
  readonly reference: string | null;
}

/**
 * Looks for all that is wrong with a stranger's JSON Schema at once, for the rules that go by it.
 *
 * @returns null when the schema is no object
 */
export function findSchemaFaults(schema: unknown): SchemaFaults | null {
  if (!isObject(schema)) return null;
  // Patterns are compiled only in a schema whose keywords have values they may have.
  return { form: findSchemaFault(schema) ?? findPatternFault(schema), reference: findReferenceFault(schema) };
}
