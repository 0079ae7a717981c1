import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite/vector';

/** PostgreSQL extensions that the migrations need. */
export const EXTENSIONS = { vector, pg_trgm };
