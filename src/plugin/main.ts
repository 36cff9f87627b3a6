#!/usr/bin/env node
// The only part that an old Node.js runs: everything else is loaded after this look, because undici would fail at once.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `kubectl cloud needs Node.js 22.19 or later, and this is ${process.version} (${process.execPath}). Put a newer one first in PATH: from https://nodejs.org, or the one in node_modules/node/bin after npm ci in the operator's sources.\n`,
  );
  process.exitCode = 4;
} else {
  void import('./process.ts').then(({ start }) => start(process.env));
}
