import type { Millis } from '../../lib/clock.ts';
import { effects } from '../../resource/index.ts';
import type { Call, Verb } from '../command.ts';
import { CliError, type Exit } from '../exit.ts';
import { durationOf, on, text } from '../flag.ts';
import type { PlanData } from '../output/shapes.ts';
import { endpointsOf } from '../account/endpoints.ts';
import type { Entry } from '../plan/entries.ts';
import { look } from '../plan/look.ts';
import { planMarkdown, planText } from '../plan/render.ts';
import { refuseSkew, targetsOf } from '../plan/targets.ts';

/** So far ahead an approval by content may end. */
const longest: Millis = 14 * 24 * 3_600_000;

/** What the operator would do: its own engine decides, and what it would send is shown. */
export const plan: Verb = async (call) => {
  const { session, flags } = call;
  const [timeout, valid] = [durationOf(flags, 'timeout'), durationOf(flags, 'valid')];
  if (valid > longest) throw new CliError(2, '--valid is at most 336h, which is 14 days');
  const { targets, brought } = await targetsOf(call);
  await refuseSkew(call, targets);
  const connector = await session.host.openCloud(await endpointsOf(call), 'plan');
  try {
    const { entries, accounts } = await look(call, targets, { connector, timeout, brought, until: session.now + valid });
    const data: PlanData = { objects: [...entries], summary: summed(entries), accounts: [...accounts], wroteNothing: true };
    const isMarkdown = text(flags, 'output') === 'markdown';
    const shown = isMarkdown ? planMarkdown(data) : planText(data, on(flags, 'onlyChanges'));
    return { exit: exitOf(call, entries), kind: 'Plan', data, text: shown };
  } finally {
    connector.close();
  }
};

function summed(entries: readonly Entry[]): Readonly<Record<string, number>> & Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { action } of entries) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

/** A refusal beats a limit, and a limit beats a difference. */
function exitOf({ flags, session }: Call, entries: readonly Entry[]): Exit {
  if (entries.some(({ action }) => action === 'refused')) return 4;
  const most = effects.indexOf((text(flags, 'maxEffect') ?? 'Never') as (typeof effects)[number]);
  const above = entries.filter(({ effect }) => effect !== undefined && effects.indexOf(effect) > most);
  for (const { kind, namespace, name, effect } of above)
    session.say(`${kind} ${namespace}/${name}: ${effect} is more than --max-effect allows`);
  if (above.length > 0) return 3;
  return entries.every(({ action }) => action === 'none') ? 0 : 1;
}
