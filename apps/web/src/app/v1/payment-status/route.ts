import { paymentStatusRoute } from '../../../operations/routes/payment-status-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paymentStatusRoute;
