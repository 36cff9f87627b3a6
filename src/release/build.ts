/** `npm run build`: both programs into `dist`. */
import { join } from 'node:path';
import { bundle, root } from './bundle.ts';

await bundle(join(root, 'dist'));
