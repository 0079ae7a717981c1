import { rangeSummariesRoute } from '../../../../operations/routes/summary-routes.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = rangeSummariesRoute;
