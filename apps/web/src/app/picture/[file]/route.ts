import { pictureRoute } from '../../../views/pictures/picture-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pictureRoute;
