import { watchRoute } from '../../../../operations/routes/watch-routes.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = watchRoute;
