import component from 'openapi-explorer/package.json' with { type: 'json' };

/**
 * Where the site serves the explorer's script. npm never publishes a version twice, so what stands under this name never
 * changes and is kept by browsers for good.
 */
export const EXPLORER_SCRIPT = `/openapi-explorer-${component.version}.js`;
