'use client';

import { Unavailable } from '../views/errors/unavailable.tsx';
import './globals.css';

/** Error page if the root layout could not be rendered. */
export default function GlobalError() {
  return (
    <html lang="en">
      <head>
        <title>Not available · Touchstone</title>
      </head>
      <body>
        <Unavailable />
      </body>
    </html>
  );
}
