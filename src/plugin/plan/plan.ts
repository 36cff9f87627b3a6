import { approvalEnd } from '../../engine/model/policy.ts';
import type { Millis } from '../../lib/clock.ts';
import type { OwnPrice } from '../../kinds/for-plugin/prices.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { durationOf, on, text } from '../command-line/flag.ts';
import type { PlanData } from '../output/plan-shape.ts';
import { endpointsOf } from '../account/endpoints.ts';
import { ownPricesOf } from '../cost/prices.ts';
import { writeApprovals } from './approvals.ts';
import type { Entry } from './entries.ts';
import { exitOf, limitsOf } from './limits.ts';
import { look, type Seen, type Wishes } from './bases/look.ts';
import { clusterGround, lookSupposing } from './bases/look-supposing.ts';
import { offline } from './bases/offline.ts';
import { planLines, planMarkdown } from './render.ts';
import { renamedLines } from './renamed.ts';
import { refuseSkew, type Target, targetsOf } from './targets/targets.ts';

/** So far ahead an approval by content may end. */
const longest: Millis = 14 * 24 * 3_600_000;

/** What the operator would do: its own engine decides, and what it would send is shown. */
export const plan: Verb = async (call) => {
  const { flags } = call;
  const limits = limitsOf(flags);
  const [timeout, until] = [durationOf(flags, 'timeout'), endOf(call)];
  const own = await ownPricesOf(call);
  const { targets, entries, accounts, unwritable, held } = await seen(call, {
    timeout,
    until,
    prices: (name: OwnPrice) => own[name],
  });
  const data: PlanData = {
    objects: [...entries],
    summary: summed(entries),
    brake: { wouldHold: held },
    accounts: [...accounts],
    ...(unwritable.length > 0 && { notWritable: [...unwritable] }),
    wroteNothing: true,
  };
  await writeApprovals(call, entries);
  for (const line of await renamedLines(call, targets, entries)) call.session.warn(line);
  const isMarkdown = text(flags, 'output') === 'markdown';
  const shown = isMarkdown ? planMarkdown(data) : planLines(data, on(flags, 'onlyChanges'));
  return { exit: exitOf(call, data, limits), kind: 'Plan', data, lines: shown };
};

/** When approvals of this plan end. */
function endOf({ session, flags }: Call): Millis {
  if (text(flags, 'valid') === undefined) return approvalEnd(session.now);
  const valid = durationOf(flags, 'valid');
  if (valid > longest) throw new CliError(2, '--valid is at most 336h, which is 14 days');
  return session.now + valid;
}

type Asked = Omit<Wishes, 'brought'>;

async function seen(call: Call, wishes: Asked): Promise<Seen & { readonly targets: readonly Target[] }> {
  const against = text(call.flags, 'against');
  if (against === 'none') {
    const { targets, ground } = await offline(call);
    return { targets, ...(await lookSupposing(call, targets, { ...wishes, brought: new Set() }, ground)) };
  }
  const { targets, brought } = await targetsOf(call);
  await refuseSkew(call, targets);
  if (against === 'cluster')
    return { targets, ...(await lookSupposing(call, targets, { ...wishes, brought }, await clusterGround(call, targets, brought))) };
  const connector = await call.session.host.openCloud(await endpointsOf(call), 'plan');
  try {
    return { targets, ...(await look(call, targets, { ...wishes, connector, brought })) };
  } finally {
    connector.close();
  }
}

function summed(entries: readonly Entry[]): Readonly<Record<string, number>> & Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { action } of entries) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}
