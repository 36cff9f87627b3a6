import type { Row } from '../../../resource/index.ts';
import type { Remote } from '../../dry/standing.ts';
import { CliError } from '../../exit.ts';
import { type Flags, text } from '../../command-line/flag.ts';
import { calledIn } from './names.ts';

type Fits = (row: Row) => boolean;

/** What `--tag`, `--region` and `--label` let through: what is so itself, or lies below something that is so. */
export function filterOf(flags: Flags): ((lineage: readonly Remote[]) => boolean) | undefined {
  const [tag, region, label] = ['tag', 'region', 'label'].map((name) => text(flags, name));
  const all: Fits[] = [];
  if (tag !== undefined) all.push((row) => tagsOf(row).includes(tag));
  if (region !== undefined) all.push((row) => regionOf(row) === region);
  if (label !== undefined) {
    const expression = expressionOf(label, `--label ${label}`);
    all.push((row) => expression.test(calledIn(row)));
  }
  return all.length === 0 ? undefined : (lineage) => all.every((fits) => lineage.some(({ row }) => fits(row)));
}

export const tagsOf = ({ tags }: Row): readonly string[] => (Array.isArray(tags) ? tags.map(String) : []);

/** A bucket says its cluster, and no region. */
export const regionOf = ({ region, cluster }: Row): string | undefined => {
  const found = region ?? cluster;
  return typeof found === 'string' ? found : undefined;
};

export function expressionOf(written: string, where: string): RegExp {
  try {
    return new RegExp(written, 'u');
  } catch {
    throw new CliError(2, `${where}: ${written} is no regular expression`);
  }
}
