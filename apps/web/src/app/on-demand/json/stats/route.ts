import { statsRoute } from '../../../../operations/routes/ranking-routes.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = statsRoute;
