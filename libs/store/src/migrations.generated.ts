// Generated from supabase/migrations by `npm run db:types`; do not edit.

/** Migrations of this release in order, as the names of their files without `.sql`. */
export const MIGRATIONS: readonly string[] = [
  '20261127000101_catalog',
  '20261127000102_probing',
  '20261127000103_recording',
  '20261127000104_rollups',
  '20261127000105_scoring',
  '20261127000106_discovery',
  '20261127000107_snapshots',
  '20261127000108_settlements',
  '20261127000109_payments',
  '20261127000110_search',
  '20261127000111_watches',
  '20261127000112_deliveries',
  '20261127000113_reports',
  '20261127000114_explore',
  '20261127000115_statistics',
  '20261127000116_pages',
  '20261127000117_claims',
  '20261127000118_delivery',
  '20261127000119_operations',
  '20261127000120_access',
];
