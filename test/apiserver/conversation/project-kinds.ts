import { group, plural, version } from '../../../src/generate/names.ts';
import type { Row } from '../../../src/resource/index.ts';
import { merged, named } from '../../conformance/case.ts';
import type { Case } from '../../conformance/case.ts';
import type { Conversation, Step } from './step.ts';

const STORED = { name: 'stored', resourceVersion: '{stored.resourceVersion}' };

/** One conversation for each kind of this project: its sample, all that admission must refuse, and every edit. */
export const projectKinds: readonly Conversation[] = named.map(([name, { kind, fixture }]) => ({
  name,
  steps: stepsOf(kind.kind, fixture),
}));

function stepsOf(kind: string, { sample, rejects, edits }: Case['fixture']): Step[] {
  const collection = `/apis/${group}/${version}/namespaces/{ns}/${plural(kind)}`;
  const manifest = (name: string, spec: Row): Row => ({ apiVersion: `${group}/${version}`, kind, metadata: { name }, spec });
  const propose = (spec: Row): Step => ({ send: `POST ${collection}?dryRun=All`, body: manifest('proposed', merged(sample.spec, spec)) });
  const edit = (spec: Row): Step => ({
    send: `PUT ${collection}/stored?dryRun=All`,
    body: { ...manifest('stored', merged(sample.spec, spec)), metadata: STORED },
  });
  return [
    propose({}),
    ...Object.values(rejects).map(([spec]) => propose(spec)),
    { send: `POST ${collection}`, body: manifest('stored', sample.spec), as: 'stored' },
    ...edits.map(({ field, to, spec, with: more }) => edit({ ...more, [field]: spec ?? to })),
  ];
}
