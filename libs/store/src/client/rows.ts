import { z } from 'zod';

/** Creates a function that remembers the results of another function. */
function remember(convert: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name) ?? convert(name);
    known.set(name, found);
    return found;
  };
}

// The names are remembered, because converting them took a quarter of the time of a call that saves snapshots.
const toPropertyName = remember((column) =>
  column.replace(/_([a-z\d])/g, (_, character: string) => character.toUpperCase()),
);
/** Converts the name of a member to the name of a column in snake case: `uptime30d` becomes `uptime_30d`. */
export const toColumnName = remember((property) =>
  property.replace(/30d$/, '_30d').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

function renameMembers(members: object, rename: (name: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [rename(name), value]));
}

/** Converts an object to a row whose columns have names in snake case: `uptime30d` becomes `uptime_30d`. */
export function toRow(object: object): Record<string, unknown> {
  return renameMembers(object, toColumnName);
}

/** Creates the schema of a row whose columns have names in snake case; `uptime_30d` becomes the member `uptime30d`. */
export function createRowSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .record(z.string(), z.unknown())
    .transform((row) => renameMembers(row, toPropertyName))
    .pipe(z.object(shape));
}
