import { confirmAnnotation } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { group, version } from '../../generate/names.ts';
import type { Millis } from '../../lib/clock.ts';
import { shownTime } from '../../lib/utc-time.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { isChosen } from '../cluster/select.ts';
import { confirm, type Question } from '../terminal/confirm.ts';
import { CliError, type Exit } from '../exit.ts';
import { conditionOf, isStalled } from '../objects/facts.ts';
import { durationOf, on, text } from '../command-line/flag.ts';
import { annotate } from '../gestures/annotate.ts';
import { chosen } from '../gestures/chosen.ts';
import type { OperationData } from '../output/written-shapes.ts';
import type { Step, Verdict } from '../wait/goal.ts';
import { watched } from '../wait/watched.ts';
import { actionFor, changedBy, type ChosenAction, operationKind } from './chosen-action.ts';
import { asksAgain } from './asks-again.ts';
import { askedBy, phaseOf, withdrawal } from './asking.ts';
import { refuseWithoutBackup } from './backups.ts';
import { create, madeBy, type Made, nameFor } from './create.ts';
import { keep, keptOf, refuseKept } from './keep.ts';
import { refuseMissing } from './named-objects.ts';
import { personFirst } from './stuck.ts';
import { refuseUndone } from './undone.ts';
import { goesOn, waitingAlready, waitsAlready } from './waiting.ts';

/** Asks the operator to do something once, and waits for how it ended. */
export const operation =
  (verb: string, example: string): Verb =>
  async (call) => {
    const { flags, session } = call;
    const [target, ...more] = await named(call, verb, example);
    if (target === undefined || more.length > 0) throw new CliError(2, `${verb} is done to one object: write KIND/NAME`);
    const kept = keptOf(verb, target);
    if (kept !== undefined) return keep(call, kept, { target, name: nameFor(call, verb, target) });
    refuseKept(verb, call, target);
    refuseWithoutBackup(call, verb, target);
    const chosenAction = actionFor(verb, flags, target);
    refuseUndone(chosenAction.action, target);
    const manifest = manifestOf(call, verb, target, chosenAction);
    await refuseMissing(call, target, manifest);
    const before = await waitingAlready(call, manifest);
    if (before !== undefined) return joined(call, before);
    const about = `${shownName(target)}: ${manifest.spec.action}`;
    const until = `${about}, not after ${manifest.spec.notAfter}`;
    if (on(flags, 'dryRun')) return answer(manifest, { exit: 0, lines: [`Would be made: ${JSON.stringify(manifest)}`], dryRun: true });
    // Who is asked reads it in the question, or in the refusal.
    if (on(flags, 'yes')) session.say(until);
    await confirm(call, {
      level: 'C1',
      expected: target.metadata.name,
      about: until,
      again: asksAgain(call, { target, spec: manifest.spec }),
    });
    const made = await create(call, operationKind(), manifest);
    if (flags['wait'] === false)
      return answer(manifest, { exit: 0, lines: [`${shownName(made)} is made. To see it done: kubectl cloud wait ${typed(made)}`] });
    return followed(call, made);
  };

/** It takes no labels, and no manifests, of which others say that they do. */
function named(call: Call, verb: string, example: string): Promise<readonly Resource[]> {
  if (!isChosen(call))
    throw new CliError(2, `${verb} what? It is done to one object: write KIND/NAME, for example kubectl cloud ${verb} ${example}`);
  return chosen(call, verb);
}

/** Nothing is written, so nobody is asked. */
function joined(call: Call, before: Resource): Promise<Answer> | Answer {
  const said = waitsAlready(before);
  const about = { exit: 0, phase: phaseOf(before) ?? 'Pending', dryRun: on(call.flags, 'dryRun') } as const;
  if (about.dryRun || call.flags['wait'] === false)
    return answer(before as unknown as Manifest, { ...about, lines: [said, ...goesOn(before)] });
  call.session.say(said);
  return followed(call, before);
}

