import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { ControlPlane } from './control-plane.ts';
import { startControlPlane } from './start.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers the coordinates of the run's shared control plane, which the first question starts. */
    readonly controlPlaneBroker: string;
  }
}

/** Vitest's global set-up: one control plane per run, started only when a suite asks for it, and stopped at the end. */
export async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  let controlPlane: Promise<ControlPlane> | undefined;
  // The coordinates hold an administrator's token; the path keeps other users of this machine from asking.
  const path = `/${randomBytes(16).toString('hex')}`;
  const server = createServer((request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    controlPlane ??= startControlPlane();
    controlPlane.then(
      ({ coordinates }) => response.end(JSON.stringify(coordinates)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  project.provide('controlPlaneBroker', `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  return async () => {
    server.close();
    const started = await controlPlane?.catch(() => undefined);
    await started?.stop();
  };
}
