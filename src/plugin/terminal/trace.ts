import { on, type Flags } from '../command-line/flag.ts';
import type { Host } from '../host.ts';

/** With `--verbose` each request is told once it has its answer, by method and path: no header and no body, where secrets are. */
export function traced(host: Host, flags: Flags): Host {
  if (!on(flags, 'verbose')) return host;
  const told = (request: string): void => host.err(`${request}\n`);
  return {
    ...host,
    connect: (choice) => host.connect(choice, told),
    openCloud: (endpoints, verb, telling) => host.openCloud(endpoints, verb, { ...telling, requests: told }),
    wire: {
      ...host.wire,
      get: async (url, ca) => {
        const answer = await host.wire.get(url, ca);
        told(`GET ${url} ${answer.status}`);
        return answer;
      },
    },
  };
}
