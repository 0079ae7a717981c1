import component from 'openapi-explorer/package.json' with { type: 'json' };

/**
 * URL path of the explorer script. The path contains the npm version of the explorer. The files of a version never
 * change, so browsers cache the script permanently.
 */
export const EXPLORER_SCRIPT = `/openapi-explorer-${component.version}.js`;
