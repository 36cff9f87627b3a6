import { accountRules, admission } from '../../../engine/model/account.ts';
import type { Bound } from '../../dry/standing.ts';
import { registry } from '../../command-line/kinds.ts';
import type { ExportData } from '../../output/account-shapes.ts';
import type { Session } from '../../session.ts';
import { accountIn } from '../../account/shown.ts';
import type { Place } from './layout.ts';
import { keyOf } from './names.ts';
import { counted } from '../../../lib/counted.ts';

type Access = NonNullable<ExportData['access']>[number];

/** Namespaces in which the account does not admit what the manifests ask for, and why. */
export async function unadmitted(
  session: Session,
  shown: string,
  { manifests, bound }: { readonly manifests: readonly Place[]; readonly bound: readonly Bound[] },
): Promise<readonly Access[]> {
  const { namespace: home, name } = accountIn(shown);
  const key = { namespace: home, name };
  const object = session.isAlone ? undefined : await (await session.reader()).get(registry.connection, key);
  const { access } = accountRules(object?.spec ?? {});
  const there = new Set(bound.map(({ object: { kind, metadata } }) => keyOf({ kind, ...metadata })));
  return [...Map.groupBy(manifests, ({ namespace }) => namespace)].flatMap(([namespace, those]): Access[] => {
    if (namespace === home) return [];
    const rules = [...new Set(those.map(({ kind }) => kind))].map((kind) => admission({ key, access }, registry.kind(kind), namespace));
    const limits = rules.flatMap((rule) => rule?.maxObjects ?? []);
    const added = those.filter((one) => !there.has(keyOf(one))).length;
    const count = bound.filter(({ object: { metadata } }) => metadata.namespace === namespace).length + added;
    const beyond = limits.length > 0 && count > Math.min(...limits) ? { count, maxObjects: Math.min(...limits) } : {};
    const adopt = rules.every((rule) => rule?.adopt === 'Any');
    return adopt && beyond.count === undefined ? [] : [{ namespace, adopt, ...beyond }];
  });
}

/** What the owner of the account has to do about it. */
export const accessText = ({ namespace, adopt, count, maxObjects }: Access): string =>
  [
    adopt
      ? undefined
      : `namespace ${namespace} may not adopt: the CloudAccount needs spec.access with namespaces [${namespace}] and adopt: Any`,
    count === undefined
      ? undefined
      : `namespace ${namespace} would have ${counted(count, 'object')}, and spec.access[].maxObjects of the CloudAccount admits ${maxObjects}`,
  ]
    .filter((line) => line !== undefined)
    .join('; ');
