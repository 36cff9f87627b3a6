import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { stateOf } from '../objects/facts.ts';

interface Once {
  readonly action?: string;
  readonly target?: { readonly name?: string };
}

/** Of this name there is one, which the line neither made nor changed. */
export function isThereAlready(object: Resource): CliError {
  const { action, target } = object.spec as Once;
  const { phase = stateOf(object).reason ?? 'not looked at yet', finishedAt } = (object.status ?? {}) as {
    readonly phase?: string;
    readonly finishedAt?: string;
  };
  const what = action === undefined ? '' : `${action} of ${target?.name ?? ''}, `;
  const how = finishedAt === undefined ? phase : `${phase} at ${finishedAt}`;
  const rest = finishedAt === undefined ? `. What it waits for: kubectl cloud why ${typed(object)}` : '';
  return new CliError(
    4,
    `${shownName(object)} is there already: ${what}${how}. Nothing was made or changed${rest}. For another one type the line again ${finishedAt === undefined ? '' : 'without --name, or '}with another name`,
  );
}
