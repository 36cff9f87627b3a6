import type { AnyKind } from '../../resource/index.ts';
import { group, version } from '../names.ts';

/** Of a condition that an object may not have yet. */
const is = (type: string, test: string): string => `has(status.conditions) && status.conditions.exists(c, c.type == '${type}' && ${test})`;
const seen = 'has(status.observedGeneration) && status.observedGeneration == metadata.generation';
const stalled = is('Stalled', "c.status == 'True'");
const because = (reasons: readonly string[]): string => is('Synced', `c.reason in [${reasons.map((reason) => `'${reason}'`).join(', ')}]`);

/** As wanted, or left as it is because a person said so: what kstatus alone would call on its way for ever. */
const settled = ['DriftReported', 'Observed', 'ReadOnly'];
/** A person must act, and Flux tells somebody at once in place of waiting for its timeout. */
const waits = ['ApprovalRequired', 'Paused'];

/** `spec.healthCheckExprs` of a Kustomization of Flux, one entry per kind. */
export const healthCheckExprs = (kinds: readonly AnyKind[]) =>
  kinds.map(({ kind }) => ({
    apiVersion: `${group}/${version}`,
    kind,
    inProgress: `!(${seen})`,
    failed: `${seen} && ((${stalled}) || (${because(waits)}))`,
    current: `${seen} && !(${stalled}) && ((${is('Ready', "c.status == 'True'")} && !(${is('Reconciling', "c.status == 'True'")})) || (${because(settled)}))`,
  }));

export const fluxHealth = (kinds: readonly AnyKind[]): object => ({ spec: { healthCheckExprs: healthCheckExprs(kinds) } });

export const fluxHeader = `A patch for a Kustomization of Flux with \`wait: true\`:
  kubectl patch kustomization NAME --namespace flux-system --type merge --patch-file deploy/flux-health.yaml
or copy the list into its manifest. A change that waits for approval, or a paused object, fails the health check and is told by Flux;
take ${waits.map((reason) => `'${reason}'`).join(' and ')} out of \`failed\` to have it waited for in place of that.`;
