import { paidRoute } from '../../../api/paid-route.ts';
import { alternativesOperation } from '../../../operations/search-operations.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paidRoute(alternativesOperation);