interface Manifest extends Made {
  readonly spec: { readonly action: string; readonly notAfter: string; readonly [field: string]: unknown };
}

/** Of a name of its own, so that the same request, sent once more, makes no second one. */
function manifestOf(call: Call, verb: string, target: Resource, { kind, action, parameters }: ChosenAction): Manifest {
  const { metadata, spec } = target;
  const { accountRef } = spec;
  return {
    apiVersion: `${group}/${version}`,
    kind: kind.kind,
    metadata: { name: nameFor(call, verb, target), namespace: metadata.namespace, ...madeBy(call) },
    spec: {
      action,
      target: { name: metadata.name },
      ...(accountRef !== undefined && { accountRef }),
      ...parameters,
      notAfter: shownTime(call.session.now + durationOf(call.flags, 'within')),
    },
  };
}

/** Confirms what somebody else, or Git, asked for. */
export const confirmed: Verb = async (call) => {
  const kind = operationKind();
  const [object, ...more] = await named(call, 'confirm', `${kind.shortName}/rebuild-web`);
  if (object === undefined || more.length > 0 || object.kind !== kind.kind)
    throw new CliError(2, `confirm one ${kind.kind}: write ${kind.shortName}/NAME`);
  const manifest = object as unknown as Manifest;
  const { challenge } = (object.status ?? {}) as { readonly challenge?: string };
  if (phaseOf(object) !== 'AwaitingConfirmation' || challenge === undefined)
    throw new CliError(3, `${shownName(object)} is ${phaseOf(object) ?? 'not looked at yet'}: it asks for nothing. Nothing was written`);
  const done = { exit: 0, ...(!on(call.flags, 'dryRun') && { phase: 'AwaitingConfirmation' }) } as const;
  if (on(call.flags, 'dryRun'))
    return answer(manifest, {
      ...done,
      dryRun: true,
      lines: [...askedBy(object, call.session.now), `Would be confirmed: ${confirmAnnotation}=${challenge}`],
    });
  await agree(call, object);
  return answer(manifest, { ...done, lines: [`${shownName(object)} is confirmed. To see it done: kubectl cloud wait ${typed(object)}`] });
};

/** What is lost is shown, and exactly that is confirmed. */
async function agree(call: Call, object: Resource, made?: Question['made']): Promise<void> {
  call.session.say(...askedBy(object, call.session.now));
  const question: Question = { level: 'C2', expected: changedBy(object), about: `${shownName(object)}: ${String(object.spec['action'])}` };
  await confirm(call, { ...question, ...(made && { made }) });
  const { challenge } = (object.status ?? {}) as { readonly challenge?: string };
  await annotate(call.session, { object, annotations: { [confirmAnnotation]: challenge ?? '' }, shown: ['/status/challenge'] });
}

const exitOf: Readonly<Record<string, Exit>> = { Succeeded: 0, Failed: 4, Expired: 4, Unknown: 5 };

/** Until it ends, asks, or cannot begin as things are. */
function judge(object: Resource | undefined, before: Resource): Verdict {
  if (object?.metadata.uid !== before.metadata.uid)
    return { state: 'failed', reason: 'NotFound', message: `${before.metadata.name} is gone` };
  const phase = phaseOf(object) ?? 'Pending';
  return { state: stateIn(object, phase), reason: phase, message: conditionOf(object, 'Synced')?.message ?? '' };
}
function stateIn(object: Resource, phase: string): Verdict['state'] {
  if (phase === 'Succeeded') return 'reached';
  const isOver = phase in exitOf || phase === 'AwaitingConfirmation' || (phase === 'Pending' && isStalled(object));
  return isOver ? 'failed' : 'waiting';
}

/** What stands in its way is mostly there when an operator looks first, and may come about later. */
const [firstLook, lastLook]: readonly [Millis, Millis] = [5000, 60_000];

