import { sleep, systemClock } from '../../../src/lib/clock.ts';
import { type Answer, Cluster, type RequestOptions } from '../../controlplane/cluster.ts';
import { longest, pace } from './patience.ts';

const isAway = (error: unknown): boolean => error instanceof Error && /ECONN|socket|other side closed|EPIPE/i.test(error.message);
/** What one's own request of before may have done already. */
const done: Readonly<Record<string, number>> = { POST: 409, DELETE: 404 };

/** The cluster of people who ask again while the API server is away or starting. */
export class PatientCluster extends Cluster {
  override async request<T = Record<string, unknown>>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    const end = systemClock.monotonic() + longest;
    for (let again = false; ; again = true) {
      const answer = await super.request<T>(method, path, options).catch((error: unknown) => {
        if (!isAway(error) || systemClock.monotonic() > end) throw error;
      });
      if (answer !== undefined && (answer.status < 500 || systemClock.monotonic() > end))
        return again && answer.status === done[method] ? { ...answer, status: 201 } : answer;
      await sleep(systemClock, pace);
    }
  }
}
