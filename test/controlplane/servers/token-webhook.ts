import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyUser } from './user-token.ts';

/** Answers the API server's TokenReviews for tokens of `signUser`. Resolves with its address on 127.0.0.1. */
export function startTokenWebhook(key: string): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    answer(request, response, key).catch(() => response.writeHead(400).end());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }));
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, key: string): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const review = JSON.parse(Buffer.concat(chunks).toString()) as { spec: { token: string } };
  const user = verifyUser(review.spec.token, key);
  const status =
    user === undefined
      ? { authenticated: false }
      : { authenticated: true, user: { username: user.name, uid: user.name, groups: user.groups } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', status }));
}
