import * as z from 'zod';
import type { FileContent } from '../../resource/index.ts';

/** The picture that users see, as far as it is read; null: there is none. */
export const Picture = z.object({ digest: z.string() }).nullable();

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Nothing says what the service takes. It is sent in one piece, and held for minutes; one of 512 by 512 points is smaller. */
const mostKiB = 256;

/** Why it is not sent; what else is wrong with it the service says. */
export function noPicture(file: FileContent): string | undefined {
  const bytes = file.bytes();
  if (!signature.equals(bytes.subarray(0, signature.length)))
    return 'what it names is no PNG, by its first eight bytes. Put a PNG under binaryData of the ConfigMap, for example with kubectl create configmap portal --from-file=logo.png';
  if (bytes.length <= mostKiB * 1024) return undefined;
  return `the PNG has ${Math.ceil(bytes.length / 1024)} KiB, and a picture may have ${mostKiB}: make it smaller`;
}
