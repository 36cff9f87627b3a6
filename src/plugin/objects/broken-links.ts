import { nameOf } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Landscape } from './landscape.ts';
import { linksOf } from './links.ts';

/** What an object refers to and is not there, where something is called nearly so: a line for each. */
export async function brokenLinks(landscape: Landscape, object: Resource): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const link of linksOf(object)) {
    if (link.is !== 'object' || (await landscape.find(link.kind, link.key)) !== 'missing') continue;
    const near = await landscape.near(link.kind, link.key);
    if (near !== undefined) lines.push(`${link.field}: ${link.kind} ${nameOf(link.key)} is not found${near}`);
  }
  return lines;
}