async function followed(call: Call, made: Resource): Promise<Answer> {
  const { session, flags } = call;
  const until = session.now + durationOf(flags, 'timeout');
  const tell = teller(call);
  for (let look = firstLook; ; look = Math.min(2 * look, lastLook)) {
    const limit = Math.max(1, Math.min(look, until - session.now));
    const verdict = (await watched(session, [made], { judge, limit, tell })).get(shownName(made)) ?? notSeen;
    if (verdict.reason === 'AwaitingConfirmation') await accept(call, made);
    else if (verdict.state !== 'waiting') return ended(made, verdict);
    else {
      const lines = verdict.reason === 'Pending' ? await personFirst(call, made) : [];
      if (lines.length > 0) return ended(made, { ...verdict, state: 'failed' }, lines);
      if (session.now >= until) return ended(made, verdict);
    }
  }
}
const notSeen: Verdict = { state: 'waiting', reason: '', message: '' };

/** Each step once, however often it is looked. */
function teller(call: Call): (step: Step) => void {
  let told = '';
  return ({ object, verdict }) => {
    const now = `${verdict.reason} ${verdict.message}`;
    if (now !== told) tellWay(call, object, verdict);
    told = now;
  };
}

/** What it comes to is said once: by the answer, or with the question. */
function tellWay({ session, flags }: Call, object: string, { reason, message, state }: Verdict): void {
  const isAsked = reason === 'AwaitingConfirmation';
  if (state !== 'waiting' && !isAsked && text(flags, 'output') === 'text') return;
  session.say(`${object}  ${reason}${message === '' || isAsked ? '' : `: ${message}`}`);
}

async function accept(call: Call, made: Resource): Promise<void> {
  const { session } = call;
  const live = await (await session.reader()).get(operationKind(), made.metadata);
  if (live === undefined || phaseOf(live) !== 'AwaitingConfirmation') return;
  await agree(call, live, { name: shownName(live), line: `kubectl cloud confirm ${typed(live)}`, withdraw: withdrawal(live) });
  // The operator takes it up; until then it would be asked for again.
  await watched(session, [live], {
    judge: (object, before) => ({ ...judge(object, before), state: phaseOf(object) === 'AwaitingConfirmation' ? 'waiting' : 'reached' }),
    limit: 30_000,
    tell: () => undefined,
  });
}

/** `first`: what must be done before it can begin. */
function ended(made: Resource, { reason, message, state }: Verdict, first: readonly string[] = []): Answer {
  const manifest = made as unknown as Manifest;
  if (state === 'waiting')
    return answer(manifest, {
      exit: 6,
      phase: reason,
      lines: [
        `${shownName(made)} is ${reason}. Time ran out; it goes on. See it: kubectl cloud wait ${typed(made)}`,
        ...(reason === 'Running' ? [] : [stays(manifest, made)]),
      ],
    });
  const exit = exitOf[reason] ?? 1;
  const isOver = reason in exitOf || reason === 'NotFound';
  const lines = [
    `${shownName(made)} ${reason}${message === '' ? '' : `: ${message}`}`,
    ...first,
    ...(isOver ? [] : [stays(manifest, made)]),
  ];
  return answer(manifest, { exit, phase: reason, lines });
}

/** Whoever reads that it was not done goes away, and finds the machine rebooted an hour later. */
const stays = ({ spec }: Manifest, made: Resource): string =>
  `It stays, and is done as soon as it can be, until ${spec.notAfter}. To withdraw it before it begins: ${withdrawal(made)}`;

function answer(
  { kind, metadata, spec }: Manifest,
  {
    exit,
    lines,
    phase,
    dryRun = false,
  }: { readonly exit: Exit; readonly lines: readonly string[]; readonly phase?: string; readonly dryRun?: boolean },
): Answer {
  const data: OperationData = {
    dryRun,
    operation: shownName({ kind, metadata }),
    action: spec.action,
    notAfter: spec.notAfter,
    ...(phase !== undefined && { phase }),
  };
  return { exit, kind: 'Operation', data, lines };
}
