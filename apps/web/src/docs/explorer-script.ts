import component from 'openapi-explorer/package.json' with { type: 'json' };

/**
 * Path of the explorer script. It contains the npm version, whose files never change, so browsers cache it permanently.
 */
export const EXPLORER_SCRIPT = `/openapi-explorer-${component.version}.js`;
