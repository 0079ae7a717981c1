import { startPlayground } from './playground.ts';

const root = document.getElementById('playground-root');
if (root !== null) startPlayground(root);
