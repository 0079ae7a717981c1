import { outcomeRoute } from '../../../operations/routes/outcome-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = outcomeRoute;
