import { purchaseRoute } from '../../../../operations/routes/purchase-routes.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = purchaseRoute;
