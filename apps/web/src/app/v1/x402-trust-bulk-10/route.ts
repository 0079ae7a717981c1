import { OPERATION_ROUTES } from '../../../operations/operation-routes.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = OPERATION_ROUTES.getTrustBulk10;
