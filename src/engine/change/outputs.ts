import { own } from '../../lib/own.ts';
import { type AnyKind, rendered, type Row } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';
import { isSameTarget, type ListedTarget, listedTargets, type OutputTarget, outputTargets, wrongKeys } from '../outputs/targets.ts';
import { emptied, filled, type Texts } from './output-writer.ts';

/** What became of one target: as status lists it from now on, and what is wrong with it. */
interface Written {
  readonly shown?: Row;
  readonly trouble?: Outcome | undefined;
}

/**
 * Writes what the kind gives out to the Secrets and ConfigMaps that the object owns, and takes it out of those that the spec no
 * longer names (README: secrets). All are brought in order, whatever is wrong with one of them.
 */
export async function publish(context: ReconcileContext, remote: Row): Promise<Outcome | undefined> {
  const { kind, object, status } = context;
  if (kind.outputs === undefined) return undefined;
  const targets = outputTargets(kind, object);
  if (targets === undefined) return invalid('it cannot be read');
  const values = Object.fromEntries(Object.entries(kind.outputs).map(([name, { of }]) => [name, of(remote)]));
  const all: Written[] = [];
  for (const target of targets) all.push(await given(context, target, { targets, values }));
  for (const left of listedTargets(object).filter((one) => !targets.some((target) => isSameTarget(one, target))))
    all.push(await taken(context, left));
  const shown = all.flatMap((one) => one.shown ?? []);
  status['outputs'] = shown.length > 0 ? shown : undefined;
  return all.find(({ trouble }) => trouble !== undefined)?.trouble;
}

async function given(
  context: ReconcileContext,
  target: OutputTarget,
  { targets, values }: { readonly targets: readonly OutputTarget[]; readonly values: Texts },
): Promise<Written> {
  const texts = Object.fromEntries(Object.entries(target.keys).map(([key, template]) => [key, rendered(template, values)]));
  const trouble = doubted(context.kind, targets, target) ?? (await filled(context, target, texts));
  const isListed = listedTargets(context.object).some((one) => isSameTarget(one, target));
  return trouble === undefined || isListed ? { trouble, shown: shownOf(target, texts) } : { trouble };
}

async function taken(context: ReconcileContext, target: ListedTarget): Promise<Written> {
  const trouble = await emptied(context, target);
  return trouble === undefined ? {} : { trouble, shown: shownOf(target) };
}

/** Why nothing is written there at all. */
function doubted(kind: AnyKind, targets: readonly OutputTarget[], target: OutputTarget): Outcome | undefined {
  const [wrong] = wrongKeys(kind, target);
  if (wrong !== undefined) return invalid(`${target.is} ${target.name} cannot have key ${wrong}: ${own(target.keys, wrong)}`);
  const first = targets.find((one) => isSameTarget(one, target));
  return first === target ? undefined : invalid(`${target.is} ${target.name} is named twice. Name it once, with all keys`);
}

/** Keys for which there is nothing to give out are named, because whoever asks for them would look for them in vain. */
function shownOf({ is, name }: ListedTarget, texts: Texts = {}): Row {
  const missing = Object.keys(texts).filter((key) => typeof own(texts, key) !== 'string');
  return { kind: is, name, ...(missing.length > 0 && { missing }) };
}

const invalid = (what: string): Outcome => ({ is: 'Stalled', reason: 'InvalidSpec', message: `spec.outputs: ${what}` });
