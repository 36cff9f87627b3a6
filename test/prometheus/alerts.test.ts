import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../controlplane/command.ts';
import { thisMachine } from '../controlplane/programs/machine.ts';
import { findPrometheus } from '../controlplane/programs/prometheus.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
let promtool: string;
beforeAll(async () => {
  ({ promtool } = await findPrometheus(thisMachine((line) => process.stderr.write(`${line}\n`))));
}, START_TIMEOUT_MS);

describe("the chart's alerts, as Prometheus runs them,", () => {
  it('are rules that it takes', async () => {
    const { code, stderr, stdout } = await runCommand(promtool, ['check', 'rules', path('../../charts/cloud-operator/files/alerts.yaml')]);
    expect({ code, said: stderr + stdout }).toMatchObject({ code: 0, said: expect.stringMatching(/SUCCESS: \d+ rules found/) as string });
  });
  it('fire when they should, with words that are filled in, and else are quiet', async () => {
    const { code, stderr, stdout } = await runCommand(promtool, ['test', 'rules', path('alerts.promtool.yaml')]);
    expect({ code, said: stderr + stdout }).toMatchObject({ code: 0, said: expect.stringContaining('SUCCESS') as string });
  });
});
