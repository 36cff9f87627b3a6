import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../controlplane/command.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const promtool = (...args: readonly string[]) => runCommand('promtool', args);
const missing = (await promtool('--version')).code === 0 ? undefined : 'there is no promtool in PATH; install Prometheus';

if (missing !== undefined) process.stderr.write(`\nThe alerts are NOT run: ${missing}.\n\n`);
beforeEach((context) => {
  if (missing !== undefined) context.skip(missing);
});

describe("the chart's alerts, as Prometheus runs them,", () => {
  it('are rules that it takes', async () => {
    const { code, stderr, stdout } = await promtool('check', 'rules', path('../../charts/cloud-operator/files/alerts.yaml'));
    expect({ code, said: stderr + stdout }).toMatchObject({ code: 0, said: expect.stringMatching(/SUCCESS: \d+ rules found/) as string });
  });
  it('fire when they should, with words that are filled in, and else are quiet', async () => {
    const { code, stderr, stdout } = await promtool('test', 'rules', path('alerts.promtool.yaml'));
    expect({ code, said: stderr + stdout }).toMatchObject({ code: 0, said: expect.stringContaining('SUCCESS') as string });
  });
});
